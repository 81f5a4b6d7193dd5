"""Truth on every board of Tarski's World, however many blocks it has.

A board without some of its blocks is a board. So a formula whose ∃ stand in no ∀ is true on some board only if it is on
one of the blocks that its constants and its ∃ need: small boards decide it. Of other formulas Z3 is asked, with rows,
columns, shapes and sizes as integers: its models are the boards.
"""

from collections.abc import Callable, Mapping
from typing import Any

from typing_extensions import override

from nlfol.logic.decision.finite_models import witnesses
from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import Answer, Translation, satisfiable
from nlfol.logic.structures import Structure
from nlfol.logic.syntax import Formula

SIDE = 8
"""Rows, and columns, of a board."""


def beyond(first: Formula, second: Formula, seen: int) -> Structure | bool:
    """Return whether formulas that agree on boards of up to ``seen`` blocks provably do on all, or a counter-model."""
    for true, false in ((first, second), (second, first)):
        question = Question((true,), (false,))
        if _is_seen(question, seen):
            continue
        if question.is_too_deep or question.is_too_large:
            return False
        finding = satisfiable(question.conjunction, translation=_OnBoard)
        if finding.answer is not Answer.NO:
            return finding.model if finding.model is not None and question.confirms(finding.model) else False
    return True


def _is_seen(question: Question, seen: int) -> bool:
    """Return whether a board on which the question has a model has one of few blocks."""
    if question.form is None:
        return False
    forms, root = question.form
    needed = witnesses(forms, root)
    return root == forms.falsity or (needed is not None and max(1, len(question.symbols.constants) + needed) <= seen)


def meanings(z3: Any, row: Any, column: Any, shape: Any, size: Any) -> Mapping[str, Callable[..., Any]]:
    """Return what predicates say of blocks, in Z3's terms, by functions from blocks to integers."""

    def is_next(x: Any, y: Any) -> Any:
        return z3.Or(x == y + 1, y == x + 1)

    def is_among(axis: Callable[[Any], Any], x: Any, y: Any, z: Any) -> Any:
        rising, falling = z3.And(axis(y) < axis(x), axis(x) < axis(z)), z3.And(axis(y) > axis(x), axis(x) > axis(z))
        return z3.Or(rising, falling)

    def on_line(line: Callable[[Any], Any], along: Callable[[Any], Any]) -> Callable[..., Any]:
        return lambda x, y, z: z3.And(line(x) == line(y), line(x) == line(z), is_among(along, x, y, z))

    lines = [
        on_line(row, column),
        on_line(column, row),
        on_line(lambda x: row(x) - column(x), row),
        on_line(lambda x: row(x) + column(x), row),
    ]
    return {
        "Cube": lambda x: shape(x) == 0,
        "Tet": lambda x: shape(x) == 1,
        "Dodec": lambda x: shape(x) == 2,
        "SameShape": lambda x, y: shape(x) == shape(y),
        "Small": lambda x: size(x) == 0,
        "Medium": lambda x: size(x) == 1,
        "Large": lambda x: size(x) == 2,
        "Smaller": lambda x, y: size(x) < size(y),
        "Larger": lambda x, y: size(x) > size(y),
        "SameSize": lambda x, y: size(x) == size(y),
        "LeftOf": lambda x, y: column(x) < column(y),
        "RightOf": lambda x, y: column(x) > column(y),
        "BackOf": lambda x, y: row(x) < row(y),
        "FrontOf": lambda x, y: row(x) > row(y),
        "SameRow": lambda x, y: row(x) == row(y),
        "SameCol": lambda x, y: column(x) == column(y),
        "Adjoins": lambda x, y: z3.Or(
            z3.And(row(x) == row(y), is_next(column(x), column(y))),
            z3.And(column(x) == column(y), is_next(row(x), row(y))),
        ),
        "Between": lambda x, y, z: z3.Or(*(line(x, y, z) for line in lines)),
    }


class _OnBoard(Translation):
    """A formula about blocks in Z3's terms, with what makes its models boards."""

    def __init__(self, formula: Formula, context: Any) -> None:
        import z3

        sort, number = z3.DeclareSort("U", context), z3.IntSort(context)
        attributes = [z3.Function(name, sort, number) for name in ("row", "column", "shape", "size")]
        self.meanings = meanings(z3, *attributes)
        super().__init__(formula, context)
        x, y = z3.Const("x", sort), z3.Const("y", sort)
        row, column, *kinds = attributes
        limits = [*((axis, SIDE) for axis in (row, column)), *((kind, 3) for kind in kinds)]
        within = [z3.And(of(x) >= 0, of(x) < limit) for of, limit in limits]
        apart = z3.ForAll([x, y], z3.Implies(z3.And(row(x) == row(y), column(x) == column(y)), x == y))
        self.formula = z3.And(self.formula, z3.ForAll([x], z3.And(within)), apart)

    @override
    def _declare(self, kind: str, name: str, result: Any) -> None:
        if kind == "p":
            self.symbols[kind, name] = self.meanings[name]
        else:
            super()._declare(kind, name, result)
