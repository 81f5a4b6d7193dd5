"""Candidate sets: what a model chooses from.

How the members come about is the business of a protocol: ``audited`` proves what must hold between them, ``paper``
follows the published procedure. Members stand in canonical order: the gold formula, then the others by role, and within
a role as drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from nlfol.candidates.certificates import Certificate
from nlfol.english.errors import EnglishLengthError
from nlfol.english.styles import Style, render, render_candidates
from nlfol.logic.syntax import Formula, Path
from nlfol.ontology.ontology import Ontology


class Role(StrEnum):
    """What a member of a candidate set is; in canonical order."""

    GOLD = "gold"
    PERTURBATION = "perturbation"
    EQUIVALENT = "equivalent"
    NEGATION = "negation"
    NEGATION_NORMAL_FORM = "negation_normal_form"
    NEGATION_EQUIVALENT = "negation_equivalent"
    """Stands in for the negation normal form where that is the same tree as the negation."""
    DIFFERENT = "different"
    """Of another meaning, and no edit made it: a model did."""
    ORIGINAL = "original"
    """What the gold formula was made of by an edit."""
    SENTENCE = "sentence"
    """Of a story that is asked about as a whole."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One member of a set.

    Attributes:
        formula: the formula; of the languages that have expressions instead, the expression.
        english: its rendering; empty where none was wanted.
        role: what it is.
        edits: of a perturbation, how many elementary edits lie between it and the gold formula; 0 of any other.
        change: the kinds of edit or the laws that made it, in their order; none for the gold formula and the negation.
        path: where each was applied, in the formula as it then was.
        certificates: its proven relations to members before it, and of a perturbation to the negation; None where
            nothing was certified.
    """

    formula: Formula
    english: str
    role: Role
    edits: int = 0
    change: tuple[str, ...] = ()
    path: tuple[Path, ...] = ()
    certificates: tuple[Certificate, ...] | None = None


class CandidateError(ValueError):
    """An item from which no set can be made.

    Attributes:
        reason: a word to count by.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


def rendered(formula: Formula, ontology: Ontology, style: Style) -> str:
    """The English of a member, whatever the others are.

    Raises:
        CandidateError: ``rendering_too_long`` where it has none of usable length, as a normal form of many nested ↔.
    """
    with _usable():
        return render(formula, ontology, style)


def rendered_together(formulas: Sequence[Formula], ontology: Ontology, style: Style) -> list[str]:
    """The English of all members of a set, none told from the others by how it is laid out.

    Raises:
        CandidateError: as ``rendered``.
    """
    with _usable():
        return render_candidates(formulas, ontology, style)


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except EnglishLengthError as error:
        raise CandidateError("rendering_too_long", str(error)) from error
