"""The gate for changes that must change no result."""

from pathlib import Path

import pyarrow as pa
from benchmarks.same_results import compare, record

from nlfol.store import files

SCHEMA = pa.schema([pa.field("item", pa.string(), nullable=False)], metadata={"nlfol.schema": "test"})


def _write(folder: Path, item: str, **metadata: str) -> dict[str, str]:
    files.write(folder / "scores/a.arrow", SCHEMA, [{"item": item}], metadata)
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "tables/a.csv").write_text(f"item\n{item}\n", encoding="utf-8")
    return record(folder)


def test_rows_and_metadata_are_compared_and_origins_are_not(tmp_path: Path) -> None:
    before = _write(tmp_path / "before", "1", **{"made_from.items": "00", "seed": "3"})

    assert sorted(before) == ["scores/a.arrow", "tables/a.csv"]
    assert compare(before, _write(tmp_path / "after", "1", **{"made_from.items": "11", "seed": "3"})) == []
    assert compare(before, _write(tmp_path / "after", "1", seed="4")) == ["≠ scores/a.arrow"]
    assert compare(before, _write(tmp_path / "after", "2", seed="3")) == ["≠ scores/a.arrow", "≠ tables/a.csv"]
    assert compare({**before, "old.md": ""}, {**before, "new.md": ""}) == ["+ new.md", "- old.md"]
