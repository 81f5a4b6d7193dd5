"""The table of what an audit found in the candidate sets."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, Table


def audit(audits: pl.DataFrame) -> Table:
    """Faults by check, for each dataset and task; checks that found nothing included."""
    return Table(
        "audit",
        "Audit of the candidate sets",
        "Candidate sets with a fault of each kind, and the faults found in them.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("task", "Task", Kind.TEXT),
            Column("sets", "Sets", Kind.COUNT),
            Column("check", "Check", Kind.TEXT),
            Column("items", "Sets with it", Kind.COUNT),
            Column("pairs", "Pairs or members", Kind.COUNT),
        ),
        tuple(audits.select("dataset", "task", "sets", "check", "items", "pairs").iter_rows()),
        (
            "Decided from the formulas alone, whatever their certificates say; docs/console.md describes each check.",
            "distractor_negates_gold: a distractor that means ¬φ, in a set without a negation, where that is no fault.",
            "unknown: pairs that were not decided, which count as neither right nor wrong.",
        ),
        long=True,
    )
