"""Records of batches, and their keys in an entry."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.unit.models.conftest import openai_entry

from nlfol.models.journal.batches import BatchRecordError
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol_extras.batches.record import BatchRecord


def test_batch_record_rejects_damaged_line_but_skips_torn_tail(tmp_path: Path) -> None:
    path = tmp_path / "d.t.jsonl"
    record = BatchRecord(path)
    sent = record.intend(["k"], 1.0)
    with record.path.open("a") as file:
        file.write('{"token": "')
    again = BatchRecord(path)
    assert again.open() == [sent]
    again.name(again.open()[0], "batch_1")
    assert [each.id for each in BatchRecord(path).open()] == ["batch_1"]
    record.path.write_text('{"id": 1}\n')
    with pytest.raises(BatchRecordError, match=r"batches:1: not a line of this record"):
        BatchRecord(path)


@pytest.mark.parametrize("batch", [{"kind": "other"}, {"requests": 50_001}, {"interval": 0}])
def test_batch_settings_reject_invalid_values(batch: Any) -> None:
    with pytest.raises(ValidationError, match="batch"):
        openai_entry("http://localhost/v1", batch=batch)


def test_batch_setting_false_means_unbatched() -> None:
    assert openai_entry("http://localhost/v1", batch=False).batch is None
    stated = openai_entry("http://localhost/v1", batch=True)
    assert OpenaiChatEntry.model_validate_json(stated.model_dump_json()) == stated
