"""Deriving the answer of a problem from its gold program: a problem whose answer does not follow is refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from nlfol.problems.gold import gold_lines
from nlfol.problems.problem import Evidence, Problem, Reason
from nlfol.programs.language import Derivation
from nlfol.programs.outcome import ExecutionError, Failure, OptionsError, by_truth

_REASONS: Mapping[Failure, Reason] = {
    Failure.ARITY: Reason.ARITY_CONFLICT,
    Failure.CONTRADICTORY: Reason.INCONSISTENT,
}


def derived(problem: Problem) -> Problem:
    """Return the problem with the evidence of its answer, or with the reason why its answer does not follow.

    Raises ``ProgramError`` if the gold program cannot be read, ``ValueError`` if there is none.
    """
    gold = gold_lines(problem)
    return answered(problem, partial(gold.language.derive, gold))


def answered(problem: Problem, derive: Callable[[], Derivation]) -> Problem:
    """Return the problem with the evidence of its answer, or with the reason why its answer does not follow.

    ``derive`` returns what a language derives from its gold program; an ``ExecutionError`` refuses the problem.
    """
    try:
        found = derive()
    except ExecutionError as error:
        return problem.refused(_REASONS.get(error.kind, Reason.UNDECIDED), str(error))
    if found.truth is None:
        return _with_letters(problem, found)
    try:
        letters = by_truth(problem.lettered)
    except OptionsError as error:
        return problem.refused(Reason.UNREAD, str(error))
    if letters.get(found.truth) != problem.answer:
        label = f"the label is {problem.answer}) {problem.answer_text}"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"the question is {found.truth.value}; {label}")
    return replace(problem, evidence=Evidence(found.evidence), depth=found.depth)


def _with_letters(problem: Problem, found: Derivation) -> Problem:
    letters = ", ".join(found.letters)
    if len(found.letters) > 1:
        return problem.refused(Reason.SEVERAL_OPTIONS, f"options {letters} follow")
    if found.letters != (problem.answer,):
        follows = f"option {letters} follows" if letters else "no option follows"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"{follows}; the label is {problem.answer}")
    return replace(problem, evidence=Evidence(found.evidence), depth=found.depth)
