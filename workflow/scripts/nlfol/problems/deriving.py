"""Deriving the answer of a problem from its gold program: a problem whose answer does not follow is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nlfol.logic import Formula, Label, LogicError, entails
from nlfol.logic.decision.satisfiability import Question, satisfiability
from nlfol.logic.decision.solver import DEFAULT_BUDGET, Answer
from nlfol.logic.syntax import Not
from nlfol.problems.arrangements import MAX_THINGS, arrangements, fewest
from nlfol.problems.gold import ALL_DIFFERENT, program, things_of
from nlfol.problems.problem import Evidence, Problem, Reason
from nlfol.programs.clauses import Clause, Literal, read_clauses
from nlfol.programs.clauses.chaining import DEFAULT_STEPS, Step, StepsExceededError, chain
from nlfol.programs.constraints import execute_constraints, read_constraints
from nlfol.programs.formulas import read_formulas
from nlfol.programs.options import OptionsError, Truth, by_truth
from nlfol.programs.outcome import ExecutionError, Failure

MAX_CONDITIONS = 12
"""Statements on an order of which the fewest that suffice are looked for."""

MAX_PREMISES = 50
"""Premises of which those that a proof needs are looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the gold program says of the question.

    Attributes:
        truth: of the question.
        evidence: how it follows.
        depth: see :class:`~nlfol.problems.problem.Problem`.
    """

    truth: Truth
    evidence: Evidence
    depth: int | None


def derived(problem: Problem) -> Problem:
    """The problem with the evidence of its answer, or with the reason why its answer does not follow.

    Raises:
        ProgramError: if the gold program cannot be read.
        ValueError: if there is none.
    """
    text = program(problem)
    match problem.language:
        case "clauses":
            clauses = read_clauses(text)
            return by_clauses(problem, clauses.clauses, clauses.query)
        case "formulas":
            formulas = read_formulas(text)
            return by_formulas(problem, formulas.premises, formulas.conclusion)
        case _:
            return by_constraints(problem)


def by_clauses(problem: Problem, clauses: Sequence[Clause], query: Literal) -> Problem:
    """The problem with what clauses say of its question. Without an option "unknown" a derivation is needed."""
    try:
        known = chain(clauses)
    except StepsExceededError:
        return problem.refused(Reason.UNDECIDED, f"not decided within {DEFAULT_STEPS} steps")
    if (literal := contradiction(known)) is not None:
        return problem.refused(Reason.INCONSISTENT, f"both {literal} and {literal.opposite} follow")
    return _answered(problem, said(known, query))


def contradiction(known: Mapping[Literal, Step]) -> Literal | None:
    """A literal that follows together with its opposite."""
    return next((literal for literal in known if literal.value and literal.opposite in known), None)


def said(known: Mapping[Literal, Step], query: Literal) -> Found:
    """What all that follows says of a query."""
    for literal, truth in ((query, Truth.TRUE), (query.opposite, Truth.FALSE)):
        if literal in known:
            return Found(truth, Evidence.DERIVATION, known[literal].depth)
    return Found(Truth.UNKNOWN, Evidence.NO_DERIVATION, max((step.depth for step in known.values()), default=0))


def by_formulas(
    problem: Problem, premises: Sequence[Formula], conclusion: Formula, *, budget: int = DEFAULT_BUDGET
) -> Problem:
    """The problem with what premises say of its question; the depth is found by leaving out premises in turn."""
    try:
        found = entails(premises, conclusion, budget=budget)
    except LogicError as error:
        return problem.refused(Reason.ARITY_CONFLICT, str(error))
    if found.inconsistent:
        return problem.refused(Reason.INCONSISTENT, "the premises have no model")
    match found.label:
        case Label.UNKNOWN:
            return problem.refused(Reason.UNDECIDED, f"not decided within rlimit {budget}")
        case Label.UNCERTAIN:
            return _answered(problem, Found(Truth.UNKNOWN, Evidence.MODELS, None))
    truth = Truth.TRUE if found.label is Label.TRUE else Truth.FALSE
    refuted = Not(conclusion) if truth is Truth.TRUE else conclusion
    depth = None if len(premises) > MAX_PREMISES else len(needed(premises, refuted, budget=budget))
    return _answered(problem, Found(truth, Evidence.PROOF, depth))


def needed(premises: Sequence[Formula], refuted: Formula, *, budget: int = DEFAULT_BUDGET) -> list[Formula]:
    """Premises that contradict a formula together and not without any one of them."""
    kept = list(dict.fromkeys(premises))
    for premise in tuple(kept):
        rest = [other for other in kept if other is not premise]
        if satisfiability(Question((*rest, refuted), (), budget)).answer is Answer.NO:
            kept = rest
    return kept


def by_constraints(problem: Problem) -> Problem:
    """The problem with what its constraints say of the options."""
    try:
        found, _ = execute_constraints(read_constraints(program(problem)))
    except ExecutionError as error:
        reason = Reason.INCONSISTENT if error.kind is Failure.CONTRADICTORY else Reason.UNDECIDED
        return problem.refused(reason, str(error))
    if len(found) > 1:
        return problem.refused(Reason.SEVERAL_OPTIONS, f"options {', '.join(found)} follow")
    if found != [problem.answer]:
        follows = f"option {found[0]} follows" if found else "no option follows"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"{follows}; the label is {problem.answer}")
    return replace(problem, evidence=Evidence.SOLUTIONS, depth=_fewest_statements(problem))


def _fewest_statements(problem: Problem) -> int | None:
    """The least number of statements that the answer follows from; none of conditions that are not on an order."""
    lines = [statement.line for statement in problem.statements if statement.line is not None]
    things = things_of(lines)
    conditions = [line for line in lines if not line.startswith(ALL_DIFFERENT)]
    answer = problem.by_letter[problem.answer].line
    if answer is None or not 0 < len(things) <= MAX_THINGS or len(conditions) > MAX_CONDITIONS:
        return None
    known = arrangements(len(things))
    try:
        sets = [known.meeting(line, things) for line in conditions]
        return fewest(sets, known.meeting(answer, things), known.all)
    except ValueError:
        return None  # conditions of another kind: nothing is wrong with them


def _answered(problem: Problem, found: Found) -> Problem:
    try:
        letters = by_truth(problem.lettered)
    except OptionsError as error:
        return problem.refused(Reason.UNREAD, str(error))
    if letters.get(found.truth) != problem.answer:
        label = f"the label is {problem.answer}) {problem.answer_text}"
        return problem.refused(Reason.LABEL_NOT_DERIVED, f"the question is {found.truth.value}; {label}")
    return replace(problem, evidence=found.evidence, depth=found.depth)
