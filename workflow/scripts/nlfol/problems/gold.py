"""The gold program of a problem, and the answer derived from it: a problem whose answer does not follow is refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from nlfol.problems.problem import Evidence, Problem, Reason
from nlfol.problems.programs import LANGUAGES
from nlfol.problems.programs.language import QUERY, Derivation, Lines
from nlfol.problems.programs.outcome import ExecutionError, Failure, OptionsError, by_truth

_REASONS: Mapping[Failure, Reason] = {Failure.ARITY: Reason.ARITY_CONFLICT, Failure.CONTRADICTORY: Reason.INCONSISTENT}


def gold_lines(problem: Problem) -> Lines:
    """Return the gold program of a problem by its places; raises ``ValueError`` if the problem has none."""
    language = LANGUAGES.get(problem.language or "")
    if language is None:
        raise ValueError(f"{problem.name} has no gold program")
    lines = {
        str(number): (statement.line,)
        for number, statement in enumerate(problem.statements, 1)
        if statement.line is not None
    }
    if language.asks_options:
        asked = {letter: option.line or "" for letter, option in problem.by_letter.items()}
    else:
        asked = {QUERY: problem.question.line or ""}
    return Lines(language, lines, asked)


def program(problem: Problem) -> str:
    """Return the text of the gold program of a problem; raises ``ValueError`` if the problem has none."""
    gold = gold_lines(problem)
    return gold.language.gold(gold)


def asks_of_the_unsaid(problem: Problem) -> bool:
    """Return whether the gold query has a predicate that no statement has, so that only a declaration tells it."""
    if problem.language is None:
        return False
    gold = gold_lines(problem)
    return gold.language.asks_of_the_unsaid(gold)


def derived(problem: Problem) -> Problem:
    """Return the problem with evidence, or refused; ``ProgramError`` if its gold program is unreadable."""
    gold = gold_lines(problem)
    return answered(problem, partial(gold.language.derive, gold))


def answered(problem: Problem, derive: Callable[[], Derivation]) -> Problem:
    """Return the problem with what ``derive`` finds of its gold program; an ``ExecutionError`` refuses it."""
    try:
        derivation = derive()
    except ExecutionError as error:
        return problem.refused(_REASONS.get(error.kind, Reason.UNDECIDED), str(error))
    if derivation.truth is None:
        return _with_letters(problem, derivation)
    try:
        letters = by_truth(problem.lettered)
    except OptionsError as error:
        return problem.refused(Reason.UNREAD, str(error))
    if letters.get(derivation.truth) != problem.answer:
        label = f"the label is {problem.answer}) {problem.answer_text}"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"the question is {derivation.truth.value}; {label}")
    return replace(problem, evidence=Evidence(derivation.evidence), depth=derivation.depth)


def _with_letters(problem: Problem, derivation: Derivation) -> Problem:
    letters = ", ".join(derivation.letters)
    if len(derivation.letters) > 1:
        return problem.refused(Reason.SEVERAL_OPTIONS, f"options {letters} follow")
    if derivation.letters != (problem.answer,):
        follows = f"option {letters} follows" if letters else "no option follows"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"{follows}; the label is {problem.answer}")
    return replace(problem, evidence=Evidence(derivation.evidence), depth=derivation.depth)
