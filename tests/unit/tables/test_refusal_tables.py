from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.analyses.refusals import FUNNEL, REFUSALS, REFUSED, REFUSED_ROWS

Row = dict[str, Any]


def step(order: int, stage: str, name: str, stories: int, sentences: int, **other: Any) -> Row:
    row: Row = dict.fromkeys(REFUSALS.names)
    row |= {"dataset": "toy", "stage": stage, "order": order, "step": name}
    return row | {"stories": stories, "sentences": sentences, "corrected": 1, "regained": 0} | other


def fell(at: Row, item: str) -> Row:
    where = {"item": item, "story": item.split(":", maxsplit=1)[0], "detail": f"look at {item}"}
    return at | {"stories": None, "sentences": None} | where


def frame(rows: list[Row]) -> pl.DataFrame:
    empty = pl.from_arrow(REFUSALS.empty_table())
    assert isinstance(empty, pl.DataFrame)
    return pl.DataFrame(rows, schema=empty.schema)


SYNTAX = step(1, "ingestion", "refused", 2, 3, reason="syntax")
FEW = step(3, "candidates", "refused", 1, 2, task="ranking", reason="too_few_perturbations")
ROWS = frame(
    [
        step(0, "ingestion", "read", 2, 5),
        SYNTAX,
        fell(SYNTAX, "1:0"),
        fell(SYNTAX, "1:1"),
        step(2, "ontology", "usable", 2, 3),
        FEW,
        fell(FEW, "2:0"),
        step(4, "candidates", "usable", 1, 2, task="ranking"),
        step(5, "candidates", "usable", 2, 3, task="most_similar"),
    ]
)


def test_funnel() -> None:
    assert FUNNEL.table(ROWS).rows == (
        ("toy", "ingestion", None, "as read", None, 2, 5, 1, 0),
        ("toy", "ingestion", None, "syntax", 2, 2, 3, 1, 0),
        ("toy", "ontology", None, "usable", None, 2, 3, 1, 0),
        ("toy", "candidates", "ranking", "too_few_perturbations", 1, 1, 2, 1, 0),
        ("toy", "candidates", "ranking", "candidate sets", None, 1, 2, 1, 0),
        ("toy", "candidates", "most_similar", "candidate sets", None, 2, 3, 1, 0),
    )


def test_refused() -> None:
    assert REFUSED.table(ROWS).rows == (
        ("toy", "ingestion", None, "syntax", 2, 1),
        ("toy", "candidates", "ranking", "too_few_perturbations", 1, 1),
    )


def test_refused_rows() -> None:
    assert REFUSED_ROWS.table(ROWS).rows == (
        ("toy", "ingestion", None, "1:0", "syntax", "look at 1:0"),
        ("toy", "ingestion", None, "1:1", "syntax", "look at 1:1"),
        ("toy", "candidates", "ranking", "2:0", "too_few_perturbations", "look at 2:0"),
    )


def test_steps_of_two_datasets_are_told_apart() -> None:
    other = ROWS.with_columns(dataset=pl.lit("other")).filter(pl.col("item").is_null())
    rows = FUNNEL.table(pl.concat([ROWS, other])).rows
    assert [row[4] for row in rows if row[0] == "other"] == [None] * 6
    assert [row[4] for row in rows if row[0] == "toy"] == [None, 2, None, 1, None, None]


def test_nothing_refused() -> None:
    assert [form.table(frame([])).rows for form in (FUNNEL, REFUSED, REFUSED_ROWS)] == [(), (), ()]
