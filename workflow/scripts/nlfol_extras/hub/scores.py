"""Scores of a run for the repositories of its models: ``.eval_results/*.yaml``, as the Hub's benchmarks take them.

The format is that of https://huggingface.co/docs/hub/eval-results (``huggingface_hub.EvalResultEntry``).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

import polars as pl

from nlfol import __version__
from nlfol.asking.asking import Offered
from nlfol.facts import GUESSERS, REFERENCES
from nlfol.mappings import JsonObject
from nlfol.provenance.manifest import read
from nlfol.store.canonical import canonical
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import SCORES
from nlfol_extras.hub.dataset import Published, Split

_UNANSWERED = ("failed", "internal_error")
_OF_ROWS = ("task", "seed", "experiment_seed", "presentation", "context")
"""Columns that rows have beside their items, and evidence that no score depends on."""


class Entry(TypedDict, total=False):
    """A score on a leaderboard, ``source`` only if it has an address."""

    dataset: Mapping[str, str]
    value: float
    date: str
    notes: str
    source: Mapping[str, str]


def entries(
    published: Published, run: Path, of: Mapping[str, str], told: Entry
) -> tuple[dict[str, list[Entry]], list[str]]:
    """Return the entries of each model, and why scores are left out; raises ``ManifestError`` if there is no run."""
    manifest = read(run / "manifest.json")
    found: dict[str, list[Entry]] = {}
    refused = []
    for split in published.splits:
        for path in sorted((run / "scores" / published.dataset / split.asked.task).glob("*.arrow")):
            about = metadata_at(path)
            if about["task_kind"] != split.facts.kind or about["kind"] in (*REFERENCES, *GUESSERS):
                continue
            try:
                value, means = _score(run, path, split)
            except ValueError as error:
                refused.append(f"{about['model']}, {split.name}: {error}")
                continue
            entry: Entry = {
                "dataset": {"id": published.repository, "task_id": split.name, **of},
                "value": round(value, 6),
                "date": manifest["environment"]["written"],
                "notes": f"{means}; nlfol {__version__}, digest {manifest['digest']}",
            }
            found.setdefault(about["model"], []).append({**entry, **told})
    return found, refused


def _score(run: Path, path: Path, split: Split) -> tuple[float, str]:
    """Return a model's score and what it is the mean of; raises ``ValueError`` if it is not of all items."""
    names, metric = {row["item"] for row in split.rows}, split.facts.shown_first
    items = Offered.read(run / "items" / split.asked.dataset / f"{split.asked.task}.arrow").items
    if _content(split.rows) != _content(item.to_row() for item in items if item.item in names):
        raise ValueError("asked about other items than the data set has; publish those of its configuration")
    of_split = pl.lit(split.shown is None) | (pl.col("presentation") == (split.shown or ""))
    scores = read_frame(path, SCORES).filter(pl.col("metric") == metric, pl.col("round") == 1, of_split)
    answered, seeds = scores.filter(~pl.col("outcome").is_in(_UNANSWERED)).height, scores["seed"].n_unique()
    if answered < len(split.rows) * seeds or not seeds:
        raise ValueError(f"{answered} answers to {len(split.rows)} questions, seeds: {seeds}; ask the rest first")
    means = scores.group_by("presentation").agg(pl.col("score").mean())["score"].to_list()
    return min(means), f"{metric}, mean over {len(split.rows)} questions, seeds: {seeds}"


def _content(rows: Iterable[JsonObject]) -> dict[str, str]:
    kept = ({name: value for name, value in row.items() if name not in _OF_ROWS} for row in rows)
    return {row["item"]: canonical(row) for row in kept}
