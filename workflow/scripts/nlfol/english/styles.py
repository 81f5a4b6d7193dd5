"""The styles of English that candidates can be shown in."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from nlfol.english import paper, unambiguous
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology


class Style(StrEnum):
    """How a formula is rendered."""

    PAPER = "paper"
    """T of the paper's appendix C; several formulas can share a rendering."""
    UNAMBIGUOUS = "unambiguous"
    """One reading only: no two formulas share a rendering, and ``reading.read_english`` gives the formula back."""

    @property
    def is_injective(self) -> bool:
        """Whether no two formulas share a rendering."""
        return self is Style.UNAMBIGUOUS


def render_candidates(formulas: Sequence[Formula], ontology: Ontology, style: Style) -> list[str]:
    """The formulas of one candidate set in a style.

    Raises:
        SignatureError, EnglishLengthError: as ``render``.
    """
    match style:
        case Style.PAPER:
            return [paper.render(formula, ontology) for formula in formulas]
        case Style.UNAMBIGUOUS:
            return unambiguous.render_candidates(formulas, ontology)
        case _:
            assert_never(style)


def render(formula: Formula, ontology: Ontology, style: Style) -> str:
    """One English sentence that stands alone, in a style.

    Raises:
        SignatureError: if the formula uses a symbol that the ontology lacks, or with another arity.
        EnglishLengthError: if the unambiguous rendering has more than ``wording.MAX_RENDERING`` characters.
    """
    match style:
        case Style.PAPER:
            return paper.render(formula, ontology)
        case Style.UNAMBIGUOUS:
            return unambiguous.render(formula, ontology)
        case _:
            assert_never(style)
