"""Tables of gold formulas: those that patches correct, those that models put in doubt, and scores without these."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Column, Kind, Sample, Score, Table


def corrections(rows: pl.DataFrame) -> Table:
    """Every gold formula that a patch corrects, with the reason."""
    columns = (
        Column("dataset", "Dataset", Kind.TEXT),
        Column("item", "Item", Kind.TEXT),
        Column("kind", "Kind", Kind.TEXT),
        Column("published", "Published", Kind.PROSE),
        Column("corrected", "Corrected", Kind.PROSE),
        Column("relation", "Relation", Kind.TEXT),
        Column("regained", "Regained", Kind.TEXT),
        Column("refused", "Refused", Kind.TEXT),
        Column("reason", "Reason", Kind.PROSE),
    )
    return Table(
        "corrections",
        "Corrected gold formulas",
        "Gold formulas that a reviewed patch corrects, with what was wrong.",
        columns,
        tuple(rows.select(column.name for column in columns).iter_rows()),
        (
            *(_counted(str(dataset), of_dataset) for (dataset,), of_dataset in _by_dataset(rows)),
            "Published: –, where it could not be read. Relation: of the corrected formula to the published one.",
            "Regained: why the sentence would be refused, as published. Refused: why it is refused all the same.",
        ),
        long=True,
    )


def gold_audit(rows: pl.DataFrame) -> Table:
    """Items on which all dialogue models agree against the gold formula."""
    return Table(
        "gold_audit",
        "Gold formulas in doubt",
        "Items that no dialogue model translates as the gold formula has it, while all that could be read agree.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("task", "Task", Kind.TEXT),
            Column("item", "Item", Kind.TEXT),
            Column("text", "Sentence", Kind.PROSE),
            Column("gold", "Gold", Kind.PROSE),
            Column("formula", "Models", Kind.PROSE),
            Column("relation", "Relation", Kind.TEXT),
            Column("detail", "Difference", Kind.PROSE),
            Column("models", "Agreeing", Kind.COUNT),
            Column("answers", "Answers", Kind.COUNT),
            Column("unread", "Unread", Kind.COUNT),
        ),
        tuple(_in_doubt(row) for row in rows.to_dicts()),
        (
            "Models: the shortest of their formulas, all equivalent by proof. Relation: of it to the gold formula.",
            "Difference: a structure in which the two differ.",
            "Agreeing: models. Answers: items × seeds that agree. Unread: those that never came or could not be read.",
            "Agreement is a reason to look, and none to correct: models can share a mistake.",
            "gold_audit.jsonl holds an entry of a patch file for each item, not yet reviewed.",
        ),
        long=True,
    )


def without_suspects(rows: pl.DataFrame) -> Table:
    """Scores of all items and of those whose gold formula is not in doubt."""
    names = ("dataset", "task", "metric", "presentation", "model")
    return Table(
        "without_suspects",
        "Scores without suspect gold formulas",
        "Scores of all items, and without those whose gold formula is in doubt.",
        (
            *(Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in names),
            Column("items", "Items", Kind.SAMPLE),
            Column("suspects", "Suspect", Kind.COUNT),
            Column("score", "Score", Kind.SCORE),
            Column("without", "Without suspects", Kind.SCORE),
        ),
        tuple(
            (
                *(row[name] or None for name in names),
                Sample(row["items"], row["available"]),
                row["suspects"],
                _score(row, ""),
                _score(row, "_without"),
            )
            for row in rows.to_dicts()
        ),
        (
            "Suspect: items of the table of gold formulas in doubt, which no model translates as the gold formula.",
            "So translations can only score higher without them, whether or not the gold formulas are wrong.",
            "Mean ± sample standard deviation over seeds, and the interval at 95 % (clusters: stories).",
        ),
    )


def _score(row: dict[str, Any], end: str) -> Score | None:
    mean, deviation, low, high = (row[f"{name}{end}"] for name in ("mean", "deviation", "low", "high"))
    return None if mean is None else Score(mean, deviation, low, high)


def _by_dataset(rows: pl.DataFrame) -> Any:
    return rows.group_by(["dataset"], maintain_order=True)


def _counted(dataset: str, rows: pl.DataFrame) -> str:
    kinds = rows["kind"].value_counts(parallel=False).sort("count", "kind", descending=[True, False])
    listed = ", ".join(f"{kind} {count}" for kind, count in kinds.iter_rows())
    regained = rows["regained"].count()
    return f"{dataset}: {rows.height} corrected ({listed}); {regained} of them would be refused as published."


def _in_doubt(row: dict[str, Any]) -> tuple[Any, ...]:
    names = ("dataset", "task", "item", "text", "gold", "formula", "relation", "detail")
    return (*(row[name] for name in names), len(row["models"]), row["answers"], row["unread"])
