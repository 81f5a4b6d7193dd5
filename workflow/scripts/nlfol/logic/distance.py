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
from itertools import islice

from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, SMALL_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import Contingency, contingency, equivalence
from nlfol.logic.mistakes import Edit, Edited, EditKind, edits_of, exchanged, shorter

MAX_NODES = 150_000
"""Subformulas, of all edited formulas together, up to which a search goes on."""

MAX_COMPARED = 300
"""Ways that agree in all structures, of which a proof is tried; most that are equivalent come first."""

MAX_SOLVED = 10
"""Comparisons that no finite structure settles, which may cost a tenth of a second each."""

_MOST_CANDIDATES = 10_000  # ways with a number of edits that are put in order
_SAY_NOTHING = (0, FIRST_FAMILY.full)
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

        A part of n atoms that is added or dropped counts n times here. There is no credit for as many slips as the gold
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
                further = self._edited(edit.after, self.answer, is_shorter=True)
                yield from ((edit, last) for bits, last in further if bits == ends[1])
        for bits, edit in undone:
            if edit.kind is EditKind.ADDED and bits not in _SAY_NOTHING:
                further = self._edited(edit.before, self.gold, repairs=True, is_shorter=True)
                yield from ((first, edit) for bits, first in further if bits == ends[0])

    def _three(self, made: list[tuple[int, Edit]], by_truth: dict[int, list[Edit]]) -> Iterator[tuple[Edit, ...]]:
        for bits, edit in made:
            if bits not in _SAY_NOTHING:
                further = self._edited(edit.after, self.answer)
                yield from ((edit, second, last) for both, second in further for last in by_truth.get(both, ()))

    def _edited(
        self, formula: fol.Formula, lender: fol.Formula, *, repairs: bool = False, is_shorter: bool = False
    ) -> list[tuple[int, Edit]]:
        """Return the closed results of an edit, once for each kind, with their truth, as far as the budget goes."""
        edits = shorter(formula) if is_shorter else edits_of(formula, lender)
        return self._truths(formula, edits, repairs=repairs)

    def _truths(self, formula: fol.Formula, edits: Edited, *, repairs: bool = False) -> list[tuple[int, Edit]]:
        results: dict[tuple[EditKind, fol.Formula], tuple[int, Edit]] = {}
        for kind, path, changed in edits:
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


class OneSlip(Search):
    """The single edits of one gold formula, listed once to compare many answers with it, as rewards do.

    It finds a part of what a search within one edit does, at a fraction of its cost: of symbols that the gold formula
    lacks it knows exchanges throughout alone.
    """

    MAX_PROVEN = 4
    """Edits that agree with an answer in all structures, of which a proof is tried."""

    def __init__(self, gold: fol.Formula, max_nodes: int = MAX_NODES // 10) -> None:
        super().__init__(gold, gold, max_nodes)
        self._most, self._bits = max_nodes, FIRST_FAMILY.truth(gold)
        self._atoms = sum(isinstance(node, fol.Atomic) for _, node in fol.subformulas(gold))
        self._made: dict[int, list[Edit]] = {}
        for bits, edit in self._edited(gold, gold):
            self._made.setdefault(bits, []).append(edit)

    def distance(self, answer: fol.Formula) -> Distance:
        """Return the distance of a closed answer that is not equivalent to the gold formula: one edit, or a reason."""
        self.answer, self._nodes, self._compared, self._solved = answer, self._most, self.MAX_PROVEN, 1
        size = answer.profile.occurrences * answer.profile.levels
        bits = FIRST_FAMILY.truth(answer) if size <= self._most else None
        if bits is None or self._bits is None:
            return Distance(reason=Reason.BUDGET)
        if (trivial := self._triviality(self._bits, bits)) is not None:
            return Distance(reason=trivial)
        found = list(self._made.get(bits, ()))
        if not answer.profile.symbols <= self.gold.profile.symbols:
            changed = self._truths(self.gold, exchanged(self.gold, answer))
            found += [edit for other, edit in changed if other == bits]
        shorter_ones = self._edited(answer, self.gold, repairs=True, is_shorter=True)
        found += [edit for other, edit in shorter_ones if other == self._bits]
        ways = sorted(((edit,) for edit in found), key=_rank)
        proven = next((way for way in ways if self._is_proven(way)), None)
        return Distance(reason=Reason.FURTHER) if proven is None else Distance(proven, atoms=self._atoms)


def _rank(path: tuple[Edit, ...]) -> tuple[int, list[int]]:
    return sum(edit.size for edit in path), [_ORDER.index(edit.kind) for edit in path]
