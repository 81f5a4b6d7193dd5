"""What was proposed, kept and chosen of rewrites, what became of the meaning, and how similar the words are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlfol.statistics.clusters import clustered_error, student_quantile
from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import PROPOSALS, REWRITTEN, SIMILARITIES, WORDINGS

THRESHOLD = 0.9
"""Of the paper, for the share of pairs that reach it."""

Key = tuple[str, str]
"""Level and type."""


@dataclass(frozen=True, slots=True)
class Diversified:
    """The files of a diversified dataset.

    Attributes:
        name: of the dataset.
        protocol: ``audited`` or ``paper``.
        problems: its PROBLEMS.
        audit: its REWRITTEN.
        proposals: its PROPOSALS; none of protocol ``audited``.
        similarities: its SIMILARITIES; likewise.
        wordings: its WORDINGS by embedding model.
    """

    name: str
    protocol: str
    problems: Path
    audit: Path
    proposals: Path | None
    similarities: Path | None
    wordings: Mapping[str, Path]


def rewrites(datasets: Sequence[Diversified]) -> Iterator[dict[str, Any]]:
    """The rows of ``rewrite_schemas.REWRITES``: levels and types in the order of their first use."""
    for dataset in datasets:
        counts: dict[Key, dict[str, int]] = {}
        if dataset.proposals is not None and dataset.similarities is not None:
            _count_proposals(counts, dataset.proposals, dataset.similarities)
        _count_chosen(counts, dataset.problems, dataset.audit)
        for (level, kind), found in sorted(counts.items(), key=lambda each: _LEVELS.index(each[0][0])):
            zero = dict.fromkeys(_PROPOSED, 0 if dataset.proposals is not None else None)
            named = {"dataset": dataset.name, "protocol": dataset.protocol, "level": level, "type": kind}
            yield named | zero | dict.fromkeys(_CHOSEN, 0) | found


_LEVELS = ("word", "phrase", "sentence")
_PROPOSED = ("proposed", "unusable", "fallback", "kept")
_CHOSEN = ("chosen", "meaning_kept", "meaning_changed", "meaning_unread")


def _add(counts: dict[Key, dict[str, int]], row: Mapping[str, Any], *names: str) -> None:
    found = counts.setdefault((row["level"], row["type"]), {})
    for name in names:
        found[name] = found.get(name, 0) + 1


def _count_proposals(counts: dict[Key, dict[str, int]], proposals: Path, similarities: Path) -> None:
    kept = {
        (row["item"], row["statement"], row["sentence"])
        for row in files.rows(similarities, SIMILARITIES)
        if row["kept"]
    }
    for row in files.rows(proposals, PROPOSALS):
        _add(counts, row, "proposed", *(["fallback"] if row["fallback"] else []))
        if row["status"] != "usable":
            _add(counts, row, "unusable")
        elif (row["item"], row["statement"], row["sentence"]) in kept:
            _add(counts, row, "kept")


def _count_chosen(counts: dict[Key, dict[str, int]], problems: Path, audit: Path) -> None:
    verdicts: dict[tuple[str, int], set[str]] = {}
    for row in files.rows(audit, REWRITTEN):
        if row["statement"] is not None:
            verdicts.setdefault((row["item"], row["statement"]), set()).add(row["verdict"])
    for row in files.rows(problems, PROBLEMS):
        if row["status"] != "usable":
            continue
        for rewrite in row["rewrites"]:
            found = verdicts[row["item"], rewrite["statement"]]
            meant = [f"meaning_{verdict}" for verdict in ("changed", "unread", "kept") if verdict in found]
            _add(counts, rewrite, "chosen", *meant[:1])


def similarity(datasets: Sequence[Diversified]) -> Iterator[dict[str, Any]]:
    """The rows of ``rewrite_schemas.SIMILARITY``."""
    for dataset in datasets:
        for model, path in dataset.wordings.items():
            rows = files.rows(path, WORDINGS)
            for unit in ("statement", "concept"):
                of_unit = [row for row in rows if row["unit"] == unit]
                found = [row["similarity"] for row in of_unit]
                yield {
                    "dataset": dataset.name,
                    "protocol": dataset.protocol,
                    "model": model,
                    "unit": unit,
                    "problems": len({row["item"] for row in of_unit}),
                    "pairs": len(of_unit),
                    **_mean(found, [row["item"] for row in of_unit]),
                    "reached": sum(each >= THRESHOLD for each in found) / len(found) if found else None,
                }


def _mean(found: Sequence[float], items: Sequence[str]) -> dict[str, float | None]:
    if not found:
        return {"mean": None, "low": None, "high": None}
    mean, error, problems = clustered_error(np.asarray(found, dtype=np.float64), items)
    if error is None:
        return {"mean": mean, "low": None, "high": None}
    half = student_quantile(problems) * error
    return {"mean": mean, "low": max(-1.0, mean - half), "high": min(1.0, mean + half)}
