"""Responses that cannot be judged."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.results import recorded

import judge_answers
from nlfol.store import files, schemas
from nlfol.store.files import StoreError

TASK = json.dumps({"task": "most_similar", "perturbations": 3})


def judge(folder: Path, **changed: Any) -> None:
    """Judge the embedding model's answers to most similar, the first of which is changed."""
    recorded.write(folder)
    responses = folder / "most_similar.embedding.arrow"
    table = files.read(responses, schemas.RESPONSES)
    first, *others = table.to_pylist()
    files.write(responses, schemas.RESPONSES, [first | changed, *others], files.metadata_of(table))
    judge_answers.main(folder / "most_similar.arrow", responses, TASK, folder / "scores.arrow")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"item": "z:9"}, r"embedding.arrow: item 'z:9' is not in .*most_similar.arrow; delete"),
        (
            {"similarities": [0.5, float("nan"), 0.5]},
            r"embedding.arrow: item 'a:0' has a similarity .* no number; delete",
        ),
    ],
)
def test_judging_error_names_file_item_and_remedy(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(StoreError, match=message):
        judge(tmp_path, **changed)


def test_judging_logs_progress(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "nlfol")
    judge(tmp_path)
    count = files.read(tmp_path / "most_similar.embedding.arrow", schemas.RESPONSES).num_rows
    assert f": {count} of {count} answers" in caplog.text
    assert "judging embedding on " in caplog.text
