"""What a text that need not be strict was read as."""

from __future__ import annotations

from dataclasses import dataclass

from nlfol.logic.syntax import Formula


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A place where the text could mean something else.

    Attributes:
        kind: ``caret``, ``mixed_and_or``, ``mixed_exclusive_or``, ``implication_chain``, ``quantifier_scope``,
            ``word_operator``, ``leading_dash``, ``sort``, ``prefix_application``, ``equality``, ``typeface`` or
            ``comma``.
        detail: a sentence.
    """

    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class TolerantReading:
    """A formula with the account of how it was read.

    Attributes:
        formula: the syntax tree.
        dialect: ``unicode``, ``latex``, ``ascii``, ``prover9``, ``nltk``, ``tptp``, ``lean``, ``smtlib``,
            or ``mathematics``: any of these with infix comparisons, membership or arithmetic.
        repairs: what was dropped, changed or supplied, one sentence each.
        ambiguities: where the text could mean something else.
        alternatives: the other readings, as far as they could be built; none of them is ``formula``.
    """

    formula: Formula
    dialect: str
    repairs: tuple[str, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = ()
    alternatives: tuple[Formula, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether the text could mean something else."""
        return bool(self.ambiguities)
