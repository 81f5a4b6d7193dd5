"""Truth of a formula in many finite structures at once.

A family is a list of structures over one universe 0, ..., size - 1. A relation symbol is interpreted by one integer for
each tuple of elements, whose bit i says whether the tuple belongs to it in structure i; a constant, like any term, by
one integer for each element, whose bit i says whether it denotes that element in structure i. Connectives are then
bitwise operations, and ∀ and ∃ the bitwise ∧ and ∨ over the elements.

What a symbol means in a family depends on its name alone, so the truth of a formula is computed once, whatever it is
compared with, and that of a subformula once for all formulas that share it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import and_, or_
from typing import Any

from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import Signature
from nlfol.logic.structures import MAX_TABLE, Structure

_Names = tuple[str, ...]
_Table = tuple[_Names, int]
"""A subformula's free variables in alphabetical order, and a row of its truth in all structures for each assignment.

The first row is in the lowest bits of the integer.
"""
Value = tuple[int, ...]
"""Denotation of a term: for each element, the structures in which the term denotes it."""
_Values = tuple[_Names, list[Value]]

_Selection = tuple[int, list[int]]
"""Number of a table's rows, and those that are wanted, in order."""

OF_BITS: dict[type[fol.Formula], Callable[[int, int, int], int]] = {
    fol.And: lambda a, b, _: a & b,
    fol.Or: lambda a, b, _: a | b,
    fol.ExclusiveOr: lambda a, b, _: a ^ b,
    fol.Implies: lambda a, b, full: (a ^ full) | b,
    fol.Iff: lambda a, b, full: a ^ b ^ full,
}
"""The truth of a connective, as bits, by that of its operands and of what is true everywhere."""

_QUANTIFIED = frozenset(fol.QUANTIFIED)
_MAX_REMEMBERED = 60_000
_MAX_BITS = 2**28


class TableTooLargeError(FormulaError):
    """A subformula or symbol with more than ``MAX_TABLE`` entries over the universe."""


class Family(ABC):
    """Structures over one universe, as many as the width; ``full`` is the integer with a bit for each."""

    def __init__(self, size: int, width: int) -> None:
        self.size = size
        self.width = width
        self.full = (1 << width) - 1
        self._tables: dict[fol.Formula, _Table] = {}
        self._values: dict[fol.Term, _Values] = {}
        self._symbols: dict[tuple[str, str, int], Any] = {}
        self._fulls = [self.full]
        self._bits = 0
        self._units = [tuple(self.full if e == v else 0 for e in range(size)) for v in range(size)]

    @abstractmethod
    def _relation(self, name: str, arity: int) -> list[int]:
        """Return for each tuple, in lexicographic order, the structures in which the predicate holds of it."""

    @abstractmethod
    def _element(self, kind: str, name: str, arity: int, row: int) -> Value:
        """Return for each element the structures in which a constant or function has it as its value at one tuple."""

    def predicate(self, name: str, arity: int) -> list[int]:
        """Return the interpretation of a predicate."""
        key = ("predicate", name, arity)
        rows: list[int] | None = self._symbols.get(key)
        if rows is None:
            self._check(arity)
            rows = self._symbols[key] = self._relation(name, arity)
        return rows

    def function(self, name: str, arity: int) -> list[Value]:
        """Return the interpretation of a function, or of a constant as a function of no arguments."""
        key = ("function" if arity else "constant", name, arity)
        values: list[Value] | None = self._symbols.get(key)
        if values is None:
            self._check(arity)
            rows = range(self.size**arity)
            values = self._symbols[key] = [self._element(key[0], name, arity, row) for row in rows]
        return values

    def _check(self, variables: int) -> None:
        if self.size**variables > MAX_TABLE:
            raise TableTooLargeError(f"more than {MAX_TABLE} entries over {self.size} elements")

    def forget(self) -> None:
        """Drop what is remembered of formulas."""
        self._bits = 0
        self._tables.clear()
        self._values.clear()
        self._symbols.clear()

    def truth(self, formula: fol.Formula) -> int | None:
        """Return the structures in which a closed formula is true, as bits; None where that takes too large a table."""
        table = self._tables.get(formula) or self._table(formula)
        if table is None:
            return None
        names, bits = table
        if names:
            raise FormulaError(f"truth of an open formula: {', '.join(names)} free")
        return bits

    def agree(self, first: fol.Formula, second: fol.Formula, opposed: bool = False) -> bool:
        """Return whether two formulas, or one and the negation of the other, are true in the same structures."""
        a = self._tables.get(first) or self._table(first)
        b = self._tables.get(second) or self._table(second)
        if a is None or b is None or a[0] != b[0]:
            return False
        return a[1] == (b[1] ^ self._full(len(b[0])) if opposed else b[1])

    def _table(self, formula: fol.Formula) -> _Table | None:
        # Only between formulas, whose parts rely on one another, is room made.
        remembered = len(self._tables) + len(self._values) + len(self._symbols)
        if remembered > _MAX_REMEMBERED or self._bits > _MAX_BITS:
            self.forget()
        try:
            return self._fold(formula)
        except TableTooLargeError:
            return None

    def _fold(self, formula: fol.Formula) -> _Table:
        tables = self._tables
        stack: list[Any] = [formula]
        while stack:
            node = stack[-1]
            kind = type(node)
            if kind is fol.Atom:
                table = self._atom(node.predicate, node.arguments)
            elif kind is fol.Not:
                below = tables.get(node.operand)
                if below is None:
                    stack.append(node.operand)
                    continue
                names, bits = below
                table = names, bits ^ self._full(len(names))
            elif kind in _QUANTIFIED:
                below = tables.get(node.body)
                if below is None:
                    stack.append(node.body)
                    continue
                table = self._quantified(node, *below)
            elif kind is fol.Equality:
                names, rows = self._rows((self._value(node.left), self._value(node.right)))
                table = names, self._packed([reduce(or_, map(and_, a, b)) for a, b in rows])
            else:
                left, right = tables.get(node.left), tables.get(node.right)
                if left is None or right is None:
                    if left is None:
                        stack.append(node.left)
                    if right is None:
                        stack.append(node.right)
                    continue
                table = self._joined(kind, left, right)
            stack.pop()
            tables[node] = table
            self._bits += table[1].bit_length()
        return table

    def _full(self, variables: int) -> int:
        """Return the table of what is true everywhere."""
        fulls = self._fulls
        while len(fulls) <= variables:
            fulls.append((1 << self.width * self.size ** len(fulls)) - 1)
        return fulls[variables]

    def _joined(self, connective: type[fol.Formula], left: _Table, right: _Table) -> _Table:
        (names, a), (others, b) = left, right
        if names != others:
            names, a_places, b_places = _aligned(names, others, self.size)
            if a_places is not None:
                a = self._selection(a, a_places)
            if b_places is not None:
                b = self._selection(b, b_places)
        return names, OF_BITS[connective](a, b, self._full(len(names)))

    def _quantified(self, node: fol.ForAll | fol.Exists, names: _Names, bits: int) -> _Table:
        name = node.variable.name
        if name not in names:
            return names, bits
        combine: Callable[[int, int], int] = and_ if type(node) is fol.ForAll else or_
        axis = names.index(name)
        stride = self.size ** (len(names) - axis - 1)
        if axis == 0:
            part = self._full(len(names) - 1)
            step = stride * self.width
            combined = bits & part
            for shift in range(step, step * self.size, step):
                combined = combine(combined, bits >> shift & part)
            return names[1:], combined
        unpacked = self._unpacked(bits, self.size ** len(names))
        blocks = range(0, len(unpacked), stride * self.size)
        grouped = [
            reduce(combine, unpacked[block + low : block + stride * self.size : stride])
            for block in blocks
            for low in range(stride)
        ]
        return names[:axis] + names[axis + 1 :], self._packed(grouped)

    def _packed(self, rows: Sequence[int]) -> int:
        """Return the rows of a table as one integer, the first in its lowest bits."""
        length = self.width // 8
        if self.width % 8:
            return sum(bits << index * self.width for index, bits in enumerate(rows))
        return int.from_bytes(b"".join([bits.to_bytes(length, "little") for bits in rows]), "little")

    def _unpacked(self, bits: int, count: int) -> list[int]:
        if count == 1:
            return [bits]
        length = self.width // 8
        if self.width % 8:
            return [bits >> index * self.width & self.full for index in range(count)]
        stream = bits.to_bytes(length * count, "little")
        return [int.from_bytes(stream[start : start + length], "little") for start in range(0, len(stream), length)]

    def _selection(self, bits: int, selection: _Selection) -> int:
        """Return the rows at some places of a table."""
        count, wanted = selection
        rows = self._unpacked(bits, count)
        return self._packed([rows[row] for row in wanted])

    def _atom(self, predicate: str, arguments: tuple[fol.Term, ...]) -> _Table:
        relation = self.predicate(predicate, len(arguments))
        variables = [term.name for term in arguments if type(term) is fol.Variable]
        if len(variables) == len(arguments):
            names = tuple(sorted(set(variables)))
            if names == tuple(variables):
                return names, self._packed(relation)
            self._check(len(names))
            selected = _places(tuple(names.index(name) for name in variables), len(names), self.size)
            return names, self._packed([relation[row] for row in selected])
        if len(arguments) == 1 and type(arguments[0]) is fol.Constant:
            (value,) = self.function(arguments[0].name, 0)
            return (), reduce(or_, map(and_, relation, value))
        names, rows = self._rows([self._value(term) for term in arguments])
        return names, self._packed([self._selected(relation, row) for row in rows])

    def _rows(self, of_terms: Sequence[_Values]) -> tuple[_Names, list[tuple[Value, ...]]]:
        """Return the values of some terms, for each assignment to the variables of all."""
        names = tuple(sorted({name for of_term, _ in of_terms for name in of_term}))
        self._check(len(names))
        columns = []
        for of_term, values in of_terms:
            selected = _places(tuple(names.index(name) for name in of_term), len(names), self.size)
            columns.append([values[row] for row in selected])
        return names, list(zip(*columns, strict=True))

    def _value(self, root: fol.Term) -> _Values:
        return self._values.get(root) or fol.fold(root, self._evaluated, self._values)

    def _evaluated(self, term: fol.Term, parts: tuple[_Values, ...]) -> _Values:
        if isinstance(term, fol.Variable):
            return (term.name,), self._units
        table = self.function(term.name, len(parts))
        if isinstance(term, fol.Constant):
            return (), table
        by_value = [[cell[element] for cell in table] for element in range(self.size)]
        names, rows = self._rows(parts)
        return names, [tuple(self._selected(bits, row) for bits in by_value) for row in rows]

    def _selected(self, bits: list[int], arguments: tuple[Value, ...]) -> int:
        """Return the entry of a table at arguments that differ from structure to structure."""
        for value in arguments:
            stride = len(bits) // self.size
            parts = [(mask, element * stride) for element, mask in enumerate(value) if mask]
            if len(parts) == 1 and parts[0][0] == self.full:
                bits = bits[parts[0][1] : parts[0][1] + stride]
            else:
                bits = [reduce(or_, [mask & bits[start + low] for mask, start in parts]) for low in range(stride)]
        return bits[0]

    def structure(self, index: int, symbols: Signature) -> Structure:
        """Return one structure of the family, for the symbols of a signature."""

        def element(value: Value) -> int:
            return next(e for e, mask in enumerate(value) if mask >> index & 1)

        functions: dict[str, dict[tuple[int, ...], int]] = {}
        for name, arity in sorted(symbols.functions.items()):
            functions[name] = dict(zip(_rows(self.size, arity), map(element, self.function(name, arity)), strict=True))
        predicates: dict[str, frozenset[tuple[int, ...]]] = {}
        for name, arity in sorted(symbols.predicates.items()):
            rows = zip(_rows(self.size, arity), self.predicate(name, arity), strict=True)
            predicates[name] = frozenset([row for row, bits in rows if bits >> index & 1])
        constants = {name: element(self.function(name, 0)[0]) for name in sorted(symbols.constants)}
        return Structure(self.size, constants, functions, predicates)


@lru_cache(maxsize=100)
def _rows(size: int, arity: int) -> list[tuple[int, ...]]:
    return list(product(range(size), repeat=arity))


@lru_cache(maxsize=10_000)
def _aligned(a: _Names, b: _Names, size: int) -> tuple[_Names, _Selection | None, _Selection | None]:
    """Return the union of two lists of variables, and for each of its assignments the row in either table.

    None where these are the rows of the table as they stand.
    """
    names = tuple(sorted({*a, *b}))
    if size ** len(names) > MAX_TABLE:
        raise TableTooLargeError(f"more than {MAX_TABLE} entries over {size} elements")
    in_a, in_b = (tuple(names.index(name) for name in wanted) for wanted in (a, b))

    def selection(own: _Names, selected: list[int]) -> _Selection | None:
        count = size ** len(own)
        return None if selected == list(range(count)) else (count, selected)

    return (names, selection(a, _places(in_a, len(names), size)), selection(b, _places(in_b, len(names), size)))


@lru_cache(maxsize=10_000)
def _places(wanted: tuple[int, ...], variables: int, size: int) -> list[int]:
    """Return for each assignment to some variables its row in the table over a selection of them."""
    numbers = []
    for row in product(range(size), repeat=variables):
        number = 0
        for index in wanted:
            number = number * size + row[index]
        numbers.append(number)
    return numbers
