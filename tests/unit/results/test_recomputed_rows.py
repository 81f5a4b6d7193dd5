"""Rows that ``benchmarks/recomputed_tables.py`` expects of tables, of files written by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from benchmarks.recomputed_rows import ROWS
from benchmarks.recomputed_run import Run

PLACE = {"dataset": "toy", "task": "most_similar", "task_kind": "most_similar", "protocol": "audited"}
SCORE = ("presentation", "item", "story", "score", "detail", "counter_model", "word")


def write(path: Path, about: Mapping[str, str], names: Sequence[str], *rows: Sequence[Any]) -> None:
    """Write an Arrow file of texts and its metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(name, pa.string()) for name in names], dict(about.items()))
    table = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema)
    with pa.ipc.new_file(str(path), schema) as sink:
        sink.write_table(table)


def rows(results: Path, table: str) -> list[tuple[str, ...]]:
    """Return the rows that a table is to have."""
    return sorted(tuple(value or "" for value in row) for row in ROWS[table](Run(results)))


@pytest.mark.parametrize("kind", ["chat", "embedding"])
def test_recomputed_rows_join_empty_task_to_model_presentations(tmp_path: Path, kind: str) -> None:
    for task, shown in {"most_similar": ("english", "formula"), "ranking": ()}.items():
        about = PLACE | {"task": task, "task_kind": task, "model": "m", "kind": kind, "available": "1"}
        asked = [(presentation, "a", "a", None, None, None, None) for presentation in shown]
        write(tmp_path / f"scores/toy/{task}/m.arrow", about, SCORE, *asked)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/scores.csv").write_text("dataset,task,model\ntoy,most_similar,m\ntoy,ranking,m\n", "utf-8")
    (table, other) = ("dialogue", "embedding") if kind == "chat" else ("embedding", "dialogue")
    assert rows(tmp_path, table) == [
        ("toy", "audited", "m", shown, "most_similar", "ranking") for shown in ("english", "formula")
    ]
    assert rows(tmp_path, other) == []
