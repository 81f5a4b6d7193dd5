from typing import TypedDict

import pyarrow as pa

from nlfol.store.columns import Int32, Interval, KnownInterval, row_schema


class _Row(TypedDict):
    dataset: str
    share: KnownInterval
    f1: Interval
    depths: list[Int32] | None


def test_row_schema_gives_intervals_three_columns() -> None:
    made = row_schema("shares", 2, _Row)
    assert made.metadata == {b"nlfol.schema": b"shares", b"nlfol.version": b"2"}
    assert made.names == ["dataset", "share", "share_low", "share_high", "f1", "f1_low", "f1_high", "depths"]
    assert [field.name for field in made if not field.nullable] == ["dataset", "share"]
    assert made.field("depths").type == pa.list_(pa.int32())
