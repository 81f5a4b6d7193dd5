"""Finite structures in which a story's premises hold, all or all but one: those that tell the story from its mutants.

Many structures are changed at once, as bits (``logic.decision.families``): one ground atom after the other is turned
over in those where that leaves no more premises than before on the wrong side (Selman, Levesque and Mitchell, *A New
Method for Solving Hard Satisfiability Problems*, 1992). Draws are by labels and steps are counted, so equal premises
give equal structures everywhere.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from nlfol.logic.decision.families import Family, Value
from nlfol.logic.measuring import Signature, signature
from nlfol.logic.structures import MAX_TABLE, has_small_tables
from nlfol.logic.syntax import Formula

WIDTH = 512
"""Structures that are changed at once; half are to have all premises true, the others one premise false each."""

SWEEPS, KEPT = 24, 4
"""Times that each ground atom is tried, of which so many last ones are kept."""

MAX_ELEMENTS, MAX_ATOMS = 7, 400

_Rows = dict[tuple[str, int], list[int]]


class Given(Family):
    """A family whose symbols are given: relations as rows of bits, constants by elements, functions drawn by name."""

    def __init__(self, size: int, width: int, relations: _Rows, names: Mapping[str, Value]) -> None:
        super().__init__(size, width)
        self.relations, self._names = relations, names

    def _relation(self, name: str, arity: int) -> list[int]:
        return self.relations[name, arity]

    def _element(self, kind: str, name: str, arity: int, row: int) -> Value:
        if kind == "constant":
            return self._names[name]
        return _drawn_value(f"{name}/{arity}/{row}", self.size, self.width)

    def turned(self, key: tuple[str, int], row: int, mask: int) -> None:
        """Turn one entry of a relation over in some structures."""
        self.relations[key][row] ^= mask
        self.forget()


def neighbours(premises: Sequence[Formula], sweeps: int = SWEEPS) -> Family | None:
    """Return structures of a story, for its symbols alone; None if it has too many ground atoms or variables."""
    symbols = signature(*premises)
    has_equality = any(premise.profile.has_equality for premise in premises)
    size = min(MAX_ELEMENTS, max(2, len(symbols.constants) + 2))
    while size > 2 and not _is_small(premises, symbols, size):
        size -= 1
    if not _is_small(premises, symbols, size):
        return None
    names = _named(sorted(symbols.constants), size, apart=not has_equality)
    family = Given(size, WIDTH, _drawn(symbols, size), names)
    kept = [_settled(family, premises, sweep) for sweep in range(sweeps)][-KEPT:]
    relations = {
        key: [
            reduce(or_, (one[key][row] << WIDTH * place for place, one in enumerate(kept))) for row in range(len(rows))
        ]
        for key, rows in family.relations.items()
    }
    every = sum(1 << WIDTH * place for place in range(KEPT))
    return Given(
        size, WIDTH * KEPT, relations, {name: tuple(v * every for v in value) for name, value in names.items()}
    )


def _settled(family: Given, premises: Sequence[Formula], sweep: int) -> _Rows:
    """Try each ground atom once, and return the relations as they are then."""
    wanted = _wanted(len(premises))
    using = {
        key: [place for place, premise in enumerate(premises) if ("predicate", *key) in premise.profile.symbols]
        for key in family.relations
    }
    wrong = [_truth(family, premise) ^ want for premise, want in zip(premises, wanted, strict=True)]
    for key, rows in family.relations.items():
        coins = _bits(f"coin/{sweep}/{key[0]}", len(rows))
        for row in range(len(rows)):
            family.turned(key, row, family.full)
            places = using[key]
            after = [_truth(family, premises[place]) ^ wanted[place] for place in places]
            better, same = _compared([wrong[place] for place in places], after, family.full)
            accepted = better | same & coins[row]
            family.turned(key, row, family.full ^ accepted)
            for place, bits in zip(places, after, strict=True):
                wrong[place] ^= (wrong[place] ^ bits) & accepted
    return {key: list(rows) for key, rows in family.relations.items()}


def _truth(family: Family, formula: Formula) -> int:
    bits = family.truth(formula)
    return 0 if bits is None else bits


def _wanted(count: int) -> list[int]:
    """Return for each premise the structures in which it is to be true."""
    full = (1 << WIDTH) - 1
    falsified = [0] * count
    for place in range(WIDTH // 2, WIDTH):
        falsified[place % count] |= 1 << place
    return [full ^ mask for mask in falsified]


def _compared(before: Sequence[int], after: Sequence[int], full: int) -> tuple[int, int]:
    """Return where fewer of some bits are set after than before, and where as many are."""
    less, same = 0, full
    for one, other in zip(reversed(_counted(before)), reversed(_counted(after)), strict=True):
        less |= same & one & ~other
        same &= ~(one ^ other)
    return less, same


def _counted(masks: Sequence[int]) -> list[int]:
    """Return how many masks have each bit, as binary digits, the lowest first."""
    digits = [0] * len(masks).bit_length()
    for carry in masks:
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry  # noqa: PLW2901
    return digits


def _is_small(premises: Sequence[Formula], symbols: Signature, size: int) -> bool:
    atoms = sum(size**arity for arity in symbols.predicates.values())
    # One place is left for a variable that a conclusion or a mutant has more.
    return atoms <= MAX_ATOMS and all(has_small_tables(premise, size, MAX_TABLE // size) for premise in premises)


def _drawn(symbols: Signature, size: int) -> _Rows:
    return {
        (name, arity): _bits(f"first/{name}/{arity}", size**arity) for name, arity in sorted(symbols.predicates.items())
    }


def _named(constants: Sequence[str], size: int, *, apart: bool) -> dict[str, Value]:
    """Return the elements of constants: each its own if there are enough and no formula can ask, or any."""
    full = (1 << WIDTH) - 1
    own = {name: tuple(full * (e == place) for e in range(size)) for place, name in enumerate(constants)}
    if apart and len(constants) <= size:
        return own
    drawn = {name: _drawn_value(f"constant/{name}", size, WIDTH) for name in constants}
    if len(constants) > size:
        return drawn
    half = (1 << WIDTH // 4) - 1 << WIDTH // 8 * 3  # some of those with all premises true, and of the others
    return {
        name: tuple(a & half | b & ~half for a, b in zip(drawn[name], own[name], strict=True)) for name in constants
    }


def _drawn_value(label: str, size: int, width: int) -> Value:
    stream = hashlib.shake_256(f"adequacy/value/{label}".encode()).digest(width)
    masks = [0] * size
    for place, byte in enumerate(stream):
        masks[byte % size] |= 1 << place
    return tuple(masks)


def _bits(label: str, count: int) -> list[int]:
    length = WIDTH // 8
    stream = hashlib.shake_256(f"adequacy/{label}".encode()).digest(length * count)
    return [int.from_bytes(stream[start : start + length], "little") for start in range(0, len(stream), length)]
