import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.stored import stored

from nlfol.store import files, schemas
from nlfol.store.files import StoreError

ROW = stored(
    schemas.SENTENCES,
    item="s:0",
    text="Every cube is small.",
    source_formula="∀x (Cube(x) → Small(x))",
    formula="∀x (Cube(x) → Small(x))",
    repairs=[{"kind": "name", "before": "a-b", "after": "a_b"}],
)


def test_stage_file_round_trips_rows_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "sentences.arrow"
    files.write(path, schemas.SENTENCES, [ROW], {"seed": "1"})
    assert files.rows(path, schemas.SENTENCES) == [ROW]
    metadata = files.read(path, schemas.SENTENCES).schema.metadata
    assert metadata[b"nlfol.schema"] == b"sentences"
    assert metadata[b"seed"] == b"1"
    assert [entry.name for entry in path.parent.iterdir()] == ["sentences.arrow"]


def test_stage_file_bytes_are_deterministic(tmp_path: Path) -> None:
    for name in ("one", "two"):
        files.write(tmp_path / name, schemas.SENTENCES, [ROW] * 1000, {"seed": "1"})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert files.digest(tmp_path / "one") == files.digest(tmp_path / "two")


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (ROW | {"text": None}, "text"),
        (ROW | {"index": "first"}, "index|first"),
        (ROW | {"extra": 1}, "extra"),
        ({name: value for name, value in ROW.items() if name != "story"}, r"row 0: .*story"),
    ],
)
def test_stage_file_rejects_schema_violation_and_keeps_old_file(
    tmp_path: Path, row: dict[str, Any], named: str
) -> None:
    path = tmp_path / "sentences.arrow"
    files.write(path, schemas.SENTENCES, [ROW], {})
    before = path.read_bytes()
    with pytest.raises(StoreError, match=named):
        files.write(path, schemas.SENTENCES, [row], {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_stage_file_read_rejects_unusable_file_with_remedy(tmp_path: Path) -> None:
    path = tmp_path / "f.arrow"
    with pytest.raises(StoreError, match="no such file"):
        files.read(path, schemas.SENTENCES)
    files.write(path, schemas.SENTENCES, [ROW], {})
    with pytest.raises(StoreError, match=r"sentences v6 where triples v7 is needed; delete it"):
        files.read(path, schemas.TRIPLES)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(StoreError, match="not a complete Arrow file"):
        files.read(path, schemas.SENTENCES)
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="not a complete Arrow file"):
        files.read(path, schemas.SENTENCES)
    with pa.ipc.new_file(str(path), schemas.SENTENCES) as writer:
        writer.write_table(pa.Table.from_pylist([ROW], schemas.SENTENCES))
    with pytest.raises(StoreError, match="damaged: it does not have the checksum of its bytes; delete it"):
        files.read(path, schemas.SENTENCES)
    older = pa.schema(list(schemas.SENTENCES), metadata={"nlfol.schema": "sentences", "nlfol.version": "0"})
    files.write(path, older, [ROW], {})
    with pytest.raises(StoreError, match="sentences v0 where sentences v6"):
        files.read(path, schemas.SENTENCES)


def test_stage_file_write_reports_full_disk_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sentences.arrow"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(StoreError, match=r"sentences.arrow: cannot be written \(File too large\); make room"):
            files.write(path, schemas.SENTENCES, [ROW] * 1000, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


def test_stage_file_write_imports_no_pandas(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nlfol.store import files, schemas;"
        f"files.write(Path({str(tmp_path / 'sentences.arrow')!r}), schemas.SENTENCES, [{ROW!r}], {{}});"
        "print('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
