"""Formulas read for a verdict: a text that could as well mean something else gives none.

Conventions decide on precedence, on the grouping of equal connectives and on the scope of quantifiers; the reading
names each place where they did. Where nothing decides, as on ``^``, the other reading has to mean the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading import Ambiguity, TolerantReading, close_universally, read_tolerantly
from nlfol.logic.syntax import Formula


class AmbiguousFormulaError(FormulaSyntaxError):
    """A text with readings that differ in meaning; ``reading`` is the first of them, with its account."""

    def __init__(self, problem: str, text: str, position: int, reading: TolerantReading) -> None:
        super().__init__(problem, text, position)
        self.reading = reading

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.text, self._position, self.reading)


def read_decided(text: str, *, signature: Signature | None = None, propositions: bool = False) -> TolerantReading:
    """Read a formula as ``read_tolerantly`` does; raises ``AmbiguousFormulaError`` if readings differ in meaning."""
    reading = read_tolerantly(text, signature=signature, propositions=propositions)
    for doubt in doubts(reading, signature):
        position = len(text) - len(text.lstrip())
        raise AmbiguousFormulaError(f"ambiguous: {doubt.detail}", text, position, reading)
    return reading


def doubts(reading: TolerantReading, signature: Signature | None = None) -> list[Ambiguity]:
    """Return the ambiguities that nothing decides, and whose other reading is not proven to mean the same.

    A reading is ruled out if it leaves a variable free that the first binds, or has symbols outside a signature that
    the first keeps to.
    """
    ambiguities = []
    for doubt in reading.ambiguities:
        if doubt.other is None or doubt.other.profile.free - reading.formula.profile.free:
            continue
        if signature is not None and _fits(reading.formula, signature) and not _fits(doubt.other, signature):
            continue
        first, other = close_universally(reading.formula), close_universally(doubt.other)
        if equivalence(first, other).outcome is not Outcome.EQUIVALENT:
            ambiguities.append(doubt)
    return ambiguities


@dataclass(frozen=True, slots=True)
class Variant:
    """Formulas of a text in another reading, and the place and detail of the doubt."""

    place: int
    detail: str
    formulas: tuple[Formula, ...]


def variants(readings: Sequence[TolerantReading], signature: Signature | None = None) -> list[Variant]:
    """Return the other readings of some formulas: with each doubt taken the other way alone, and with all of them."""
    alternatives = []
    formulas = others = tuple(reading.formula for reading in readings)
    for index, reading in enumerate(readings):
        for doubt in doubts(reading, signature):
            assert doubt.other is not None
            alternatives.append(Variant(index, doubt.detail, (*formulas[:index], doubt.other, *formulas[index + 1 :])))
            others = (*others[:index], doubt.other, *others[index + 1 :])
    return (
        [*alternatives, Variant(alternatives[0].place, alternatives[0].detail, others)]
        if len(alternatives) > 1
        else alternatives
    )


def _fits(formula: Formula, signature: Signature) -> bool:
    try:
        signature.check(formula)
    except SignatureError:
        return False
    return True
