"""A table of concepts that grows sentence by sentence, and rewrites earlier lines (MenTaL, Algorithm 1).

An expression of the text stands for a symbol, or for the conjunction of two. With ``reuse`` and ``extend``, the
expression stands for the symbol, which is new if the table has not got it. With ``refine``, it stands for base ∧
modifier. If it stood for one symbol, that symbol is refined: in all lines, earlier and later, the conjunction takes its
place. As printed, the algorithm goes on to make a new symbol after it has found one to reuse; its evident meaning is
followed.

A word that points back, as "he", may stand for another one each time: it is no expression of a row.

An operation is refused, which changes nothing and is told to the model at its next step, if a name or expression is
none, the symbol has another number of arguments in the table, or the expression stands for another symbol. ``refine``
is refused, too, if the symbol has no arguments or is a variable of constraints, if it is refined already or would be
made of itself, and if some line cannot say the conjunction: clauses have no negation of one, and their query is one
fact. A line that cannot be read is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import StrictInt, StrictStr

from nlfol.problems.programs.language import QUERY, SolverLanguage
from nlfol.problems.programs.symbols import Conjunct, LineError, SymbolKind
from nlfol.tasks.answers import JsonAnswer
from nlfol.tasks.program_answers import EXPRESSION, MAX_ARITY

MAX_LINE = 2_000
"""Characters of a line that a refinement may make."""

_NAME = re.compile(r"[^\W\d]\w*")
_PREDICATE = re.compile(r"[A-Z]\w*", re.ASCII)

POINTING = re.compile(
    "(?i)(he|him|his|himself|she|hers?|herself|its?|itself|they|them|theirs?|this|that|one|the former|the latter)"
)
"""Words that point back, each time to whatever was spoken of: no expressions of the table."""

Lines = Mapping[str, tuple[str, ...]]
"""Lines by place: the number of a sentence as text, and what is asked."""


class Operation(JsonAnswer):
    """An operation on the table."""

    operation: Literal["reuse", "extend", "refine"]
    expression: StrictStr
    symbol: StrictStr
    arity: StrictInt
    modifier: StrictStr

    def __str__(self) -> str:
        modifier = f" ∧ {self.modifier[:EXPRESSION]}" if self.modifier else ""
        return f"{self.operation} {self.expression[:EXPRESSION]!r} -> {self.symbol[:EXPRESSION]}{modifier}"


class RefusedError(ValueError):
    """An operation that makes no sense."""


@dataclass(frozen=True, slots=True)
class Row:
    """A symbol, or the conjunction of several, modifiers first, with the expressions that stand for it."""

    symbols: tuple[str, ...]
    arity: int
    expressions: tuple[str, ...] = ()

    @property
    def symbol(self) -> str:
        """Return its name, or the conjunction."""
        return " ∧ ".join(self.symbols)


@dataclass(frozen=True, slots=True)
class Concepts:
    """The table with the lines so far.

    ``refined`` has the symbols that are no more, each with modifier and base, in the order of refinement; ``lines``
    have all refinements done; ``refused`` are operations of the last step that were not done, with the reason.
    """

    language: SolverLanguage
    rows: tuple[Row, ...] = ()
    refined: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lines: Lines = field(default_factory=dict)
    refused: tuple[str, ...] = ()

    def after(self, operations: Sequence[Operation], lines: Lines) -> Concepts:
        """Return the table with operations done, one after the other, and then with further lines."""
        concepts, refused = self, []
        for operation in operations:
            try:
                concepts = concepts._done(operation, lines)
            except RefusedError as error:
                refused.append(f"{operation}: {error}")
        further = {place: tuple(concepts._refined(place, line) for line in texts) for place, texts in lines.items()}
        return replace(concepts, lines={**concepts.lines, **further}, refused=tuple(refused))

    def row_of(self, expression: str) -> Row | None:
        """Return the row that an expression stands in."""
        return next((row for row in self.rows if expression.casefold() in map(str.casefold, row.expressions)), None)

    def _row(self, *symbols: str) -> Row | None:
        return next((row for row in self.rows if row.symbols == symbols), None)

    def _done(self, operation: Operation, lines: Lines) -> Concepts:
        expression = " ".join(operation.expression.split())
        if not 0 < len(expression) <= EXPRESSION:
            raise RefusedError(f"an expression has 1 to {EXPRESSION} characters")
        if not 0 <= operation.arity <= MAX_ARITY:
            raise RefusedError(f"a symbol has 0 to {MAX_ARITY} arguments")
        if operation.operation == "refine":
            return self._with_conjunction(operation, expression, lines)
        expressions = () if POINTING.fullmatch(expression) else (expression,)
        return self._with(Row(self._parts(_name(operation.symbol)), operation.arity, expressions))

    def _parts(self, symbol: str) -> tuple[str, ...]:
        parts: dict[str, None] = {}
        seen, left = set[str](), [symbol]
        while left:
            name = left.pop()
            if name in self.refined and name not in seen:
                left += reversed(self.refined[name])
            elif name not in self.refined:
                parts[name] = None
            seen.add(name)
        return tuple(parts)

    def _with(self, row: Row) -> Concepts:
        known = self._row(*row.symbols)
        if known is not None and known.arity != row.arity:
            raise RefusedError(f"{row.symbol} has {known.arity} arguments in the table")
        for expression in row.expressions:
            other = self.row_of(expression)
            if other is not None and other is not known:
                raise RefusedError(f"the expression stands for {other.symbol}")
        return replace(self, rows=_joined((*self.rows, row)))

    def _with_conjunction(self, operation: Operation, expression: str, lines: Lines) -> Concepts:
        if not self.language.has_conjunctions:
            raise RefusedError(f"a variable of {self.language} stands for one thing, and is no conjunction")
        base, modifier = (_name(name) for name in (operation.symbol, operation.modifier))
        row = self.row_of(expression)
        conjunction = Row((modifier, base), operation.arity, (expression,))
        self._check_parts(conjunction, row)
        split = replace(self, rows=_joined((*self.rows, *(Row((part,), operation.arity) for part in (base, modifier)))))
        if row is None or row.symbols == conjunction.symbols:
            return split._with(conjunction)
        return split._replaced(row.symbols[0], conjunction, lines)

    def _check_parts(self, conjunction: Row, row: Row | None) -> None:
        modifier, base = conjunction.symbols
        if not conjunction.arity:
            raise RefusedError("what has no arguments is no conjunction")
        if modifier == base:
            raise RefusedError("a symbol is no conjunction of itself")
        for symbol in conjunction.symbols:
            if not _PREDICATE.fullmatch(symbol):
                raise RefusedError(f"{symbol} is no name of a predicate, which begins with a capital letter")
            if symbol in self.refined:
                raise RefusedError(f"{symbol} is refined to {' ∧ '.join(self._parts(symbol))}")
            known = self._row(symbol)
            if known is not None and known.arity != conjunction.arity:
                raise RefusedError(f"{symbol} has {known.arity} arguments in the table")
        if row is not None and row.symbols != conjunction.symbols:
            if len(row.symbols) > 1:
                raise RefusedError(f"the expression stands for {row.symbol}")
            if row.symbols[0] in conjunction.symbols:
                raise RefusedError(f"{row.symbol} would be made of itself")
            if row.arity != conjunction.arity:
                raise RefusedError(f"{row.symbol} has {row.arity} arguments in the table")

    def _replaced(self, symbol: str, conjunction: Row, lines: Lines) -> Concepts:
        """Return the table with a symbol refined, also in all lines."""
        try:
            changed = {
                place: tuple(self._rewritten(place, line, symbol, conjunction.symbols) for line in texts)
                for place, texts in {**self.lines, **lines}.items()
            }
        except LineError as error:
            raise RefusedError(f"a line cannot say it: {error}") from error
        modifier, base = conjunction.symbols
        concepts = replace(self, refined={**self.refined, symbol: (modifier, base)})
        rows = (
            replace(row, symbols=tuple(part for name in row.symbols for part in concepts._parts(name)))
            for row in self.rows
        )
        return replace(concepts, rows=_joined(rows), lines={place: changed[place] for place in self.lines})

    def _refined(self, place: str, line: str) -> str:
        """Return a new line without symbols that are refined, as far as it can say so."""
        for symbol, parts in self.refined.items():
            try:
                line = self._rewritten(place, line, symbol, parts)
            except LineError:
                continue  # left as it was written, for the solver to judge
        return line

    def _rewritten(self, place: str, line: str, symbol: str, parts: Sequence[str]) -> str:
        """Return the line with a conjunction for a symbol; raises ``LineError`` if it cannot say that."""
        if not re.search(rf"\b{re.escape(symbol)}\b", line):
            return line
        try:
            symbols = self.language.numbered((line,)).symbols
        except LineError:
            return line  # whatever it is, the solver cannot read it either
        concepts = [concept for concept in symbols if concept[:2] == (SymbolKind.PREDICATE, symbol)]
        if concepts and place == QUERY and not self.language.asks_conjunctions:
            raise LineError("the query is one fact")
        images = {
            concept: tuple(Conjunct(concept._replace(name=part), tuple(range(concept.arity))) for part in parts)
            for concept in concepts
        }
        (rewritten,) = self.language.rewritten((line,), images) if concepts else (line,)
        if len(rewritten) > MAX_LINE:
            raise LineError(f"it would have {len(rewritten)} characters; at most {MAX_LINE}")
        return rewritten


def _joined(rows: Iterable[Row]) -> tuple[Row, ...]:
    by_symbols: dict[tuple[str, ...], Row] = {}
    for row in rows:
        symbols = tuple(dict.fromkeys(row.symbols))
        known = by_symbols.get(symbols, Row(symbols, row.arity))
        spellings: dict[str, str] = {}
        for expression in (*known.expressions, *row.expressions):
            spellings.setdefault(expression.casefold(), expression)
        by_symbols[symbols] = replace(known, expressions=tuple(spellings.values()))
    return tuple(by_symbols.values())


def _name(text: str) -> str:
    name = text.strip()
    if len(name) > EXPRESSION or not _NAME.fullmatch(name):
        raise RefusedError(f"{text[:EXPRESSION]!r} is no name of a symbol")
    return name
