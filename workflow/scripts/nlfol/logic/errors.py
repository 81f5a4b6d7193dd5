"""Errors of the logic package; every message names the thing, the place and the remedy."""

from typing import Any


class LogicError(ValueError):
    """Base of all errors that this package raises on bad formulas."""


class FormulaError(LogicError):
    """A formula that cannot be built, printed or processed as asked."""


class FormulaSyntaxError(LogicError):
    """A text that is not a formula of the strict notation: the problem, and its line and column, from 1."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        self.problem = problem
        self.text = text
        self._position = position = min(position, len(text))
        self.line = text.count("\n", 0, position) + 1
        self.column = position - (text.rfind("\n", 0, position) + 1) + 1
        shown = text.split("\n")[self.line - 1]
        if len(shown) > 200:
            shown = shown[:200] + "…"
        super().__init__(f"line {self.line}, column {self.column}: {problem}; in: {shown!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.text, self._position)


class SignatureError(LogicError):
    """A formula with a symbol that the signature lacks, or with another arity."""

    def __init__(self, problem: str, symbol: str) -> None:
        self.symbol = symbol
        super().__init__(problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.symbol)
