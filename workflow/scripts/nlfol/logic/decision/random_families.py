"""Finite structures drawn at random by the names of their symbols, or directed at a difference between two formulas.

A random structure hardly ever tells apart two large formulas that differ deep inside: somewhere above, a true disjunct
or a false conjunct hides the difference. As in the generation of test patterns for circuits (Roth, *Diagnosis of
Automata Failures*, 1966), each ancestor of the place is given another operand that hides nothing: true under ∧, false
under ∨. What that operand is to be is handed down to its atoms, with a choice at random wherever one of two operands is
enough. Atoms come out the same for all elements that a variable can be, so that quantifiers change nothing; only where
the two differ in a quantifier, an atom below it is true of one element alone.

The structures are many and differ in their choices. Where two demands meet, the later wins: whether the two formulas
differ is looked up in the end, and a demand that was not met costs nothing but a structure.
"""

import hashlib
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

from nlfol.logic import syntax as fol
from nlfol.logic.decision.families import Family, TableTooLargeError, Value
from nlfol.logic.decision.verdicts import Witness
from nlfol.logic.measuring import signature


class RandomFamily(Family):
    """Structures drawn at random, each symbol by a SHAKE-256 of its name: the same on every machine.

    Half of the structures are even, in a quarter the relations are sparse, in a quarter dense; 32 divides their number.
    """

    def __init__(self, size: int, width: int, name: str) -> None:
        super().__init__(size, width)
        self.name = name
        self._quarter = width // 4

    def _drawn(self, what: str, words: int) -> list[int]:
        length = self.width // 8
        stream = hashlib.shake_256(f"{self.name}/{self.size}/{what}".encode()).digest(length * words)
        return [int.from_bytes(stream[start : start + length], "little") for start in range(0, len(stream), length)]

    def _relation(self, name: str, arity: int) -> list[int]:
        quarter = (1 << self._quarter) - 1
        sparse, dense = quarter << 2 * self._quarter, quarter << 3 * self._quarter
        words = iter(self._drawn(f"{name}/{arity}", 2 * self.size**arity))
        return [
            (first & ~sparse | first & second & sparse) | second & dense
            for first, second in zip(words, words, strict=True)
        ]

    def _element(self, kind: str, name: str, arity: int, place: int) -> Value:
        words = self._drawn(f"{kind} {name}/{arity}/{place}", 3 * self.size)
        left, value = self.full, []
        for element in range(self.size - 1):
            first, second, third = words[3 * element : 3 * element + 3]
            # Of those left, about one in as many as there are elements left.
            match self.size - element:
                case 2:
                    chosen = first
                case 3:
                    chosen = first & (second | third)
                case 4:
                    chosen = first & second
                case _:
                    chosen = first & second & third
            value.append(left & chosen)
            left &= ~chosen
        return (*value, left)


SIZE = 4
WIDTH = 256

MAX_DEMANDS = 2_000  # subformulas to hand something down to, above which two formulas are given up
_MAX_SPOTS = 4
_Masks = tuple[int, int]
"""In which structures a formula is to be true, and in which false."""


def difference(family: Family, first: fol.Formula, second: fol.Formula) -> Witness | None:
    """Return the first structure of a family in which one of two closed formulas is true and the other false."""
    a, b = family.truth(first), family.truth(second)
    if a is None or b is None or a == b:
        return None
    different = a ^ b
    index = (different & -different).bit_length() - 1
    true, false = (first, second) if a >> index & 1 else (second, first)
    return Witness(partial(family.structure, index), (true,), (false,))


def telling_apart(first: fol.Formula, second: fol.Formula) -> Witness | None:
    """Return a structure in which one of two closed formulas is true and the other false, if one was found."""
    family = _DirectedFamily()
    try:
        family.direct(first, second)
    except TableTooLargeError:
        return None
    witness = difference(family, first, second)
    if witness is None:
        return None
    # The family is not worth keeping.
    return witness._replace(written=witness.written(signature(first, second)).restricted)


class _DirectedFamily(RandomFamily):
    """Random structures, changed for two formulas."""

    def __init__(self) -> None:
        super().__init__(SIZE, WIDTH, "directed")
        self._random = Random(0)  # noqa: S311 - choices, no secrets
        self._left = MAX_DEMANDS

    def direct(self, first: fol.Formula, second: fol.Formula) -> None:
        """Change the structures so that the formulas may differ in them."""
        a: Any = first
        b: Any = second
        while type(a) is type(b):
            if type(a) is fol.Not:
                a, b = a.operand, b.operand
            elif type(a) in fol.QUANTIFIED and a.variable is b.variable:
                a, b = a.body, b.body
            elif type(a) in fol.BINARY and a.left is b.left:
                self._demand(a.left, self._open(a, self.full))
                a, b = a.right, b.right
            elif type(a) in fol.BINARY and a.right is b.right:
                self._demand(a.right, self._open(a, self.full, right=True))
                a, b = a.left, b.left
            else:
                break
        if type(a) in fol.QUANTIFIED and type(b) in fol.QUANTIFIED and a.body is b.body:
            self._vary(a.variable.name, a.body)
            return
        for part in dict.fromkeys((*(fol.children(a) or (a,)), *(fol.children(b) or (b,)))):
            self._demand(part, self._either(self.full))

    def _either(self, mask: int) -> _Masks:
        drawn = self._random.getrandbits(self.width)
        return mask & drawn, mask & ~drawn

    def _open(self, node: Any, mask: int, *, right: bool = False) -> _Masks:
        """Return where one operand has to be true and where false so that the node depends on the other."""
        if type(node) is fol.And or (type(node) is fol.Implies and not right):
            return mask, 0
        return (0, mask) if type(node) in (fol.Or, fol.Implies) else self._either(mask)

    def _demand(self, formula: fol.Formula, masks: _Masks) -> None:
        stack: list[tuple[Any, _Masks]] = [(formula, masks)]
        while stack and self._left:
            self._left -= 1
            node, (true, false) = stack.pop()
            kind = type(node)
            if kind is fol.Not:
                stack.append((node.operand, (false, true)))
            elif kind in fol.QUANTIFIED:
                stack.append((node.body, (true, false)))
            elif kind is fol.Atom:
                self._set(node, true, false)
            elif kind is fol.And:
                one, other = self._either(false)
                stack += ((node.left, (true, one)), (node.right, (true, other)))
            elif kind is fol.Or:
                one, other = self._either(true)
                stack += ((node.left, (one, false)), (node.right, (other, false)))
            elif kind is fol.Implies:
                one, other = self._either(true)
                stack += ((node.left, (false, one)), (node.right, (other, false)))
            elif kind in fol.BINARY:
                one, other = self._either(true | false)
                same = true if kind is fol.Iff else false
                stack.append((node.left, (one, other)))
                stack.append((node.right, (one & same | other & ~same, other & same | one & ~same)))

    def _vary(self, name: str, body: fol.Formula) -> None:
        """Make a formula depend on a variable, by one of its atoms."""
        spots = [spot for spot in _spots(body) if name in spot[-1].profile.free]
        self._random.shuffle(spots)
        left = self.full
        for number, spot in enumerate(spots[:_MAX_SPOTS], 1):
            mask = left if number == min(len(spots), _MAX_SPOTS) else left & self._random.getrandbits(self.width)
            left &= ~mask
            for node, part in pairwise(spot):
                if type(node) in fol.BINARY:
                    is_left = part is node.left
                    other = node.right if is_left else node.left
                    self._demand(other, self._open(node, mask, right=is_left))
            self._set(spot[-1], 0, mask)
            self._set(spot[-1], mask, 0, {name: 0})

    def _set(self, atom: fol.Atom, true: int, false: int, at: dict[str, int] | None = None) -> None:
        """Let an atom be true and false, for all elements that its variables can be or for those given."""
        # Refused where the table would be too large, before its rows are written out.
        relation = self.predicate(atom.predicate, len(atom.arguments))
        rows: list[tuple[int, int]] = [(0, true | false)]
        for term in atom.arguments:
            if isinstance(term, fol.Variable):
                places = range(self.size) if at is None or term.name not in at else (at[term.name],)
                rows = [(row * self.size + element, mask) for row, mask in rows for element in places]
            elif isinstance(term, fol.Constant):
                (value,) = self.function(term.name, 0)
                rows = [
                    (row * self.size + element, mask & value[element])
                    for row, mask in rows
                    for element in range(self.size)
                ]
            else:
                return
        for row, mask in rows:
            relation[row] = relation[row] & ~mask | mask & true


def _spots(formula: fol.Formula) -> Iterator[tuple[Any, ...]]:
    """Yield the way from a formula to each atom in it."""
    stack: list[tuple[Any, ...]] = [(formula,)]
    for _ in range(MAX_DEMANDS):
        if not stack:
            return
        way = stack.pop()
        if type(way[-1]) is fol.Atom:
            yield way
        stack += [(*way, part) for part in fol.children(way[-1])]
