"""Finite structures and truth in them.

``holds`` is the definition of truth (Enderton, 2.2) computed plainly, as the set of satisfying assignments of each
subformula. ``truth_bits`` computes the same over many structures at once: they share universe, constants and functions
and differ in their predicates, and each ground atom is one integer with a bit for each structure. What the second
finds, the first confirms.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import assert_never

from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import (
    And,
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    fold,
    subterms,
    terms,
)

Element = int
_Relation = tuple[tuple[str, ...], frozenset[tuple[Element, ...]]]
_Table = tuple[tuple[str, ...], list[int]]


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure over the universe 0, ..., size - 1.

    Attributes:
        size: number of elements, at least 1.
        constants: name to element.
        functions: name to its table, arguments to value.
        predicates: name to its extension.
    """

    size: int
    constants: Mapping[str, Element]
    functions: Mapping[str, Mapping[tuple[Element, ...], Element]]
    predicates: Mapping[str, frozenset[tuple[Element, ...]]]

    def describe(self) -> str:
        """One line for people: the universe, the names, and what holds of what."""
        parts = [f"universe {{{', '.join(map(str, range(self.size)))}}}"]
        parts += [f"{name} = {element}" for name, element in sorted(self.constants.items())]
        for name, table in sorted(self.functions.items()):
            cells = ", ".join(f"{name}({', '.join(map(str, key))}) = {value}" for key, value in sorted(table.items()))
            parts.append(cells)
        for name, extension in sorted(self.predicates.items()):
            tuples = (str(t[0]) if len(t) == 1 else f"({', '.join(map(str, t))})" for t in sorted(extension))
            parts.append(f"{name} = {{{', '.join(tuples)}}}")
        return "; ".join(parts)

    def restricted(self, symbols: Signature) -> Structure:
        """The same for the symbols of a signature alone; those not interpreted get 0, or the empty extension."""
        return Structure(
            self.size,
            {name: self.constants.get(name, 0) for name in sorted(symbols.constants)},
            {
                name: self.functions.get(name) or dict.fromkeys(product(range(self.size), repeat=arity), 0)
                for name, arity in sorted(symbols.functions.items())
            },
            {name: self.predicates.get(name, frozenset()) for name in sorted(symbols.predicates)},
        )


def _value(term: Term, structure: Structure | Batch, assignment: Mapping[str, Element]) -> Element:
    done: dict[Term, Element] = {}
    stack = [term]
    while stack:
        node = stack[-1]
        match node:
            case Variable(name):
                done[node] = assignment[name]
            case Constant(name):
                done[node] = structure.constants[name]
            case Function(name, arguments):
                missing = [argument for argument in arguments if argument not in done]
                if missing:
                    stack.extend(missing)
                    continue
                done[node] = structure.functions[name][tuple(done[argument] for argument in arguments)]
            case _:
                assert_never(node)
        stack.pop()
    return done[term]


def _variables(atomic: Formula) -> tuple[str, ...]:
    return tuple(sorted({t.name for term in terms(atomic) for t in subterms(term) if isinstance(t, Variable)}))


def holds(formula: Formula, structure: Structure) -> bool:
    """Whether a closed formula is true in a structure.

    Raises:
        FormulaError: if the formula is open.
        KeyError: if the structure does not interpret a symbol.
    """

    def extended(
        names: tuple[str, ...], satisfying: frozenset[tuple[Element, ...]], to: tuple[str, ...]
    ) -> frozenset[tuple[Element, ...]]:
        places = [to.index(name) for name in names]
        every = product(range(structure.size), repeat=len(to))
        return frozenset(row for row in every if tuple(row[place] for place in places) in satisfying)

    def step(node: Formula, parts: tuple[_Relation, ...]) -> _Relation:
        match node:
            case Atom() | Equality():
                names = _variables(node)
                every = product(range(structure.size), repeat=len(names))
                return names, frozenset(row for row in every if _atom_holds(node, dict(zip(names, row, strict=True))))
            case Not():
                ((names, inner),) = parts
                return names, frozenset(product(range(structure.size), repeat=len(names))) - inner
            case And() | Or() | ExclusiveOr() | Implies() | Iff():
                names = tuple(sorted({*parts[0][0], *parts[1][0]}))
                a, b = (extended(*part, names) for part in parts)
                every_row = frozenset(product(range(structure.size), repeat=len(names)))
                match node:
                    case And():
                        return names, a & b
                    case Or():
                        return names, a | b
                    case ExclusiveOr():
                        return names, a ^ b
                    case Implies():
                        return names, (every_row - a) | b
                    case Iff():
                        return names, every_row - (a ^ b)
            case ForAll(variable) | Exists(variable):
                ((names, inner),) = parts
                if variable.name not in names:
                    return names, inner
                place = names.index(variable.name)
                rest = names[:place] + names[place + 1 :]
                needed = structure.size if isinstance(node, ForAll) else 1
                counts: dict[tuple[Element, ...], int] = {}
                for row in inner:
                    key = row[:place] + row[place + 1 :]
                    counts[key] = counts.get(key, 0) + 1
                return rest, frozenset(key for key, count in counts.items() if count >= needed)
        assert_never(node)

    def _atom_holds(node: Atom | Equality, assignment: Mapping[str, Element]) -> bool:
        match node:
            case Equality(left, right):
                return _value(left, structure, assignment) == _value(right, structure, assignment)
            case Atom(predicate, arguments):
                values = tuple(_value(argument, structure, assignment) for argument in arguments)
                return values in structure.predicates[predicate]

    names, satisfying = fold(formula, step)
    if names:
        raise FormulaError(f"truth of an open formula: {', '.join(names)} free")
    return () in satisfying


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Many structures that share universe, constants and functions.

    Attributes:
        size: elements of the universe.
        constants: name to element.
        functions: name to table.
        width: number of structures.
        name: tells batches apart; with a predicate and its arguments it determines the bits of each ground atom.
    """

    size: int
    constants: Mapping[str, Element]
    functions: Mapping[str, Mapping[tuple[Element, ...], Element]]
    width: int
    name: str

    def bits(self, predicate: str, arguments: tuple[Element, ...]) -> int:
        """In which of the structures P(arguments) is true; a quarter are sparse and a quarter dense."""
        return _random_bits(self.name, self.width, predicate, arguments)

    def structure(self, index: int, predicates: Mapping[str, int]) -> Structure:
        """One structure of the batch, over predicates given with their arities."""
        extensions = {
            name: frozenset(row for row in product(range(self.size), repeat=arity) if self.bits(name, row) >> index & 1)
            for name, arity in predicates.items()
        }
        return Structure(self.size, self.constants, self.functions, extensions)


@lru_cache(maxsize=200_000)
def _random_bits(name: str, width: int, predicate: str, arguments: tuple[Element, ...]) -> int:
    # Seeding with a string hashes it by SHA-512: the same on every machine and under every PYTHONHASHSEED.
    draw = random.Random(f"{name}/{predicate}{arguments}").getrandbits  # noqa: S311
    quarter = width // 4
    even = draw(width - 2 * quarter)
    sparse, dense = draw(quarter) & draw(quarter), draw(quarter) | draw(quarter)
    return even | sparse << width - 2 * quarter | dense << width - quarter


MAX_TABLE = 4096
"""Entries of the largest truth table that ``truth_bits`` makes for a subformula."""


def has_small_tables(formula: Formula, size: int, limit: int) -> bool:
    """Whether over ``size`` elements no subformula has more than ``limit`` assignments to its free variables."""

    def step(node: Formula, parts: tuple[tuple[frozenset[str], bool], ...]) -> tuple[frozenset[str], bool]:
        names = frozenset(_variables(node)).union(*(part for part, _ in parts))
        small = size ** len(names) <= limit and all(part for _, part in parts)
        return (names - {node.variable.name} if isinstance(node, ForAll | Exists) else names), small

    return fold(formula, step)[1]


def truth_bits(formula: Formula, batch: Batch) -> int | None:
    """In which structures of the batch a closed formula is true; None where that takes a table above ``MAX_TABLE``."""
    full = (1 << batch.width) - 1
    too_large = False

    def step(node: Formula, parts: tuple[_Table, ...]) -> _Table:
        nonlocal too_large
        match node:
            case Atom() | Equality():
                names = _variables(node)
                if batch.size ** len(names) > MAX_TABLE:
                    too_large = True
                if too_large:
                    return (), [0]
                rows = product(range(batch.size), repeat=len(names))
                return names, [_atom_bits(node, dict(zip(names, row, strict=True))) for row in rows]
            case Not():
                ((names, bits),) = parts
                return names, [full ^ b for b in bits]
            case And() | Or() | ExclusiveOr() | Implies() | Iff():
                (a_names, a), (b_names, b) = parts
                names, a_places, b_places = _aligned(a_names, b_names, batch.size)
                if len(a_places) > MAX_TABLE:
                    too_large = True
                    return (), [0]
                pairs = ((a[i], b[j]) for i, j in zip(a_places, b_places, strict=True))
                match node:
                    case And():
                        return names, [p & q for p, q in pairs]
                    case Or():
                        return names, [p | q for p, q in pairs]
                    case ExclusiveOr():
                        return names, [p ^ q for p, q in pairs]
                    case Implies():
                        return names, [full ^ p | q for p, q in pairs]
                    case Iff():
                        return names, [full ^ p ^ q for p, q in pairs]
            case ForAll(variable) | Exists(variable):
                ((names, bits),) = parts
                if variable.name not in names:
                    return names, bits
                rest, groups = _grouped(names, variable.name, batch.size)
                result = []
                for group in groups:
                    combined = bits[group[0]]
                    for place in group[1:]:
                        combined = combined & bits[place] if isinstance(node, ForAll) else combined | bits[place]
                    result.append(combined)
                return rest, result
        assert_never(node)

    def _atom_bits(node: Atom | Equality, assignment: Mapping[str, Element]) -> int:
        match node:
            case Equality(left, right):
                return full if _value(left, batch, assignment) == _value(right, batch, assignment) else 0
            case Atom(predicate, arguments):
                return batch.bits(predicate, tuple(_value(argument, batch, assignment) for argument in arguments))

    names, bits = fold(formula, step)
    if too_large:
        return None
    if names:
        raise FormulaError(f"truth of an open formula: {', '.join(names)} free")
    return bits[0]


@lru_cache(maxsize=10_000)
def _aligned(a: tuple[str, ...], b: tuple[str, ...], size: int) -> tuple[tuple[str, ...], list[int], list[int]]:
    """The union of two variable lists, and for each of its assignments the row in either table."""
    names = tuple(sorted({*a, *b}))
    if size ** len(names) > MAX_TABLE:
        return names, [0] * (MAX_TABLE + 1), [0] * (MAX_TABLE + 1)
    rows = list(product(range(size), repeat=len(names)))
    return names, _row_numbers(rows, names, a, size), _row_numbers(rows, names, b, size)


def _row_numbers(
    rows: list[tuple[Element, ...]], names: tuple[str, ...], wanted: tuple[str, ...], size: int
) -> list[int]:
    places = [names.index(name) for name in wanted]
    numbers = []
    for row in rows:
        number = 0
        for place in places:
            number = number * size + row[place]
        numbers.append(number)
    return numbers


@lru_cache(maxsize=10_000)
def _grouped(names: tuple[str, ...], variable: str, size: int) -> tuple[tuple[str, ...], list[list[int]]]:
    """The variables left when one is quantified away, and for each of their assignments the rows to combine."""
    place = names.index(variable)
    rest = names[:place] + names[place + 1 :]
    stride = size ** (len(names) - place - 1)
    groups = [
        [high * stride * size + value * stride + low for value in range(size)]
        for high in range(size**place)
        for low in range(stride)
    ]
    return rest, groups
