"""Errors of the package; every message names the thing, the place and the remedy."""

from typing import Any


class RegularError(ValueError):
    """Base of all errors that this package raises on bad expressions."""


class ExpressionError(RegularError):
    """An expression that cannot be built or processed as asked."""


class ExpressionSyntaxError(RegularError):
    """A text that is no expression, nor its English; ``position`` counts from 0, ``line`` and ``column`` from 1."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        self.problem = problem
        self.text = text
        self.position = min(position, len(text))
        before = text[: self.position].split("\n")
        self.line = len(before)
        self.column = len(before[-1]) + 1
        begin = self.position - self.column + 1
        end = text.find("\n", begin)
        line = text[begin:] if end < 0 else text[begin:end]
        shown = line if len(line) <= 200 else line[:200] + "…"
        super().__init__(f"line {self.line}, column {self.column}: {problem}; in: {shown!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.text, self.position)


class StateBudgetError(RegularError):
    """An automaton with more states than may be visited, or an expression with too many letters for one."""
