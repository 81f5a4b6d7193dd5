"""Names that SoLT and MenTaL give to parts of an experiment (``solt.csv``), by its entries.

Names of datasets there follow from the reader of the original and, of ProofWriter, from the language of the programs;
``original`` and ``diversified`` from the wording; tasks are strategies. So an entry's own name plays no part.
"""

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

import polars as pl

from nlfol.tables.table import Score

_DATASETS = {
    "folio_questions": "folio",
    "proverqa": "proverqa",
    "prontoqa": "prontoqa",
    "logical_deduction": "logical_deduction",
}
_BY_LANGUAGE = {
    ("proofwriter", "formulas"): "proofwriter_prover",
    ("proofwriter", "clauses"): "proofwriter_rules",
}
"""One dataset, whose programs the paper executes by Prover9 and by PyKE."""

_TYPES = {"reference": "third_person", "synonym": "synonym", "part_of_speech": "part_of_speech", "voice": "syntactic"}
"""Kinds of rewriting, and what figure 2 calls them."""

_MENTIONS = 2
"""Mentions that are rewritten in a problem of figure 2, at most."""

_ORIGINAL, _DIVERSIFIED = "original", "diversified"

Key = tuple[str, str, str, str, str, str]
"""Dataset, task, metric, presentation, model and second model, as published."""


def worded(drift: pl.DataFrame, stability: pl.DataFrame) -> Iterator[tuple[Key, str, str | None, Score]]:
    """Yield our figures by their key in ``solt.csv``, with the task's entry and the dataset's protocol.

    Args:
        drift: rows of ``analyses.drift.DRIFT``.
        stability: rows of ``analyses.stability.STABILITY``.
    """
    for row in drift.to_dicts():
        name, shown = dataset_of(row), _wording(row)
        if name is None or shown is None:
            continue
        # The paper's consistency is a share of translations, which at its accuracy cannot be whole programs.
        for metric, column, times in (("accuracy_percent", "right", 100), ("dispersion", "dispersion", 1)):
            yield from _scored(row, (name, shown), metric, column, times)
        if shown == _DIVERSIFIED:
            yield from _scored(row, (name, shown), "consistency", "lines", 1)
    yield from _drops(stability)


def dataset_of(row: Mapping[str, Any]) -> str | None:
    """Return the published name of a dataset; None if the paper does not have it."""
    return _DATASETS.get(row["reader"]) or _BY_LANGUAGE.get((row["reader"], row["language"]))


def _wording(row: Mapping[str, Any]) -> str | None:
    """Return the published wording of problems (original or diversified); None if the paper has no such wording."""
    if row["original"] is None:
        return _ORIGINAL
    is_whole = row["intensity"] == 1 and not row["types"] and row["at_most"] is None
    return _DIVERSIFIED if is_whole and not row["glossary"] and not row["decoys"] else None


def _scored(
    row: Mapping[str, Any], named: tuple[str, str], metric: str, column: str, times: int
) -> Iterator[tuple[Key, str, str | None, Score]]:
    if row[column] is not None:
        name, shown = named
        low, high = (None if (end := row[f"{column}_{part}"]) is None else times * end for part in ("low", "high"))
        score = Score(times * row[column], None, low, high)
        yield (name, row["strategy"], metric, shown, row["model"], ""), row["task"], row["procedure"], score


def _drops(stability: pl.DataFrame) -> Iterator[tuple[Key, str, str | None, Score]]:
    """Yield the mean drop over datasets, the only one that the paper prints."""
    known = [*_DATASETS, *(reader for reader, _ in _BY_LANGUAGE)]
    alone = stability.filter(
        pl.col("reader").is_in(known),
        pl.col("strategy").is_not_null(),
        pl.col("types").list.len() == 1,
        pl.col("at_most") == _MENTIONS,
        pl.col("intensity") == 1,
        ~pl.col("glossary"),
        pl.col("decoys") == 0,
    )
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for row in alone.to_dicts():
        if row["types"][0] in _TYPES:
            key = _TYPES[row["types"][0]], row["strategy"], row["model"], row["task"]
            found.setdefault(key, []).append(row["drop"])
    for (kind, strategy, model, task), drops in found.items():
        # Only the audited protocol has single kinds.
        yield ("", strategy, f"accuracy_drop_{kind}", _DIVERSIFIED, model, ""), task, "audited", Score(fmean(drops))
