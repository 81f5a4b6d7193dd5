"""Meanings of answered sentences of a formal language: reading them, and verdicts on them."""

from enum import StrEnum
from hashlib import sha256
from typing import Literal

from nlfol.logic import read_decided
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import Comparison
from nlfol.logic.measuring import Signature
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import TolerantReading, read
from nlfol.logic.regular import Expression, matches
from nlfol.logic.syntax import Formula
from nlfol.tasks.cpu_limit import limited_cpu
from nlfol.tasks.task import Judgement

Sentence = Formula | Expression
"""A sentence of a formal language."""


class PairKind(StrEnum):
    """The kinds of pairs of formulas that are explained (``explaining``)."""

    TRANSLATION = "translation"  # of a sentence
    FIRST_ROUND = "first_round"  # of a round trip
    LATER_ROUND = "later_round"


@limited_cpu()
def read_formula(text: str, signature: Signature, reading: Literal["tolerant", "strict"]) -> TolerantReading:
    """Read a formula of the canonical notation alone, or of any, with repairs.

    Raises ``FormulaSyntaxError``, ``AmbiguousFormulaError`` if its readings differ in meaning, ``TookTooLongError``.
    """
    if reading == "tolerant":
        return read_decided(text, signature=signature)
    strict = read(text, signature=signature)
    return TolerantReading(strict.formula, "unicode", strict.warnings)


def told(reading: TolerantReading) -> tuple[str, ...]:
    """Return the ambiguities of a reading, as a judgement has them."""
    return tuple(f"{ambiguity.kind}: {ambiguity.detail}" for ambiguity in reading.ambiguities)


def liberties_of(reading: TolerantReading) -> tuple[str, ...]:
    """Return the kinds of liberties of a reading: another dialect, a repair, and its ambiguities."""
    dialect = () if reading.dialect == "unicode" else (reading.dialect,)
    repaired = ("repair",) if reading.repairs else ()
    return tuple(dict.fromkeys((*dialect, *repaired, *(ambiguity.kind for ambiguity in reading.ambiguities))))


def judgement_of(comparison: Comparison, gold: Sentence, names: tuple[str, str]) -> Judgement:
    """Return a verdict as a judgement without scores; ``names`` are those of both sentences.

    For an expression that is not equivalent, it has the word that tells the two apart; for a formula, the evidence
    does (``explaining``).
    """
    word, detail = comparison.word, comparison.reason
    if isinstance(gold, Formula):
        detail = None if comparison.outcome is Outcome.NOT_EQUIVALENT else detail
    elif word is not None:
        matching, other = names if matches(gold, word) else names[::-1]
        named = f"the word '{word}'" if word else "the empty word"
        detail = f"{named} matches the {matching}, and does not match the {other}"
    return Judgement({}, verdict=comparison.outcome, means=comparison.means, word=word, detail=detail)


def pair_key(kind: PairKind, language: str, gold: str, formula: str, ontology: Ontology, *said: str) -> str:
    """Return the digest of all that the evidence on two formulas in canonical notation depends on.

    ``said`` is of a translation: the sentence and the other formulas of its story.
    """
    return sha256("\0".join((kind, language, gold, formula, ontology.digest, *said)).encode()).hexdigest()[:32]
