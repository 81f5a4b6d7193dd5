"""Checks of one candidate set: its members, read, and every violation that texts, roles, trees or verdicts show."""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations

from nlfol.logic.decision.verdicts import Outcome, Verdict
from nlfol.logic.errors import LogicError, SignatureError
from nlfol.logic.measuring import signature_of
from nlfol.logic.rewriting import is_negation_normal_form
from nlfol.logic.syntax import Equality, ForAll, Formula, Not, Variable
from nlfol.mappings import JsonDict
from nlfol.sets.distances import edit_distance

MAX_MEMBERS = 200
"""Members of the largest set: all their pairs are decided."""


class PublishedRole(StrEnum):
    """Roles of members, as in the published sets of the paper, and two of our own."""

    PHI = "phi"
    """The gold formula."""
    PERTURBATION = "perturbation"
    """One elementary edit of the gold formula's tree."""
    PERTURBATION_TWO_EDITS = "perturbation_two_edits"
    """Two elementary edits; not in the published sets."""
    CORNER = "corner"
    """A perturbation by other changes; not in the published sets."""
    REPHRASED = "rephrased"
    """Says what the member before it says; not in the published sets."""
    EQUIVALENT = "equivalent"
    NEGATION = "negation"
    NEGATION_NNF = "negation_nnf"
    NEGATION_EQUIVALENT = "negation_equivalent"
    """Stands in for the negation normal form where that is the negation itself; not in the published sets."""


_ALL = frozenset(PublishedRole)
_NEGATIONS = frozenset({PublishedRole.NEGATION, PublishedRole.NEGATION_NNF, PublishedRole.NEGATION_EQUIVALENT})
_DISTRACTORS = frozenset({PublishedRole.PERTURBATION, PublishedRole.PERTURBATION_TWO_EDITS, PublishedRole.CORNER})


class Check(StrEnum):
    """The checks; the value names the violation. ``docs/auditing.md`` describes each."""

    GOLD_MISSING_OR_DOUBLED = "gold_missing_or_doubled"
    MALFORMED = "malformed"
    OPEN = "open"
    TWO_ARITIES = "two_arities"
    GOLD_VALID = "gold_valid"
    GOLD_UNSATISFIABLE = "gold_unsatisfiable"
    NO_DISTRACTOR = "no_distractor"
    DISTRACTOR_EQUIVALENT_TO_GOLD = "distractor_equivalent_to_gold"
    DISTRACTOR_EQUIVALENT_TO_NEGATION = "distractor_equivalent_to_negation"
    DISTRACTOR_NEGATES_GOLD = "distractor_negates_gold"
    """A distractor equivalent to the negation, where the set holds no negation to be confused with it."""
    DISTRACTORS_EQUIVALENT = "distractors_equivalent"
    NOT_ONE_EDIT = "not_one_edit"
    NOT_TWO_EDITS = "not_two_edits"
    EQUIVALENT_NOT_EQUIVALENT = "equivalent_not_equivalent"
    EQUIVALENT_IDENTICAL = "equivalent_identical"
    REPHRASED_NOT_EQUIVALENT = "rephrased_not_equivalent"
    NEGATION_NOT_EQUIVALENT = "negation_not_equivalent"
    NEGATION_NNF_NOT_EQUIVALENT = "negation_nnf_not_equivalent"
    NEGATION_NNF_NOT_NORMAL = "negation_nnf_not_normal"
    NEGATION_NNF_IDENTICAL = "negation_nnf_identical"
    NEGATION_EQUIVALENT_NOT_EQUIVALENT = "negation_equivalent_not_equivalent"
    NEGATION_EQUIVALENT_IDENTICAL = "negation_equivalent_identical"
    DUPLICATE = "duplicate"
    RENDERING_IDENTICAL = "rendering_identical"
    RENDERING_MISSING = "rendering_missing"


REMARKS = frozenset({Check.DISTRACTOR_NEGATES_GOLD})
"""Checks that are counted but make no set faulty: an exact opposite is a distractor as right as any other."""

_EDITS = {
    PublishedRole.PERTURBATION: (Check.NOT_ONE_EDIT, 1),
    PublishedRole.PERTURBATION_TWO_EDITS: (Check.NOT_TWO_EDITS, 2),
}
_APART = (
    (PublishedRole.PHI, PublishedRole.EQUIVALENT, Check.EQUIVALENT_IDENTICAL),
    (PublishedRole.NEGATION, PublishedRole.NEGATION_NNF, Check.NEGATION_NNF_IDENTICAL),
    (PublishedRole.NEGATION, PublishedRole.NEGATION_EQUIVALENT, Check.NEGATION_EQUIVALENT_IDENTICAL),
)
"""Roles whose identity has a check of its own beside ``DUPLICATE``."""
_APART_ROLES = frozenset(frozenset(roles) for *roles, _ in _APART)


class ItemError(ValueError):
    """Values that make no item."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation of a check by some members, with a structure that shows it (``Structure.as_data``), or words."""

    check: Check
    members: tuple[int, ...]
    detail: str | JsonDict


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate set, with English or without; `ItemError` if lengths differ, or are above ``MAX_MEMBERS``."""

    id: str | int
    formulas: tuple[str, ...]
    roles: tuple[PublishedRole, ...]
    renderings: tuple[str | None, ...] | None = None

    def __post_init__(self) -> None:
        members = len(self.formulas)
        if len(self.roles) != members:
            raise ItemError(f"{members} formulas, but {len(self.roles)} roles")
        if self.renderings is not None and len(self.renderings) != members:
            raise ItemError(f"{members} formulas, but {len(self.renderings)} renderings")
        if members > MAX_MEMBERS:
            raise ItemError(f"{members} members; at most {MAX_MEMBERS} are audited")


class ReadItem:
    """An item with its formulas read, by index: None where one cannot be, with the message among ``problems``."""

    def __init__(self, item: Item, reader: Callable[[str], Formula]) -> None:
        self.item = item
        self.formulas: list[Formula | None] = []
        self.problems: dict[int, str] = {}
        for index, text in enumerate(item.formulas):
            try:
                self.formulas.append(reader(text))
            except LogicError as error:
                self.formulas.append(None)
                self.problems[index] = str(error)

    def having(self, roles: Container[PublishedRole]) -> list[int]:
        """Return the members of some roles."""
        return [index for index, role in enumerate(self.item.roles) if role in roles]

    def read(self, roles: Container[PublishedRole]) -> list[tuple[int, Formula]]:
        """Return the members of some roles that can be read, with their formulas."""
        members = ((index, self.formulas[index]) for index in self.having(roles))
        return [(index, formula) for index, formula in members if formula is not None]

    def comparable(self, roles: Container[PublishedRole]) -> list[tuple[int, Formula]]:
        """Return the members of some roles that can be compared: read, closed, and of one signature with the gold."""
        return [(index, formula) for index, formula in self.read(roles) if index not in self._incomparable]

    @cached_property
    def gold(self) -> tuple[int, Formula] | None:
        """Return the gold formula, where there is exactly one and it can be read."""
        members = self.having({PublishedRole.PHI})
        formula = self.formulas[members[0]] if len(members) == 1 else None
        return None if formula is None else (members[0], formula)

    @cached_property
    def free(self) -> dict[int, list[str]]:
        """Return the free variables of each open member."""
        names = {index: sorted(formula.profile.free) for index, formula in self.read(_ALL)}
        return {index: free for index, free in names.items() if free}

    @cached_property
    def arity_conflicts(self) -> dict[tuple[int, ...], str]:
        """Return members that use a symbol with two arities: one by itself, or the gold formula and another."""
        conflicts: dict[tuple[int, ...], str] = {}
        for index, formula in self.read(_ALL):
            symbols = formula.profile.symbols
            try:
                signature_of(symbols)
            except SignatureError as error:
                conflicts[(index,)] = str(error)
                continue
            if self.gold is None or (self.gold[0],) in conflicts:
                continue
            try:
                signature_of(symbols | self.gold[1].profile.symbols)
            except SignatureError as error:
                conflicts[(self.gold[0], index)] = str(error)
        return conflicts

    @cached_property
    def _incomparable(self) -> frozenset[int]:
        # Of a conflict with the gold formula, the other member is at fault.
        return frozenset({*self.free, *(members[-1] for members in self.arity_conflicts)})


def structure_violations(read: ReadItem) -> Iterator[Violation]:
    """Yield what is missing, doubled, unreadable, open, or of two arities."""
    golds = read.having({PublishedRole.PHI})
    if len(golds) != 1:
        number = f"{len(golds)} members have" if golds else "no member has"
        detail = f"{number} the role 'phi', and exactly one must: nothing was compared with a gold formula"
        yield Violation(Check.GOLD_MISSING_OR_DOUBLED, tuple(golds), detail)
    if not read.having(_DISTRACTORS):
        yield Violation(Check.NO_DISTRACTOR, tuple(golds), "no member has the role of a perturbation")
    for index, problem in read.problems.items():
        yield Violation(Check.MALFORMED, (index,), problem)
    for index, names in read.free.items():
        yield Violation(Check.OPEN, (index,), f"free: {', '.join(names)}")
    for members, problem in read.arity_conflicts.items():
        yield Violation(Check.TWO_ARITIES, members, problem)
    texts, roles, formulas = read.item.formulas, read.item.roles, read.formulas
    for first, second in combinations(range(len(texts)), 2):
        if {roles[first], roles[second]} in _APART_ROLES:
            continue
        if texts[first] == texts[second]:
            yield Violation(Check.DUPLICATE, (first, second), "the same text")
        elif formulas[first] is not None and formulas[first] is formulas[second]:
            yield Violation(Check.DUPLICATE, (first, second), "the same syntax tree")


def rendering_violations(read: ReadItem, *, others_rendered: bool) -> Iterator[Violation]:
    """Yield renderings missing where the item or others have some, and pairs of members with the same rendering."""
    renderings = [(text or "").strip() for text in read.item.renderings or [""] * len(read.item.formulas)]
    if not any(renderings):
        if renderings and others_rendered:
            members = tuple(range(len(renderings)))
            yield Violation(Check.RENDERING_MISSING, members, "no member has a rendering, while other items have some")
        return
    for index, text in enumerate(renderings):
        if not text:
            yield Violation(Check.RENDERING_MISSING, (index,), "no rendering, while other members have one")
    for first, second in combinations(range(len(renderings)), 2):
        if renderings[first] and renderings[first] == renderings[second]:
            same = read.formulas[first] is not None and read.formulas[first] is read.formulas[second]
            detail = f"{'the same formula' if same else 'two formulas'} rendered as: {renderings[first]}"
            yield Violation(Check.RENDERING_IDENTICAL, (first, second), detail)


def tree_violations(read: ReadItem) -> Iterator[Violation]:
    """Yield members at another distance of edits than their role's, not in normal form, or not apart from another."""
    if read.gold is not None:
        index, gold = read.gold
        for role, (check, wanted) in _EDITS.items():
            for member, formula in read.read({role}):
                distance = edit_distance(gold, formula)
                if distance != wanted:
                    away = f"{distance} elementary edit{'' if distance == 1 else 's'} away"
                    if distance is None:
                        away = "out of reach of elementary edits"
                    yield Violation(check, (index, member), f"{away}; {wanted} wanted")
    for member, formula in read.read({PublishedRole.NEGATION_NNF}):
        if not is_negation_normal_form(formula):
            yield Violation(Check.NEGATION_NNF_NOT_NORMAL, (member,), "→, ↔, ⊕ or ¬ before what is no atom")
    for role, other, check in _APART:
        for first, formula in read.read({role}):
            for second, same in read.read({other}):
                if formula is same:
                    yield Violation(check, (first, second), "the same syntax tree")


_X = Variable("x")
_VALID = ForAll(_X, Equality(_X, _X))
"""Valid formulas are equivalent to this one, so that validity is decided by the same means as equivalence."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two formulas to compare, and the outcome that violates the check."""

    check: Check
    members: tuple[int, ...]
    pair: tuple[Formula, Formula]
    violating: Outcome


def comparisons(read: ReadItem) -> Iterator[Comparison]:
    """Yield every comparison that a set needs, of comparable members."""
    distractors = read.comparable(_DISTRACTORS)
    if read.gold is not None and read.gold in read.comparable({PublishedRole.PHI}):
        index, gold = read.gold
        negation = Not(gold)
        yield Comparison(Check.GOLD_VALID, (index,), (gold, _VALID), Outcome.EQUIVALENT)
        yield Comparison(Check.GOLD_UNSATISFIABLE, (index,), (gold, Not(_VALID)), Outcome.EQUIVALENT)
        holds_negation = bool(read.having(_NEGATIONS))
        opposite = Check.DISTRACTOR_EQUIVALENT_TO_NEGATION if holds_negation else Check.DISTRACTOR_NEGATES_GOLD
        for check, other in ((Check.DISTRACTOR_EQUIVALENT_TO_GOLD, gold), (opposite, negation)):
            for member, formula in distractors:
                yield Comparison(check, (index, member), (other, formula), Outcome.EQUIVALENT)
        for role, check, other in (
            (PublishedRole.EQUIVALENT, Check.EQUIVALENT_NOT_EQUIVALENT, gold),
            (PublishedRole.NEGATION, Check.NEGATION_NOT_EQUIVALENT, negation),
            (PublishedRole.NEGATION_NNF, Check.NEGATION_NNF_NOT_EQUIVALENT, negation),
            (PublishedRole.NEGATION_EQUIVALENT, Check.NEGATION_EQUIVALENT_NOT_EQUIVALENT, negation),
        ):
            for member, formula in read.comparable({role}):
                yield Comparison(check, (index, member), (other, formula), Outcome.NOT_EQUIVALENT)
    for member, formula in read.comparable({PublishedRole.REPHRASED}):
        for before, other in read.comparable(_ALL):
            if before == member - 1:
                pair = (other, formula)
                yield Comparison(Check.REPHRASED_NOT_EQUIVALENT, (before, member), pair, Outcome.NOT_EQUIVALENT)
    for (first, a), (second, b) in combinations(distractors, 2):
        yield Comparison(Check.DISTRACTORS_EQUIVALENT, (first, second), (a, b), Outcome.EQUIVALENT)


def violation_of(comparison: Comparison, verdict: Verdict) -> Violation | None:
    """Return the violation that a decided verdict shows, if any."""
    if verdict.outcome is Outcome.INVALID:
        return Violation(Check.TWO_ARITIES, comparison.members, verdict.reason or verdict.means)
    if verdict.outcome is not comparison.violating:
        return None
    if verdict.outcome is Outcome.EQUIVALENT:
        return Violation(comparison.check, comparison.members, f"equivalent by {verdict.means}")
    if verdict.counter_model is not None:
        return Violation(comparison.check, comparison.members, verdict.counter_model.as_data())
    return Violation(comparison.check, comparison.members, verdict.reason or f"not equivalent by {verdict.means}")
