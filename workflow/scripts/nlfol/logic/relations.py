"""Relations of two formulas, the smallest structure that tells them apart, and entailment."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nlfol.logic.boards import OnBoards, is_blocks_world, on_boards
from nlfol.logic.decision import grounding
from nlfol.logic.decision.finite_models import CompleteFamily, interpretations
from nlfol.logic.decision.satisfiability import Finding, Question, satisfiability
from nlfol.logic.decision.solver import DEFAULT_BUDGET, Answer
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import signature
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula


class RelationKind(StrEnum):
    """Relation of a second formula to a first."""

    EQUIVALENT = "equivalent"
    STRONGER = "stronger"
    WEAKER = "weaker"
    CONTRADICTORY = "contradictory"
    INDEPENDENT = "independent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Relation:
    """Relation of a candidate to a gold formula.

    A ``stronger`` candidate entails the gold and not the other way round; a ``contradictory`` one is never true with
    it. An unsatisfiable candidate is stronger than all others.
    """

    kind: RelationKind
    forward: Finding  # whether the gold is somewhere true where the candidate is false: no proves that it entails it
    backward: Finding  # whether the candidate is somewhere true where the gold is false
    together: Finding | None = None  # whether both are somewhere true; not asked where one entails the other


class Label(StrEnum):
    """Answer of premises to a conclusion."""

    TRUE = "true"
    FALSE = "false"
    UNCERTAIN = "uncertain"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Entailment:
    """Answer of premises to a conclusion, with the evidence; of inconsistent premises it is ``true``."""

    label: Label
    inconsistent: bool | None  # whether the premises have no model; None where that is open
    affirmed: Finding  # whether the premises can be true with the conclusion
    denied: Finding  # whether the premises can be true without it


def relation(first: Formula, second: Formula, *, budget: int = DEFAULT_BUDGET) -> Relation:
    """Return how a candidate, the second, stands to a gold formula, the first.

    Raises ``FormulaError`` if one is open, ``SignatureError`` if a symbol has two arities.
    """
    _check(first, second)
    forward = satisfiability(Question((first,), (second,), budget))
    backward = satisfiability(Question((second,), (first,), budget))
    match forward.answer, backward.answer:
        case Answer.NO, Answer.NO:
            return Relation(RelationKind.EQUIVALENT, forward, backward)
        case Answer.YES, Answer.NO:
            return Relation(RelationKind.STRONGER, forward, backward)
        case Answer.NO, Answer.YES:
            return Relation(RelationKind.WEAKER, forward, backward)
        case Answer.YES, Answer.YES:
            together = satisfiability(Question((first, second), (), budget))
            kinds = {Answer.YES: RelationKind.INDEPENDENT, Answer.NO: RelationKind.CONTRADICTORY}
            return Relation(kinds.get(together.answer, RelationKind.UNKNOWN), forward, backward, together)
        case _:
            return Relation(RelationKind.UNKNOWN, forward, backward)


def entails(
    premises: Sequence[Formula],
    conclusion: Formula,
    *,
    budget: int = DEFAULT_BUDGET,
    with_evidence: bool = True,
) -> Entailment:
    """Return whether premises entail a conclusion, its negation, or neither.

    A conclusion that they contradict is false only if they are proven to have a model: otherwise it may be true, too.
    Models are written out and confirmed only with evidence; the label is the same.
    Raises ``FormulaError`` if one is open, ``SignatureError`` if a symbol has two arities.
    """
    _check(*premises, conclusion)
    known = tuple(dict.fromkeys(premises))
    affirmed = satisfiability(Question((*known, conclusion), (), budget, with_evidence))
    denied = satisfiability(Question(known, (conclusion,), budget, with_evidence))
    answers = affirmed.answer, denied.answer
    consistent = Answer.YES if Answer.YES in answers else Answer.UNKNOWN
    if answers == (Answer.NO, Answer.NO):
        consistent = Answer.NO
    elif Answer.NO in answers and consistent is Answer.UNKNOWN:
        consistent = satisfiability(Question(known, (), budget)).answer
    match consistent, *answers:
        case (Answer.NO, _, _) | (_, _, Answer.NO):
            label = Label.TRUE
        case Answer.YES, Answer.NO, _:
            label = Label.FALSE
        case _, Answer.YES, Answer.YES:
            label = Label.UNCERTAIN
        case _:
            label = Label.UNKNOWN
    inconsistent = None if consistent is Answer.UNKNOWN else consistent is Answer.NO
    return Entailment(label, inconsistent, affirmed, denied)


def _check(*formulas: Formula) -> None:
    for formula in formulas:
        free = sorted(formula.profile.free)
        if free:
            raise FormulaError(f"an open formula has no truth of its own: {', '.join(free)} free")
    signature(*formulas)


def tell_apart(
    first: Formula, second: Formula, *, boards: OnBoards | None = None, budget: int = DEFAULT_BUDGET
) -> Structure | None:
    """Return a structure in which exactly one of two closed formulas is true: a board of blocks, or the smallest.

    ``boards`` is the comparison on boards, if it is made; else formulas that speak of blocks alone are compared here.
    """
    if boards is None and is_blocks_world(signature(first, second)):
        boards = on_boards(first, second)
    model = None if boards is None else boards.counter_model
    return model or smallest_counter_model(first, second, budget=budget)


MAX_SIZE = 8  # elements of the largest universe that is searched
MAX_GROUND_ATOMS = 12  # ground atoms up to which all structures of a size are listed; Z3 searches above
MAX_CONSTANTS = 6  # constants up to which they are listed: the ways to place more in a universe are millions


def smallest_counter_model(first: Formula, second: Formula, *, budget: int = DEFAULT_BUDGET) -> Structure | None:
    """Return a structure in which exactly one of two closed formulas is true, the same on every machine.

    It is of the smallest universe there is one in, up to ``MAX_SIZE``, and there with the fewest true ground atoms.
    Where there are too many structures to list, the budget is Z3's ``rlimit`` for each step of the search; where it
    runs out, a larger structure may be found. Raises ``SignatureError`` if a symbol has two arities.
    """
    symbols = signature(first, second)
    for size in range(1, MAX_SIZE + 1):
        entries = sum(size**arity for arity in symbols.predicates.values())
        listable = entries <= MAX_GROUND_ATOMS and len(symbols.constants) <= MAX_CONSTANTS
        if listable and not symbols.functions:
            model = _listed(first, second, size)
        else:
            model = _searched(first, second, size, budget)
        if model is not None:
            if holds(first, model) == holds(second, model):
                raise AssertionError(f"no difference between {first} and {second} in {model.describe()}")
            return model
    return None


def _listed(first: Formula, second: Formula, size: int) -> Structure | None:
    symbols = signature(first, second)
    best: tuple[int, int, Structure] | None = None
    for number, constants in enumerate(interpretations(sorted(symbols.constants), size)):
        family = CompleteFamily(size, constants, symbols.predicates)
        a, b = family.truth(first), family.truth(second)
        if a is None or b is None:
            return None
        different = a ^ b
        indices = (index for index in range(family.width) if different >> index & 1)
        # The index of a structure in a complete family is its list of true atoms, as bits.
        index = min(indices, key=lambda index: (index.bit_count(), index), default=None)
        if index is not None and (best is None or index.bit_count() < best[0]):
            best = index.bit_count(), number, family.structure(index, symbols)
    return None if best is None else best[2]


def _searched(first: Formula, second: Formula, size: int, budget: int) -> Structure | None:
    models = []
    for question in (Question((first,), (second,), budget), Question((second,), (first,), budget)):
        if question.form is not None and not question.is_too_deep:
            *_, model = (None, *grounding.models(*question.form, question.symbols, size, budget))
            if question.confirms(model) and model is not None:
                models.append(model)
    return min(models, key=lambda model: sum(map(len, model.predicates.values())), default=None)
