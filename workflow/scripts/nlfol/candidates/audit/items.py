"""Candidate sets as they are handed in, and with their formulas read."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from nlfol.logic.errors import LogicError, SignatureError
from nlfol.logic.measuring import signature_of
from nlfol.logic.syntax import Formula

MAX_MEMBERS = 200
"""Members of the largest set: their pairs are all decided."""


class PublishedRole(StrEnum):
    """What a member is: as the published sets of the paper name it, and two roles of our own."""

    PHI = "phi"
    """The gold formula."""
    PERTURBATION = "perturbation"
    """One elementary edit of the gold formula's tree."""
    PERTURBATION_TWO_EDITS = "perturbation_two_edits"
    """Two elementary edits; not in the published sets."""
    EQUIVALENT = "equivalent"
    NEGATION = "negation"
    NEGATION_NNF = "negation_nnf"
    NEGATION_EQUIVALENT = "negation_equivalent"
    """Stands in for the negation normal form where that is the negation itself; not in the published sets."""


_ALL = frozenset(PublishedRole)
NEGATIONS = frozenset({PublishedRole.NEGATION, PublishedRole.NEGATION_NNF, PublishedRole.NEGATION_EQUIVALENT})
DISTRACTORS = frozenset({PublishedRole.PERTURBATION, PublishedRole.PERTURBATION_TWO_EDITS})


class ItemError(ValueError):
    """Values that make no item."""


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate set.

    Attributes:
        id: what it is called.
        formulas: each member's formula, as text.
        roles: each member's role.
        renderings: each member's English, None where it has none; or None for the whole.

    Raises:
        ItemError: if the three differ in length or are longer than ``MAX_MEMBERS``.
    """

    id: str | int
    formulas: tuple[str, ...]
    roles: tuple[PublishedRole, ...]
    renderings: tuple[str | None, ...] | None = None

    def __post_init__(self) -> None:
        members = len(self.formulas)
        if len(self.roles) != members:
            raise ItemError(f"{members} formulas, but {len(self.roles)} roles")
        if self.renderings is not None and len(self.renderings) != members:
            raise ItemError(f"{members} formulas, but {len(self.renderings)} renderings")
        if members > MAX_MEMBERS:
            raise ItemError(f"{members} members; at most {MAX_MEMBERS} are audited")


class ReadItem:
    """An item with its formulas read; a member is called by its index.

    Attributes:
        item: the item.
        formulas: each member's formula; None where it cannot be read.
        problems: the reader's message for each member that cannot be read.
    """

    def __init__(self, item: Item, reader: Callable[[str], Formula]) -> None:
        self.item = item
        self.formulas: list[Formula | None] = []
        self.problems: dict[int, str] = {}
        for index, text in enumerate(item.formulas):
            try:
                self.formulas.append(reader(text))
            except LogicError as error:
                self.formulas.append(None)
                self.problems[index] = str(error)

    def having(self, roles: Container[PublishedRole]) -> list[int]:
        """The members of some roles."""
        return [index for index, role in enumerate(self.item.roles) if role in roles]

    def read(self, roles: Container[PublishedRole]) -> list[tuple[int, Formula]]:
        """The members of some roles that can be read, with their formulas."""
        found = ((index, self.formulas[index]) for index in self.having(roles))
        return [(index, formula) for index, formula in found if formula is not None]

    def comparable(self, roles: Container[PublishedRole]) -> list[tuple[int, Formula]]:
        """The members of some roles with a meaning to compare: read, closed, and of one signature with the gold."""
        return [(index, formula) for index, formula in self.read(roles) if index not in self._incomparable]

    @cached_property
    def gold(self) -> tuple[int, Formula] | None:
        """The gold formula, where there is exactly one and it can be read."""
        found = self.having({PublishedRole.PHI})
        formula = self.formulas[found[0]] if len(found) == 1 else None
        return None if formula is None else (found[0], formula)

    @cached_property
    def free(self) -> dict[int, list[str]]:
        """The free variables of each open member."""
        found = {index: sorted(formula.profile.free) for index, formula in self.read(_ALL)}
        return {index: names for index, names in found.items() if names}

    @cached_property
    def arity_conflicts(self) -> dict[tuple[int, ...], str]:
        """Members that use a symbol with two arities: one by itself, or the gold formula and another."""
        found: dict[tuple[int, ...], str] = {}
        for index, formula in self.read(_ALL):
            symbols = formula.profile.symbols
            try:
                signature_of(symbols)
            except SignatureError as error:
                found[(index,)] = str(error)
                continue
            if self.gold is None or (self.gold[0],) in found:
                continue
            try:
                signature_of(symbols | self.gold[1].profile.symbols)
            except SignatureError as error:
                found[(self.gold[0], index)] = str(error)
        return found

    @cached_property
    def _incomparable(self) -> frozenset[int]:
        # Of a conflict with the gold formula, the other member is at fault.
        return frozenset({*self.free, *(members[-1] for members in self.arity_conflicts)})
