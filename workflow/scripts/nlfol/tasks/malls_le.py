"""LE, the "logical equivalence" score of MALLS (Yang et al., arXiv 2305.15541, section 4; used in the paper's table 5).

It is no test of equivalence. Quantifiers are dropped, and each atom, by its text, is one propositional variable:
``P(x)`` and ``P(y)`` are two. Where one formula has fewer atoms than the other, dummies without effect are added. Atoms
of the translation are bound one to one to those of the gold formula, and the score is the largest share of rows in
which the two truth tables agree, over the first 1,000 bindings of a greedy search: the first atom of the gold formula
takes the nearest of the others by edit distance first, then the second of those left, and so on.

These flaws are the definition and are kept: ∀ and ∃ are the same, ``P(a)`` and ``Q(b)`` agree wholly, and unrelated
formulas agree by half. What the published code leaves to chance is settled: atoms are taken in the order in which they
stand in the formula, and equal distances in the order of the translation's atoms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from nlfol.logic.printing import to_unicode
from nlfol.logic.syntax import (
    And,
    Atom,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    distinct_subformulas,
    fold,
)

_BINDINGS = 1_000
_MAX_ATOMS = 16
"""Atoms of the longer formula above which the truth table is not made, and the score is 0."""

_DUMMY_DISTANCE = 10_000


def malls_le(gold: Formula, translation: Formula) -> float:
    """The score in [0, 1]; 1 does not mean equivalent, nor does less than 1 mean different."""
    wanted, given = _atoms(gold), _atoms(translation)
    size = max(len(wanted), len(given))
    if size > _MAX_ATOMS:
        return 0.0
    rows = 1 << size
    columns = [_column(place, size) for place in range(size)]
    target = _truth(gold, dict(zip(wanted, columns, strict=False)), rows)
    best = 0
    for binding in islice(_bindings(_distances(wanted, given, size)), _BINDINGS):
        # Atom number binding[i] of the translation stands for atom i of the gold formula.
        of_atom = {given[atom]: columns[place] for place, atom in enumerate(binding) if atom < len(given)}
        agreeing = rows - (target ^ _truth(translation, of_atom, rows)).bit_count()
        best = max(best, agreeing)
        if best == rows:
            break
    return best / rows


def _atoms(formula: Formula) -> list[Atom | Equality]:
    return [node for node in distinct_subformulas(formula) if isinstance(node, Atom | Equality)]


def _column(place: int, size: int) -> int:
    """Bit i is bit ``place`` of i, for i below 2 ** size."""
    block = ((1 << (1 << place)) - 1) << (1 << place)
    repeats = ((1 << (1 << size)) - 1) // ((1 << (2 << place)) - 1)
    return block * repeats


def _distances(wanted: Sequence[Formula], given: Sequence[Formula], size: int) -> list[list[int]]:
    # Jobs that ask models name the task, and have no such package.
    from rapidfuzz.distance import Levenshtein

    texts, others = [to_unicode(atom) for atom in wanted], [to_unicode(atom) for atom in given]
    return [
        [
            Levenshtein.distance(texts[i], others[j]) if i < len(texts) and j < len(others) else _DUMMY_DISTANCE
            for j in range(size)
        ]
        for i in range(size)
    ]


def _bindings(distances: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """All bindings in greedy order: depth first, nearest atom first."""
    size = len(distances)
    preferred = [sorted(range(size), key=row.__getitem__) for row in distances]
    stack: list[tuple[int, ...]] = [()]
    while stack:
        bound = stack.pop()
        if len(bound) == size:
            yield bound
        else:
            stack.extend((*bound, atom) for atom in reversed(preferred[len(bound)]) if atom not in bound)


def _truth(formula: Formula, columns: dict[Atom | Equality, int], rows: int) -> int:
    """The formula's column of the truth table as bits, its quantifiers dropped."""
    full = (1 << rows) - 1

    def step(node: Formula, parts: tuple[int, ...]) -> int:
        match node:
            case Atom() | Equality():
                return columns[node]
            case Not():
                return full ^ parts[0]
            case And():
                return parts[0] & parts[1]
            case Or():
                return parts[0] | parts[1]
            case ExclusiveOr():
                return parts[0] ^ parts[1]
            case Implies():
                return (full ^ parts[0]) | parts[1]
            case Iff():
                return full ^ parts[0] ^ parts[1]
            case ForAll() | Exists():
                return parts[0]

    return fold(formula, step)
