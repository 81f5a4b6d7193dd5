from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol.store import files, schemas
from nlfol.store.parts import WHOLE, Part


@given(st.lists(st.integers()), st.integers(1, 12))
def test_parts_partition_rows_in_order_and_evenly(rows: list[int], of: int) -> None:
    parts = [Part(number, of).rows(rows) for number in range(1, of + 1)]
    assert [row for part in parts for row in part] == rows
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(("wildcards", "part"), [({"dataset": "d"}, WHOLE), ({"scatteritem": "2-of-3"}, Part(2, 3))])
def test_job_without_part_covers_whole(wildcards: dict[str, str], part: Part) -> None:
    assert Part.of_job(SimpleNamespace(wildcards=wildcards, input={"parts": []})) == part


def test_gathering_rejects_parts_from_other_sources(tmp_path: Path) -> None:
    paths = [tmp_path / "1-of-2.arrow", tmp_path / "2-of-2.arrow"]
    row = {"dataset": "d", "task": "t", "sets": 1, "check": "duplicate", "items": 0, "pairs": 0, "faults": []}
    for path, made_from in zip(paths, ["now", "before"], strict=True):
        files.write(path, schemas.AUDITS, [row], {"made_from": made_from})
    assert list(Part(made=paths[:1]).gathered(schemas.AUDITS, {"made_from": "now"})) == [row]
    with pytest.raises(files.StoreError, match=r"2-of-2\.arrow: made from other files .* delete it"):
        list(Part(made=paths).gathered(schemas.AUDITS, {"made_from": "now"}))
