"""Conclusions that notice every mutant: a greedy cover, with each claim confirmed by a structure or by proof.

What is true in a story, or false, is so no more in a mutant that has a model where it is not: one among the structures
near the story will do. What is unknown is decided by a mutant only if that is proven. So a mutant is noticed or proven
to be the same story, or listed as neither.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, product
from random import Random
from typing import NamedTuple

from nlfol.logic import syntax as fol
from nlfol.logic.decision.normal_form import Numbering
from nlfol.logic.decision.satisfiability import SMALL_BUDGET
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import signature
from nlfol.logic.syntax import Formula
from nlfol.problems.adequacy.candidates import candidates
from nlfol.problems.adequacy.mutants import Fate, Mutant, mutants
from nlfol.problems.adequacy.pieces import Clause, atoms, clauses, instances, joined, said
from nlfol.problems.adequacy.story import MAX_PROOFS, Story, StoryError, opposite
from nlfol.problems.programs.outcome import Truth

MOST_CONCLUSIONS, MAX_ATOMS = 60, 8
"""Conclusions of a story, and atoms of one that repeats a premise or a mutant."""

MAX_JOINED, MAX_RIVALS = 5, 16
"""Atoms of several unknown conclusions in one, and of these those that are tried."""

CHANCE = 0.02
"""Chance that all structures of a mutant have what it does not entail, above which that does not count."""

MAX_FORMS = 200_000
"""Forms of all mutants of a story that are numbered."""

MAX_FAILURES = 3
"""Kinds of mutants that a conclusion is not proven to notice, after which it is given up."""


_OPPOSED: dict[type[Formula], tuple[type[Formula], ...]] = defaultdict(tuple) | {
    fol.ForAll: (fol.Exists,),
    fol.Exists: (fol.ForAll,),
    fol.Implies: (fol.And,),
    fol.And: (fol.Implies, fol.Or),
    fol.Or: (fol.And,),
    fol.Not: (fol.Atom,),
    fol.Atom: (fol.Not,),
}
_DECIDED = (Truth.TRUE, Truth.FALSE)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A closed formula, what a story says of it, and whether it only repeats a premise or a mutant."""

    formula: Formula
    truth: Truth
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Adequate:
    """Conclusions of a story, its mutants, and of each mutant its fate and conclusions that notice it, by place."""

    conclusions: tuple[Conclusion, ...]
    mutants: tuple[Mutant, ...]
    fates: tuple[Fate, ...]
    noticed_by: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Kind:
    """Mutants of one premise that hold in the same structures, in groups of one normal form.

    ``seen`` are the structures of their story, ``size`` is their number.
    """

    premise: int
    seen: int
    size: int
    open: list[list[int]]


class _Asked(NamedTuple):
    """A formula that could be asked, the structures where it holds, and the kinds that it may notice, as bits."""

    formula: Formula
    bits: int
    is_open: bool
    notices: int
    repeats: bool

    @property
    def cost(self) -> int:
        """The length in atoms, and one for all words around them."""
        return 1 + atoms(self.formula)


class _Choice:
    def __init__(self, story: Story, third: int, is_sayable: Callable[[Formula], bool]) -> None:
        self.story, self.third, self.is_sayable = story, third, is_sayable
        self.mutants = tuple(mutants(story.premises))
        self.fates = [Fate.UNDECIDED] * len(self.mutants)
        self.chosen: list[_Asked] = []
        self.decided: dict[Formula, set[int]] = defaultdict(set)
        self.held: list[int] = []
        self.owned: dict[Formula, int] = {}
        numbering = Numbering(MAX_FORMS)
        groups: dict[tuple[int, int, object], list[int]] = defaultdict(list)
        for number, (place, _, formula) in enumerate(self.mutants):
            bits = story.bits(formula)
            self.held.append(story.others[place] & bits)
            form = numbering.of(formula)
            groups[place, bits, formula if form is None else form].append(number)
        kinds: dict[tuple[int, int], _Kind] = {}
        for (place, bits, _), group in groups.items():
            seen = story.others[place] & bits
            kind = kinds.setdefault((place, bits), _Kind(place, seen, seen.bit_count(), []))
            kind.open.append(group)
        self.kinds: list[_Kind] = []
        for kind in kinds.values():
            if kind.seen in (0, story.models):
                for group in kind.open:
                    self._end(group, self._settled(group[0]))
            else:
                self.kinds.append(kind)
        story.proofs = MAX_PROOFS

    def _end(self, group: Sequence[int], fate: Fate) -> None:
        for number in group:
            self.fates[number] = fate

    def _settled(self, number: int) -> Fate:
        """Return the fate of a mutant that holds in no structure of the story, or in the same as its premise."""
        place, _, formula = self.mutants[number]
        story, premise = self.story, self.story.premises[place]
        if equivalence(premise, formula, budget=SMALL_BUDGET).outcome is Outcome.EQUIVALENT:
            return Fate.SAME_MEANING
        if not story.others[place] & story.bits(formula):
            return Fate.CONTRADICTORY if story.entailed(fol.Not(formula), place) else Fate.UNDECIDED
        if story.entailed(formula) and story.entailed(premise, place, formula):
            return Fate.REDUNDANT if story.entailed(premise, place) else Fate.SAME_STORY
        return Fate.UNDECIDED

    def pool(self) -> list[_Asked]:
        """Return what can be asked: of formulas that hold in the same structures, or in the others, the first."""
        story, full = self.story, self.story.family.full
        premises = {min(truth, full ^ truth) for truth in story.truths}
        known: dict[int, Formula] = {}
        self.owned = self._pieces()
        for formula in (*candidates(story.premises), *self.owned):
            bits = story.bits(formula)
            first = known.setdefault(min(bits, full ^ bits), formula)
            if formula in self.owned and first not in self.owned:
                known[min(bits, full ^ bits)] = formula
        return [self.asked(formula, key in premises) for key, formula in known.items()]

    def _pieces(self) -> dict[Formula, int]:
        """Return clauses of mutants, and instances of them, that say something new; with the kinds that entail them."""
        story = self.story
        names = [fol.Constant(name) for name in sorted(signature(*story.premises).constants)]
        found, is_false = defaultdict[Formula, int](int), lambda one: not story.bits(one) & story.models
        for place, kind in enumerate(self.kinds):
            new = (one for one in clauses(self._of(kind.open[0])) if story.models & ~story.bits(said(one)))
            for piece in chain.from_iterable(instances(one, names, is_false) for one in new):
                if sum(map(atoms, piece)) <= MAX_JOINED:
                    found[said(piece)] |= 1 << place
        return found

    def asked(self, formula: Formula, repeats: bool, chance: float = CHANCE) -> _Asked:
        """Return a formula with the kinds that it notices, unless all that tells so has more than a chance."""
        story = self.story
        bits = story.bits(formula)
        denied = story.family.full ^ bits
        if is_open := bool(bits & story.models and denied & story.models):
            places = self._deciding(formula, bits, chance) | self._deciding(opposite(formula), denied, chance)
        else:
            other = denied if bits & story.models else bits
            places = sum(1 << place for place, kind in enumerate(self.kinds) if kind.open and kind.seen & other)
        return _Asked(formula, bits, is_open, places, repeats)

    def _deciding(self, formula: Formula, bits: int, chance: float) -> int:
        """Return the kinds that seem to entail a formula: too many of their structures for chance have it, and all."""
        story = self.story
        share = (bits & story.models).bit_count() / story.models.bit_count()
        least = math.log(chance) / math.log(share) if 0 < share < 1 else 0
        denied, places = story.family.full ^ bits, self.owned.get(formula, 0)
        for place, kind in enumerate(self.kinds):
            if not kind.seen & denied and kind.open and kind.size >= least:
                places |= 1 << place
        return places

    def cover(self, pool: Sequence[_Asked]) -> None:
        """Choose, one after the other, what notices most kinds that nothing notices yet, for its length."""
        left = self._left()
        waiting = [one for one in pool if one.notices & left and self._has_room(one.is_open)]
        while waiting:
            best = max(waiting, key=lambda one: (one.notices & left).bit_count() / one.cost)
            for one in dict.fromkeys((self._wider(best, waiting, left), best) if best.is_open else (best,)):
                if self.is_sayable(one.formula) and self._notices(one, one.notices & left):
                    self.chosen.append(one)
                    left = self._left()
                    break
            waiting = [one for one in waiting if one is not best and one.notices & left and self._has_room(one.is_open)]

    def _wider(self, asked: _Asked, waiting: Sequence[_Asked], left: int) -> _Asked:
        """Return an unknown conclusion in one with others, as long as that notices more for its length."""
        rivals = sorted(
            (one for one in waiting if one.is_open and one is not asked),
            key=lambda one: -(one.notices & left & ~asked.notices).bit_count(),
        )[:MAX_RIVALS]
        given = [pair for one in rivals for pair in self._as_clauses(one, left)]
        best, worth, ways = asked, (asked.notices & left).bit_count() / asked.cost, self._as_clauses(asked, left)
        while ways:
            found = []
            for (clause, seen), (other, further) in product(ways, given):
                both = joined(clause, other) if further & ~seen else None
                if both is not None and (length := sum(map(atoms, both))) <= MAX_JOINED:
                    found.append(((seen | further).bit_count() / (1 + length), seen | further, both))
            ways = []
            for value, seen, both in sorted(found, key=lambda one: -one[0])[:MAX_RIVALS]:
                wider = self.asked(said(both), asked.repeats)
                if value > worth and wider.is_open:
                    best, worth, ways = wider._replace(notices=seen), value, [(both, seen)]
                    break
        return best

    def _as_clauses(self, asked: _Asked, left: int) -> list[tuple[Clause, int]]:
        """Return the clause of a formula, and of its opposite, if they are one; with the kinds that entail it."""
        found = []
        for formula, bits in ((asked.formula, asked.bits), (opposite(asked.formula), ~asked.bits)):
            one = clauses(formula)
            if len(one) == 1:
                found.append((one[0], left & self._deciding(formula, bits & self.story.family.full, CHANCE)))
        return found

    def _left(self) -> int:
        return sum(1 << place for place, kind in enumerate(self.kinds) if kind.open)

    def _has_room(self, is_open: bool) -> bool:
        return self.count(is_open) < (self.third if is_open else 2 * self.third)

    def count(self, is_open: bool) -> int:
        """Return how many of those chosen are unknown, or are not."""
        return sum(one.is_open is is_open for one in self.chosen)

    def balance(self, pool: Sequence[_Asked]) -> None:
        """Choose more until as many are unknown as are true, and as are false: what notices most a second time."""
        wanted = max(-(-self.count(False) // 2), self.count(True))
        waiting = [one for one in pool if one not in self.chosen]
        twice = 0
        for one in self.chosen:
            twice |= one.notices
        for is_open, most in ((False, 2 * wanted), (True, wanted)):
            further = [one for one in waiting if one.is_open is is_open]
            left = twice
            while further and self.count(is_open) < most:
                best = max(further, key=lambda one: (self._is_scarce(one), (one.notices & left).bit_count() / one.cost))
                further.remove(best)
                if self.is_sayable(best.formula) and (is_open or self.story.says(best.formula) in _DECIDED):
                    self.chosen.append(best)
                    left &= ~best.notices

    def form(self, asked: _Asked) -> type[Formula]:
        """Return the first operator of a formula, or of its opposite, whichever is true in the story's first models."""
        return type(asked.formula if asked.bits & self.story.models else opposite(asked.formula))

    def _is_scarce(self, asked: _Asked) -> bool:
        """Return whether fewer of what is chosen begin as a formula than as its opposite, so that no operator tells."""
        if asked.is_open:
            return False
        forms = [self.form(one) for one in self.chosen if not one.is_open]
        mine = self.form(asked)
        return forms.count(mine) < sum(form is not mine and form in _OPPOSED[mine] for form in forms)

    def _notices(self, asked: _Asked, places: int) -> bool:
        """Return whether a formula is proven to notice mutants of some kinds, which then are noticed."""
        if not asked.is_open and self.story.says(asked.formula) not in _DECIDED:
            return False
        failures = 0
        is_any = False
        for place, kind in enumerate(self.kinds):
            if not places >> place & 1:
                continue
            if failures > MAX_FAILURES:
                break
            seen = self._seen(kind, asked) if asked.is_open else [*kind.open]
            failures += not seen
            is_any |= bool(seen)
            for group in seen:
                self._end(group, Fate.NOTICED)
                kind.open.remove(group)
                self.decided[asked.formula].update(group)
        return is_any

    def _seen(self, kind: _Kind, asked: _Asked) -> list[list[int]]:
        """Return the groups of a kind in which a formula that was unknown is decided."""
        decided = asked.formula if kind.seen & asked.bits else opposite(asked.formula)
        return [group for group in kind.open if self.story.entailed(decided, kind.premise, self._of(group))]

    def longer(self) -> list[_Asked]:
        """Return premises and mutants themselves, of the kinds that nothing notices, if they are short."""
        places = dict.fromkeys(kind.premise for kind in self.kinds if kind.open)
        formulas = [self.story.premises[place] for place in places]
        formulas += [self._of(group) for kind in self.kinds for group in kind.open]
        asked = (self.asked(formula, True, chance=1) for formula in dict.fromkeys(formulas))
        return [one for one in asked if one.cost <= MAX_ATOMS + 1]

    def left_over(self) -> None:
        """Tell of mutants that nothing notices whether they are proven to be another story."""
        for kind in self.kinds:
            for group in kind.open:
                is_other = kind.seen & ~self.story.models or self.story.entailed(self._of(group)) is False
                self._end(group, Fate.UNNOTICED if is_other else Fate.UNDECIDED)

    def _of(self, group: Sequence[int]) -> Formula:
        return self.mutants[group[0]].formula

    def noticing(self, asked: _Asked) -> set[int]:
        """Return the mutants that are known to change the answer."""
        if asked.is_open:
            return self.decided[asked.formula]
        other = asked.bits if not asked.bits & self.story.models else self.story.family.full ^ asked.bits
        return {number for number, (place, _, _) in enumerate(self.mutants) if self.held[number] & other}


def choose(
    premises: Sequence[Formula],
    draw: Random,
    *,
    most: int = MOST_CONCLUSIONS,
    is_sayable: Callable[[Formula], bool] = lambda _: True,
) -> Adequate:
    """Choose conclusions of closed premises, as many true as false and as unknown, at most ``most`` together.

    ``is_sayable`` tells whether a formula can be asked. Raises ``StoryError`` where no conclusion can be chosen, among
    others of premises that contradict one another.
    """
    choice = _Choice(Story(premises), most // 3, is_sayable)
    pool = choice.pool()
    new = [one for one in pool if not one.repeats]
    choice.cover(new)
    choice.cover([choice.asked(one.formula, one.repeats, chance=1) for one in new])
    choice.cover([one for one in pool if one.repeats])
    choice.cover(choice.longer())
    choice.balance(new)
    choice.left_over()
    if not choice.chosen:
        raise StoryError("no conclusion notices anything")
    order = draw.sample(choice.chosen, len(choice.chosen))
    is_true = draw.random() < 0.5
    truths: dict[int, Truth] = {}
    # Those that begin alike are true and false by turns.
    for place in sorted(range(len(order)), key=lambda place: choice.form(order[place]).__name__):
        if not order[place].is_open:
            truths[place], is_true = Truth.TRUE if is_true else Truth.FALSE, not is_true
    conclusions = [_concluded(one, choice, truths.get(place, Truth.UNKNOWN), draw) for place, one in enumerate(order)]
    noticed_by: list[list[int]] = [[] for _ in choice.mutants]
    for place, one in enumerate(order):
        for number in choice.noticing(one):
            noticed_by[number].append(place)
    for number, fate in enumerate(choice.fates):
        if fate is Fate.CONTRADICTORY:
            noticed_by[number] = [*range(len(order))]
    return Adequate(tuple(conclusions), choice.mutants, tuple(choice.fates), tuple(map(tuple, noticed_by)))


def _concluded(asked: _Asked, choice: _Choice, truth: Truth, draw: Random) -> Conclusion:
    """Return a formula or its opposite, whichever has the truth that is drawn for it."""
    is_true = bool(asked.bits & choice.story.models)
    turns = draw.random() < 0.5 if truth is Truth.UNKNOWN else is_true is (truth is Truth.FALSE)
    other = opposite(asked.formula)
    turns = turns and choice.is_sayable(other)
    if turns or truth is Truth.UNKNOWN:
        return Conclusion(other if turns else asked.formula, truth, asked.repeats)
    return Conclusion(asked.formula, Truth.TRUE if is_true else Truth.FALSE, asked.repeats)
