"""``nlfol align`` of formulas alone: over an ontology of their own, against gold formulas."""

from __future__ import annotations

from typing import Any

from nlfol.alignment import extraction, shown, symbols_of
from nlfol.alignment.formulas import read
from nlfol.cli.lines import LineError

MAX_FORMULAS = 200
"""Formulas of a record."""


def aligned_formulas(record: dict[str, Any]) -> dict[str, Any]:
    """How formulas stand to gold formulas up to one map of symbols, that map, and what it leaves.

    Raises:
        LineError: if the record has not as many formulas as gold formulas.
        UnreadLineError: of ``nlfol.alignment``, if one cannot be read.
    """
    gold, given = (_texts(record, key) for key in ("gold", "formulas"))
    if len(gold) != len(given):
        raise LineError(f"{len(given)} 'formulas' for {len(gold)} of 'gold'")
    formulas = [read((text,)) for text in given]
    found = extraction([read((text,)) for text in gold], formulas, symbols_of(formulas))
    return {
        "outcome": found.outcome.value,
        "sentences": [
            {"sentence": str(number), "outcome": outcome.value, "fits": fits}
            for number, (outcome, fits) in enumerate(zip(found.sentences, found.fitting, strict=True), 1)
        ],
        "concepts": [
            {"concept": each.name, "kind": each.kind.value, "arity": each.arity, "symbols": [shown(image)]}
            for each, image in found.images.items()
        ],
        "recall": found.concepts.recall,
        "precision": found.concepts.precision,
    }


def _texts(record: dict[str, Any], key: str) -> list[str]:
    texts = record.get(key)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise LineError(f"{key!r} must be a list of formulas")
    if len(texts) > MAX_FORMULAS:
        raise LineError(f"{len(texts)} of {key!r}; at most {MAX_FORMULAS} are aligned")
    return texts
