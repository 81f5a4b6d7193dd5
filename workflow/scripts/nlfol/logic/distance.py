"""Typed distance: the fewest edits between a gold formula and a formula equivalent to an answer, with their kinds.

Edits are the mistakes of ``EditKind``. They are made to both formulas, to the gold one as mistakes and to the answer as
their repair, and compared by their truth in some hundred structures: what differs there is not equivalent. What agrees
counts if it is proven equivalent, so agreement by luck does not. A part that an answer adds is dropped from it, so
additions need no guess.

No way leads through a formula that is true, or false, in all of these structures: from such a one everything is near.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial, reduce
from itertools import combinations, islice

from nlfol.logic import restricted
from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, SMALL_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.diagnosis import Diagnosis, Fault, changes
from nlfol.logic.equivalence import Contingency, contingency, equivalence

MAX_NODES = 150_000
"""Subformulas, of all edited formulas together, up to which a search goes on."""

MAX_COMPARED = 300
"""Ways that agree in all structures, of which a proof is tried; most that are equivalent come first."""

MAX_SOLVED = 10
"""Comparisons that no finite structure settles, which may cost a tenth of a second each."""

_MOST_LITERALS = 24  # from the left, between which a negation is moved
_MOST_CANDIDATES = 10_000  # ways with a number of edits that are put in order
_SAY_NOTHING = (0, FIRST_FAMILY.full)


class EditKind(StrEnum):
    """Kind of a mistake; those of fair sets' dimensions have the same names."""

    QUANTIFIER = "quantifier"
    DETERMINER = "determiner"
    CONVERSE = "converse"
    CONNECTIVE = "connective"
    NEGATION = "negation"
    MOVED_NEGATION = "moved_negation"
    ARGUMENTS = "arguments"
    SCOPE = "scope"
    """Another order or reach of quantifiers, or other brackets."""
    DROPPED = "dropped"
    """An operand or a condition left out."""
    ADDED = "added"
    """An operand or a condition too many."""
    PREDICATES = "predicates"
    NAMES = "names"


_KINDS = {
    Fault.QUANTIFIER: EditKind.QUANTIFIER,
    Fault.IMPLICATION_UNDER_EXISTS: EditKind.CONNECTIVE,
    Fault.CONJUNCTION_UNDER_FORALL: EditKind.CONNECTIVE,
    Fault.CONNECTIVE: EditKind.CONNECTIVE,
    Fault.DIRECTION: EditKind.CONVERSE,
    Fault.NEGATION: EditKind.NEGATION,
    Fault.NEGATION_SCOPE: EditKind.MOVED_NEGATION,
    Fault.ARGUMENT_ORDER: EditKind.ARGUMENTS,
    Fault.QUANTIFIER_ORDER: EditKind.SCOPE,
    Fault.QUANTIFIER_SCOPE: EditKind.SCOPE,
    Fault.SUPERFLUOUS: EditKind.ADDED,
    Fault.PREDICATE: EditKind.PREDICATES,
    Fault.TERM: EditKind.NAMES,
    Fault.MISSING: EditKind.DROPPED,
}
_FAULTS = (
    {EditKind.DETERMINER: Fault.DETERMINER}
    | {kind: fault for fault, kind in _KINDS.items()}
    | {EditKind.CONNECTIVE: Fault.CONNECTIVE}
)
_ORDER = list(EditKind)


class Reason(StrEnum):
    """Why there is no distance."""

    FURTHER = "further"
    BUDGET = "budget"
    """The search ended before its end."""
    TRIVIAL = "trivial"
    """The answer is a tautology or a contradiction, and the gold formula is not."""
    INVALID = "invalid"
    """The answer is open, or a symbol has two arities."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A mistake: the formula before it, nearer to the gold one, and after it; ``path`` is where they differ."""

    kind: EditKind
    path: fol.Path
    before: fol.Formula
    after: fol.Formula

    @property
    def fault(self) -> Fault:
        """Return the fault that a repair of this mistake shows."""
        return _FAULTS[self.kind]

    @property
    def size(self) -> int:
        """Return the atoms that are added or dropped; 1 of other kinds."""
        part = self._part
        return 1 if part is None else sum(isinstance(node, fol.Atomic) for _, node in fol.subformulas(part))

    @property
    def _part(self) -> fol.Formula | None:
        if self.kind not in (EditKind.ADDED, EditKind.DROPPED):
            return None
        whole, left = (self.before, self.after) if self.kind is EditKind.DROPPED else (self.after, self.before)
        node, kept = at(whole, self.path), at(left, self.path)
        return next((part for part in fol.children(node) if part is not kept), None)

    def __str__(self) -> str:
        """Return the kind and what is changed, such as ``quantifier (∀ to ∃)``."""
        if (part := self._part) is not None:
            return f"{self.kind} ({part})"
        before, after = _first_difference(at(self.before, self.path), at(self.after, self.path))
        match self.kind, before, after:
            case EditKind.PREDICATES, fol.Atom(one, _), fol.Atom(other, _):
                detail = f"{one} to {other}"
            case EditKind.NAMES, _, _:
                pairs = zip(fol.terms(before), fol.terms(after), strict=False)
                detail = next((f"{one} to {other}" for one, other in pairs if one is not other), "")
            case EditKind.QUANTIFIER | EditKind.CONNECTIVE, _, _ if not isinstance(before, fol.Atom):
                detail = f"{before.sign} to {after.sign}"
            case _:
                detail = ""
        return f"{self.kind} ({detail})" if detail else str(self.kind)


@dataclass(frozen=True, slots=True)
class Distance:
    """The edits between a gold formula and an answer, from the gold one on; none and a reason where none are known.

    ``is_least`` is false if an attempt at fewer edits was given up.
    """

    path: tuple[Edit, ...] = ()
    reason: Reason | None = None
    is_least: bool = True
    atoms: int = 1

    @property
    def edits(self) -> int | None:
        """Return the number of edits, None where none is known."""
        return None if self.reason else len(self.path)

    @property
    def name(self) -> str:
        """Return ``off_by_one``, ``off_by_two`` and so on, or the reason that there is no distance."""
        return self.reason or ("right", "off_by_one", "off_by_two", "off_by_three")[len(self.path)]

    def __str__(self) -> str:
        """Return the name and the edits, such as ``off by one: quantifier (∀ to ∃)``."""
        return ": ".join([self.name.replace("_", " "), *(["; ".join(map(str, self.path))] if self.path else [])])

    @property
    def credit(self) -> float:
        """Return a reward in [0, 1]: 1 for an equivalent answer, 1/2 for one slip, 1/4 for two.

        A part of n atoms that is added or dropped counts n times here. There is none for as many slips as the gold
        formula has atoms, nor where no distance is known.
        """
        size = sum(edit.size for edit in self.path)
        return 0.0 if self.reason or (size and size >= self.atoms) else 0.5**size


def distance(gold: fol.Formula, answer: fol.Formula, *, within: int = 2, max_nodes: int = MAX_NODES) -> Distance:
    """Return the typed distance of an answer from a gold formula, both closed, if it is within 0 to 3 edits.

    ``max_nodes`` bounds the subformulas of edited formulas that are looked at, and ``MAX_COMPARED`` the proofs tried;
    ``MAX_SOLVED`` of these may need Z3, each with a tenth of the budget of ``equivalence``. All are counts, so equal
    formulas give equal results on any machine.
    """
    search = Search(gold, answer, max_nodes)
    return next(search.ways(within), None) or Distance(reason=search.reason)


def from_diagnosis(translation: fol.Formula, diagnosis: Diagnosis) -> Edit:
    """Return the mistake that a diagnosis repairs."""
    return Edit(_kind(diagnosis, translation), diagnosis.path, diagnosis.formula, translation)


class Search:
    """A search for the ways between two formulas; ``reason`` is why it found none."""

    def __init__(self, gold: fol.Formula, answer: fol.Formula, max_nodes: int = MAX_NODES) -> None:
        self.gold, self.answer = gold, answer
        self.reason = Reason.FURTHER
        self._nodes, self._compared, self._solved = max_nodes, MAX_COMPARED, MAX_SOLVED
        self._is_open = False

    def ways(self, within: int = 2) -> Iterator[Distance]:
        """Yield ways with the fewest edits, one of each kinds: small parts first, then in the order of ``EditKind``."""
        verdict = equivalence(self.gold, self.answer)
        if verdict.outcome is Outcome.EQUIVALENT:
            yield Distance()
            return
        if verdict.outcome is Outcome.INVALID:
            self.reason = Reason.INVALID
            return
        self._is_open = verdict.outcome is Outcome.UNKNOWN
        sizes = [formula.profile.occurrences * formula.profile.levels for formula in (self.gold, self.answer)]
        ends: tuple[int | None, int | None] = None, None
        if sum(sizes) <= self._nodes:
            ends = FIRST_FAMILY.truth(self.gold), FIRST_FAMILY.truth(self.answer)
        if None in ends:
            self.reason = Reason.BUDGET
            return
        if (trivial := self._triviality(*ends)) is not None:
            self.reason = trivial
            return
        atoms = sum(isinstance(node, fol.Atomic) for _, node in fol.subformulas(self.gold))
        for candidates in self._levels(within):
            is_least, known = not self._is_open, set()
            for path in sorted(islice(candidates, _MOST_CANDIDATES), key=_rank):
                kinds = tuple(edit.kind for edit in path)
                if kinds not in known and self._is_proven(path):
                    known.add(kinds)
                    yield Distance(path, None, is_least, atoms)
            if known:
                return
        if self._is_open:
            self.reason = Reason.BUDGET

    def _triviality(self, of_gold: int | None, of_answer: int | None) -> Reason | None:
        """Return a reason if the answer is, or may be, true or false everywhere, and the gold formula is not."""
        known = Contingency.CONTINGENT
        if of_answer in _SAY_NOTHING:
            known = contingency(self.answer, budget=SMALL_BUDGET)
        is_meant = of_gold in _SAY_NOTHING and contingency(self.gold, budget=SMALL_BUDGET) is not Contingency.CONTINGENT
        if known is Contingency.CONTINGENT or is_meant:
            return None
        return Reason.BUDGET if known is Contingency.UNKNOWN else Reason.TRIVIAL

    def _levels(self, within: int) -> Iterator[Iterator[tuple[Edit, ...]]]:
        """Yield, for one edit, two and three, the candidates whose ends agree in all structures."""
        truth = FIRST_FAMILY.truth
        ends = truth(self.gold), truth(self.answer)
        if within < 1:
            return
        made = self._edited(self.gold, self.answer)
        undone = self._edited(self.answer, self.gold, repairs=True)
        yield ((edit,) for of, end in ((made, ends[1]), (undone, ends[0])) for bits, edit in of if bits == end)
        if within < 2:
            return
        by_truth: dict[int, list[Edit]] = {}
        for bits, edit in undone:
            if bits not in _SAY_NOTHING:
                by_truth.setdefault(bits, []).append(edit)
        yield self._two(made, undone, by_truth, ends)
        if within > 2:
            yield self._three(made, by_truth)

    def _two(
        self,
        made: list[tuple[int, Edit]],
        undone: list[tuple[int, Edit]],
        by_truth: dict[int, list[Edit]],
        ends: tuple[int | None, int | None],
    ) -> Iterator[tuple[Edit, ...]]:
        yield from ((edit, last) for bits, edit in made for last in by_truth.get(bits, ()))
        # Two parts dropped, or two added, meet on one side.
        for bits, edit in made:
            if edit.kind is EditKind.DROPPED and bits not in _SAY_NOTHING:
                further = self._edited(edit.after, self.answer, shorter=True)
                yield from ((edit, last) for bits, last in further if bits == ends[1])
        for bits, edit in undone:
            if edit.kind is EditKind.ADDED and bits not in _SAY_NOTHING:
                further = self._edited(edit.before, self.gold, repairs=True, shorter=True)
                yield from ((first, edit) for bits, first in further if bits == ends[0])

    def _three(self, made: list[tuple[int, Edit]], by_truth: dict[int, list[Edit]]) -> Iterator[tuple[Edit, ...]]:
        for bits, edit in made:
            if bits not in _SAY_NOTHING:
                further = self._edited(edit.after, self.answer)
                yield from ((edit, second, last) for both, second in further for last in by_truth.get(both, ()))

    def _edited(
        self, formula: fol.Formula, lender: fol.Formula, *, repairs: bool = False, shorter: bool = False
    ) -> list[tuple[int, Edit]]:
        """Return the closed results of an edit, once for each kind, with their truth, as far as the budget goes."""
        results: dict[tuple[EditKind, fol.Formula], tuple[int, Edit]] = {}
        for kind, path, changed in _shorter(formula) if shorter else _edits(formula, lender):
            if changed is formula or changed.profile.free or (kind, changed) in results:
                continue
            self._nodes -= changed.profile.occurrences
            if self._nodes < 0:
                self._is_open = True
                break
            mistake = EditKind.DROPPED if kind is EditKind.ADDED and not repairs else kind
            if (bits := FIRST_FAMILY.truth(changed)) is None:
                self._is_open = True
                continue
            ends = (changed, formula) if repairs else (formula, changed)
            results[kind, changed] = bits, Edit(mistake, path, *ends)
        return list(results.values())

    def _is_proven(self, path: tuple[Edit, ...]) -> bool:
        """Return whether the formulas between two edits of a way, or at its ends, are equivalent."""
        formulas = [self.gold, *(side for edit in path for side in (edit.before, edit.after)), self.answer]
        for one, other in zip(formulas[::2], formulas[1::2], strict=True):
            if one is other:
                continue
            self._compared -= 1
            if self._solved == 0 or self._compared < 0:
                self._is_open = True
                return False
            verdict = equivalence(one, other, budget=SMALL_BUDGET)
            self._solved -= verdict.means in ("z3", "budget")
            if verdict.outcome is not Outcome.EQUIVALENT:
                self._is_open |= verdict.outcome is Outcome.UNKNOWN
                return False
        return True


def _rank(path: tuple[Edit, ...]) -> tuple[int, list[int]]:
    return sum(edit.size for edit in path), [_ORDER.index(edit.kind) for edit in path]


def at(formula: fol.Formula, path: fol.Path) -> fol.Formula:
    """Return the subformula at a path."""
    return reduce(lambda node, index: fol.children(node)[index], path, formula)


_Edited = Iterator[tuple[EditKind, fol.Path, fol.Formula]]


def _shorter(formula: fol.Formula) -> _Edited:
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.Binary):
            yield from ((EditKind.ADDED, path, fol.replace(formula, path, part)) for part in fol.children(node))


def _edits(formula: fol.Formula, lender: fol.Formula) -> _Edited:
    """Yield what one edit makes of a formula, with symbols of its own and of a lender; a part left out is ``ADDED``."""
    for change in changes(lender, formula):
        yield _kind(change, formula), change.path, change.formula
    literals: list[tuple[fol.Path, fol.Formula]] = []
    for path, node in fol.subformulas(formula):
        if restricted.is_restricted(node):
            yield EditKind.DETERMINER, path, fol.replace(formula, path, restricted.other_determiner(node))
        if restricted.inner(node) is not None:
            yield EditKind.SCOPE, path, fol.replace(formula, path, restricted.turned(node))
        if isinstance(node, fol.Atomic):
            above = path[:-1]
            is_negated = bool(path) and isinstance(parent := at(formula, above), fol.Not)
            literals.append((above, parent) if is_negated else (path, node))
    for (path, one), (other_path, other) in combinations(literals[:_MOST_LITERALS], 2):
        if isinstance(one, fol.Not) is not isinstance(other, fol.Not):
            moved = fol.replace(fol.replace(formula, path, _other_sign(one)), other_path, _other_sign(other))
            yield EditKind.MOVED_NEGATION, (), moved
    yield from _exchanged(formula, lender)


def _kind(change: Diagnosis, formula: fol.Formula) -> EditKind:
    if change.fault is Fault.CONNECTIVE:
        parts = fol.children(at(formula, change.path))
        if any(
            one is not other for one, other in zip(parts, fol.children(at(change.formula, change.path)), strict=True)
        ):
            return EditKind.SCOPE  # other brackets
    return _KINDS[change.fault]


def _other_sign(literal: fol.Formula) -> fol.Formula:
    return literal.operand if isinstance(literal, fol.Not) else fol.Not(literal)


def _exchanged(formula: fol.Formula, lender: fol.Formula) -> _Edited:
    """Yield the formula with two predicates or names exchanged throughout, of which the lender may have one."""
    for kind, of in ((EditKind.PREDICATES, "predicate"), (EditKind.NAMES, "constant")):
        own = formula.profile.named(of)
        lent = [symbol for symbol in lender.profile.named(of) if symbol not in own]
        for one, other in (*combinations(own, 2), *((one, other) for one in own for other in lent)):
            if one[1] == other[1]:
                names = {one[0]: other[0], other[0]: one[0]}
                step = partial(_with_other_names, names=names, kind=kind)
                yield kind, (), fol.fold(formula, step)


def _with_other_names(
    node: fol.Formula, parts: tuple[fol.Formula, ...], *, names: dict[str, str], kind: EditKind
) -> fol.Formula:
    def leaf(term: fol.Variable | fol.Constant) -> fol.Term:
        return fol.Constant(names.get(term.name, term.name)) if isinstance(term, fol.Constant) else term

    match node:
        case fol.Atom(predicate, arguments) if kind is EditKind.PREDICATES:
            return fol.Atom(names.get(predicate, predicate), arguments)
        case fol.Atom(predicate, arguments):
            return fol.Atom(predicate, tuple(fol.map_term(argument, leaf) for argument in arguments))
        case fol.Equality(left, right) if kind is EditKind.NAMES:
            return fol.Equality(fol.map_term(left, leaf), fol.map_term(right, leaf))
        case _:
            return fol.with_children(node, parts)


def _first_difference(one: fol.Formula, other: fol.Formula) -> tuple[fol.Formula, fol.Formula]:
    """Return the leftmost, innermost parts in which two formulas of one shape differ."""
    while type(one) is type(other):
        pairs = zip(fol.children(one), fol.children(other), strict=True)
        pair = next(((a, b) for a, b in pairs if a is not b), None)
        if pair is None:
            break
        one, other = pair
    return one, other
