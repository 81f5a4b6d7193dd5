"""The gate for changes that must change no result."""

from pathlib import Path
from typing import Any

import pyarrow as pa
from benchmarks.same_results import compare, differences, gate, record

from nlfol.store import files

SCHEMA = pa.schema([pa.field("item", pa.string(), nullable=False)], metadata={"nlfol.schema": "test"})


def _write(folder: Path, item: str, **metadata: str) -> dict[str, str]:
    files.write(folder / "scores/a.arrow", SCHEMA, [{"item": item}], metadata)
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "tables/a.csv").write_text(f"item\n{item}\n", encoding="utf-8")
    return record(folder)


def test_result_comparison_ignores_origin_metadata(tmp_path: Path) -> None:
    before = _write(tmp_path / "before", "1", **{"made_from.items": "00", "seed": "3"})

    assert sorted(before) == ["scores/a.arrow", "tables/a.csv"]
    assert compare(before, _write(tmp_path / "after", "1", **{"made_from.items": "11", "seed": "3"})) == []
    assert compare(before, _write(tmp_path / "after", "1", seed="4")) == ["≠ scores/a.arrow"]
    assert compare(before, _write(tmp_path / "after", "2", seed="3")) == ["≠ scores/a.arrow", "≠ tables/a.csv"]
    assert compare({**before, "old.md": ""}, {**before, "new.md": ""}) == ["+ new.md", "- old.md"]


def _table(path: Path, version: str, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows).replace_schema_metadata({"nlfol.version": version})
    with pa.ipc.new_file(str(path), table.schema) as sink:
        sink.write_table(table)


def test_result_comparison_joins_moved_columns_by_row(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    name, moved = Path("scores/d/t/m.arrow"), ["fault", "detail", "blocks", "score"]
    _table(
        old / name,
        "10",
        [
            {"metric": "right", "score": 0.0, "fault": "swapped", "detail": "read as A; b is a cube", "blocks": 2},
            {"metric": "bleu", "score": 0.5, "fault": "swapped", "detail": "read as A; b is a cube", "blocks": 2},
            {"metric": "on_boards", "score": 1.0, "fault": "ambiguous", "detail": None, "blocks": None},
        ],
    )
    here: dict[str, Any] = {"fault": None, "detail": "read as A", "pair": "k"}
    rows: list[dict[str, Any]] = [
        {"metric": "right", "score": 0.0, **here},
        {"metric": "bleu", "score": None, **here},
        {"metric": "on_boards", "score": None, "fault": "ambiguous", "detail": None, "pair": "l"},
    ]
    wrong: dict[str, Any] = {
        "fault": "swapped",
        "detail": "b is a cube",
        "blocks": 2,
        "bleu": 0.5,
        "on_boards": "not_equivalent",
    }
    fits: dict[str, Any] = {"fault": None, "detail": None, "blocks": None, "bleu": 1.0, "on_boards": "equivalent"}
    _table(new / name, "11", rows)
    evidence = new / "evidence/d/t.arrow"
    _table(evidence, "1", [{"pair": "k", **wrong}, {"pair": "l", **fits}])

    assert differences(old, new, moved) == []
    assert "+ evidence/d/t.arrow" in differences(old, new)
    _table(evidence, "1", [{"pair": "k", **wrong, "blocks": 3}, {"pair": "l", **fits}])
    assert differences(old, new, moved) == [f"≠ {name}: blocks in 2 rows, first 0"]
    _table(evidence, "1", [{"pair": "k", **wrong}])
    assert differences(old, new, moved) == [f"≠ {name}: score in 1 rows, first 2"]
    _table(new / name, "11", rows[:2])
    assert differences(old, new, moved) == [f"≠ {name}: 3 and 2 rows"]


MAKE = """
class Checkout:
    @classmethod
    def make(cls, folder):
        (folder / "journal").mkdir(parents=True)
"""

RUN = """
import sys
from pathlib import Path

folder = Path(sys.argv[1])
for name in ("x/tables/a.csv", "x/report/index.html"):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"{RESULT} {sys.argv[2:]}".replace(str(Path(sys.argv[2]).parents[1]), ""))
journal = folder / "journal/m.jsonl"
asked = journal.read_text() if journal.exists() else ""
if REQUEST not in asked:
    journal.write_text(asked + REQUEST)
"""


def _gate(folder: Path, old: tuple[str, str], new: tuple[str, str]) -> list[str]:
    """Run the gate on two checkouts that make a result and send a request."""
    for name, (result, request) in (("old", old), ("new", new)):
        (folder / name / "tests/workflow").mkdir(parents=True, exist_ok=True)
        (folder / name / "benchmarks").mkdir(exist_ok=True)
        (folder / name / "tests/workflow/checkout.py").write_text(MAKE, encoding="utf-8")
        script = RUN.replace("{RESULT}", result).replace("REQUEST", repr(request))
        (folder / name / "benchmarks/scripted_models.py").write_text(script, encoding="utf-8")
    return list(gate((folder / "old", folder / "new"), folder / "runs", ["paper"], items=2))


def test_gate_runs_both_checkouts_on_shared_journals(tmp_path: Path) -> None:
    assert _gate(tmp_path, ("1", "a"), ("1", "a")) == []
    assert (tmp_path / "runs/new/paper/journal/m.jsonl").read_text() == "a"
    assert "--items', '2'" in (tmp_path / "runs/new/paper/x/tables/a.csv").read_text()
    # The finished run of the old checkout is taken.
    assert _gate(tmp_path, ("3", "c"), ("2", "a")) == ["paper: ≠ report/index.html", "paper: ≠ tables/a.csv"]
    assert _gate(tmp_path, ("3", "c"), ("1", "b")) == ["paper: ≠ journal/m.jsonl"]
