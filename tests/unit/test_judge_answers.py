"""Responses that cannot be judged."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.unit.results import recorded

import judge_answers
from nlfol.asking import judging
from nlfol.asking.responses import response_row
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.store.parts import Part
from nlfol.tasks.item import Item

TASK = json.dumps({"task": "most_similar", "perturbations": 3})


def judge(folder: Path, cores: int = 1, **changed: Any) -> None:
    """Judge the embedding model's answers to most similar, the first of which is changed."""
    recorded.write(folder)
    responses = folder / "most_similar.embedding.arrow"
    table = files.read(responses, schemas.RESPONSES)
    first, *others = table.to_pylist()
    files.write(responses, schemas.RESPONSES, [first | changed, *others], files.metadata_of(table))
    judge_answers.main(folder / "most_similar.arrow", responses, TASK, folder / "scores.arrow", cores=cores)


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


def test_answers_are_judged_on_any_number_of_cores_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "_ROWS", 1)
    judge(tmp_path)
    whole = (tmp_path / "scores.arrow").read_bytes()
    judge(tmp_path, cores=3)
    assert (tmp_path / "scores.arrow").read_bytes() == whole
    with pytest.raises(StoreError, match=r"has a similarity .* no number"):
        judge(tmp_path, cores=3, similarities=[0.5, float("nan"), 0.5])


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [0, 3, 1, 4, 5, 2]])
def test_dialogues_are_read_whole_whether_their_rows_adjoin_or_not(
    tmp_path: Path, order: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    item, other = (SimpleNamespace(item=name, story="s") for name in "ab")
    asked = [(item, 2), (item, 1), (other, 1), (other, 2), (other, 3), (item, 3)]
    rows = [response_row(cast("Item", about), "", seed=step // 3, step=step) for about, step in asked]
    path = tmp_path / "responses.arrow"
    files.write(path, schemas.RESPONSES, [rows[place] for place in order], {})
    whole = judging.dialogues(rows[place] for place in order)
    monkeypatch.setattr(judging, "_ROWS", 2)
    found = [judging.read_dialogues(path, Part(number, 3)) for number in (1, 2, 3)]
    read = [[(row["item"], row["seed"], row["step"]) for row in steps] for _, some in found for steps in some]
    assert read == [[(row["item"], row["seed"], row["step"]) for row in steps] for steps in whole]
    assert [count for count, _ in found] == [1, 1, 2]
