"""The reader of every strict text, with a place for every error and a warning for every wide scope.

An operator-precedence automaton with its own stack joins the tokens, so that depth costs memory and never the
interpreter's recursion limit. Where names are left free it starts again, with quantifiers that take wide scope.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.infix import PRECEDENCE
from nlfol.logic.reading.tokens import END, NO_LETTERS, SYMBOLS, Letters, position_of, tokens_of


@dataclass(frozen=True, slots=True)
class Reading:
    """A formula, with a warning of one sentence for each quantifier that was given wide scope."""

    formula: fol.Formula
    warnings: tuple[str, ...] = ()


class _Prefix(NamedTuple):
    """¬ (no quantifier), or a quantifier with its variable, waiting for its operand."""

    token: int
    quantifier: type[fol.Quantified] | None = None
    variable: str = ""


class _Infix(NamedTuple):
    precedence: int
    connective: type[fol.Binary]


class _Open(NamedTuple):
    token: int


_CLOSED = [")"]
_AFTER_NAME = ([","], _CLOSED)
_NO_NAMES = frozenset({*SYMBOLS, END})
_INFIX = {sign: _Infix(PRECEDENCE[sign], connective) for sign, connective in fol.CONNECTIVES.items()}


def read_fully(text: str, letters: Letters = NO_LETTERS) -> Reading:
    """Read one formula, whatever stands in it; raises ``FormulaSyntaxError`` with line and column."""
    tokens = tokens_of(text)
    quantified = frozenset(after for before, after in pairwise(tokens) if before in fol.QUANTIFIERS)
    asked: frozenset[int] = frozenset()
    while True:
        parse = _Parse(text, tokens, quantified, _with_blocks(tokens, asked), letters)
        formula = parse.formula()
        # Only a free occurrence can ask for a wider scope.
        widened = parse.to_widen() if formula.profile.free else None
        if not widened:
            break
        asked |= widened
    return Reading(formula, tuple(_scope_warning(text, tokens, index) for index in sorted(asked)))


def _with_blocks(tokens: list[str], asked: frozenset[int]) -> frozenset[int]:
    """Add the quantifiers of the same sign that directly follow each: the block ∀x∀y has one scope."""
    wide = set(asked)
    for first in asked:
        index = first + 2
        while index not in wide and tokens[index : index + 1] == [tokens[first]]:
            wide.add(index)
            index += 2
    return frozenset(wide)


def _scope_warning(text: str, tokens: list[str], index: int) -> str:
    quantifier, variable = tokens[index], tokens[index + 1]
    position = position_of(text, index)
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"column {column}: {quantifier}{variable} read with wide scope, because tight scope leaves {variable} free"


@lru_cache(maxsize=4_096)
def _unquantified(name: str) -> fol.Variable | fol.Constant:
    return fol.Variable(name) if fol.FREE_VARIABLE.fullmatch(name) else fol.Constant(name)


@lru_cache(maxsize=8_192)  # variants of a formula have most atoms in common
def _atom(predicate: str, arguments: tuple[fol.Term, ...]) -> fol.Atom:
    return fol.Atom(predicate, arguments)


class _Parse:
    """One pass over the tokens, with a given set of quantifiers that take wide scope."""

    def __init__(
        self, text: str, tokens: list[str], quantified: frozenset[str], wide: frozenset[int], letters: Letters
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.quantified = quantified
        self.wide = wide
        self.letters = letters
        self.index = 0
        self.operands: list[fol.Formula] = []
        self.operators: list[_Prefix | _Infix | _Open] = []
        self.scopes: dict[int, int] = {}
        self.groups: dict[int, int] = {}
        self.variables: set[int] = set()

    def formula(self) -> fol.Formula:
        tokens = self.tokens
        while True:
            self._operand()
            while tokens[self.index] == ")":
                self._close()
            if tokens[self.index] == END:
                break
            self._infix()
        self._reduce_group()
        if self.operators:
            opening = self.operators[-1]
            assert isinstance(opening, _Open)
            raise self._error("this parenthesis is never closed", opening.token)
        return self.operands.pop()

    def to_widen(self) -> frozenset[int]:
        """Return the nearest quantifiers that wide scope lets bind free occurrences of their variables."""
        widened: set[int] = set()
        reach: dict[str, int] = {}  # where the scopes of a name that are open, or the last of them, end
        candidates: dict[str, list[int]] = {}  # the quantifiers of a name, with tight scope
        ends = [len(self.tokens)]  # of the parentheses around
        group_end: dict[int, int] = {}  # of a quantifier's parenthesis
        for index, token in enumerate(self.tokens):
            while index >= ends[-1] and len(ends) > 1:
                ends.pop()
            if index in self.groups:
                ends.append(self.groups[index])
            elif index in self.scopes:
                name = self.tokens[index + 1]
                reach[name] = max(reach.get(name, 0), self.scopes[index])
                group_end[index] = ends[-1]
                if index not in self.wide:
                    candidates.setdefault(name, []).append(index)
            elif index in self.variables and reach.get(token, 0) <= index:
                reaching = candidates.get(token, [])
                while reaching and group_end[reaching[-1]] <= index:
                    reaching.pop()
                if reaching:
                    widened.add(reaching[-1])
                    for name in self._names_of_prefixes(reaching[-1]):
                        reach[name] = max(reach[name], group_end[reaching[-1]])
        return frozenset(widened)

    def _names_of_prefixes(self, index: int) -> set[str]:
        """Return the variables of a quantifier and of those right before it, whose scopes extend with its own."""
        names = {self.tokens[index + 1]}
        while index > 0:
            if self.tokens[index - 1] == "¬":
                index -= 1
            elif index - 2 in self.scopes:
                index -= 2
                names.add(self.tokens[index + 1])
            else:
                break
        return names

    @property
    def _token(self) -> str:
        return self.tokens[self.index]

    def _error(self, problem: str, index: int | None = None) -> FormulaSyntaxError:
        position = position_of(self.text, self.index if index is None else index)
        return FormulaSyntaxError(problem, self.text, position)

    def _found(self) -> str:
        return repr(self._token) if self._token else "the end"

    def _name(self, expected: str) -> str:
        text = self.tokens[self.index]
        if text in _NO_NAMES:
            raise self._error(f"expected {expected}, found {self._found()}")
        self.index += 1
        return text

    def _operand(self) -> None:
        """Read prefixes and opening parentheses up to an atomic formula; apply the prefixes that bind tightly."""
        tokens = self.tokens
        while True:
            token = tokens[self.index]
            if token == "¬":
                self.operators.append(_Prefix(self.index))
                self.index += 1
            elif token in fol.QUANTIFIERS:
                start = self.index
                self.index += 1
                self.operators.append(_Prefix(start, fol.QUANTIFIERS[token], self._name(f"a variable after {token!r}")))
            elif token == "(":
                self.operators.append(_Open(self.index))
                self.index += 1
            else:
                break
        self.operands.append(self._atomic())
        if self.operators and isinstance(self.operators[-1], _Prefix):
            self._apply_prefixes()

    def _atomic(self) -> fol.Formula:
        start = self.index
        name = self._name("a formula")
        arguments = self._arguments() if self.tokens[start + 1] == "(" else None
        sign = self.tokens[self.index]
        if sign in ("=", "≠"):
            left = self._named_term(start, name, arguments)
            self.index += 1
            equation = fol.Equality(left, self._term())
            return equation if sign == "=" else fol.Not(equation)
        if arguments is not None:
            return _atom(name, arguments)
        if name not in self.letters:
            raise self._error(f"{name!r} stands alone: a predicate needs arguments, an equation needs '='", start)
        if name in self.quantified:
            raise self._error(f"{name!r} stands alone, and a quantifier binds it: a variable is no formula", start)
        return _atom(name, ())

    def _term(self) -> fol.Term:
        start = self.index
        name = self._name("a term")
        return self._named_term(start, name, self._arguments() if self._token == "(" else None)

    def _named_term(self, start: int, name: str, arguments: tuple[fol.Term, ...] | None) -> fol.Term:
        if arguments is not None:
            return fol.Function(name, arguments)
        term = fol.Variable(name) if name in self.quantified else _unquantified(name)
        if isinstance(term, fol.Variable):
            self.variables.add(start)
        return term

    def _arguments(self) -> tuple[fol.Term, ...]:
        """Read the terms between two parentheses; function terms nest on a stack of their own."""
        plain = self._plain_arguments()
        if plain is not None:
            return plain
        self.index += 1
        pending: list[tuple[str, list[fol.Term]]] = [("", [])]
        while True:
            start = self.index
            name = self._name("a term")
            if self._token == "(":
                self.index += 1
                pending.append((name, []))
                continue
            pending[-1][1].append(self._named_term(start, name, None))
            while self._token != ",":
                if self._token != ")":
                    raise self._error(f"expected ')' or ',' in the arguments, found {self._found()}")
                self.index += 1
                function, arguments = pending.pop()
                if not pending:
                    return tuple(arguments)
                pending[-1][1].append(fol.Function(function, tuple(arguments)))
            self.index += 1

    def _plain_arguments(self) -> tuple[fol.Term, ...] | None:
        """Read names with commas between two parentheses; None, and nothing read, where anything else stands there."""
        tokens, index, arguments = self.tokens, self.index, []
        while True:
            name, after = tokens[index + 1], tokens[index + 2 : index + 3]
            if name in _NO_NAMES or after not in _AFTER_NAME:
                return None
            arguments.append(self._named_term(index + 1, name, None))
            index += 2
            if after == _CLOSED:
                self.index = index + 1
                return tuple(arguments)

    def _apply_prefixes(self) -> None:
        while self.operators and isinstance(prefix := self.operators[-1], _Prefix) and prefix.token not in self.wide:
            self._apply(prefix)

    def _apply(self, prefix: _Prefix) -> None:
        self.operators.pop()
        operand = self.operands.pop()
        if prefix.quantifier is None:
            self.operands.append(fol.Not(operand))
        else:
            self.scopes[prefix.token] = self.index
            self.operands.append(prefix.quantifier(fol.Variable(prefix.variable), operand))

    def _infix(self) -> None:
        infix = _INFIX.get(self.tokens[self.index])
        if infix is None:
            raise self._error(f"expected a connective or the end, found {self._found()}")
        precedence, connective = infix
        threshold = precedence + 1 if connective is fol.Implies else precedence
        while self.operators and isinstance(top := self.operators[-1], _Infix) and top.precedence >= threshold:
            self._join(top)
        self.operators.append(infix)
        self.index += 1

    def _join(self, infix: _Infix) -> None:
        self.operators.pop()
        right = self.operands.pop()
        self.operands.append(infix.connective(self.operands.pop(), right))

    def _reduce_group(self) -> None:
        while self.operators and not isinstance(top := self.operators[-1], _Open):
            if isinstance(top, _Infix):
                self._join(top)
            else:
                self._apply(top)

    def _close(self) -> None:
        self._reduce_group()
        if not self.operators:
            raise self._error("this parenthesis was never opened")
        opening = self.operators.pop()
        assert isinstance(opening, _Open)
        self.groups[opening.token] = self.index
        self.index += 1
        self._apply_prefixes()
