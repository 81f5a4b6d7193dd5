"""A run is made again in this process; the forgeries here are a part of ``benchmarks/forgeries.py``."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest
from benchmarks import forgeries
from benchmarks.forgeries import FORGERIES, found, make

from nlfol.cli import again
from nlfol.models.request import ChatError, journals_alone, refuse_alone

Signed = tuple[Path, str, bytes]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Signed:
    """A run with its root and its manifest as they were published."""
    folder = tmp_path_factory.mktemp("run") / "run"
    make(folder)
    signed = (folder / "results/manifest.json").read_bytes()
    return folder, json.loads(signed)["environment"]["root"], signed


def test_run_comes_out_again_byte_by_byte(run: Signed) -> None:
    assert found(*run) == (None, [])


@pytest.mark.parametrize("name", ["reply_and_response_changed", "models_swapped"])
def test_forgery_is_found_by_making_the_run_again(run: Signed, tmp_path: Path, name: str) -> None:
    folder, *published = run
    forged = Path(shutil.copytree(folder, tmp_path / name))
    FORGERIES[name].forge(forged)
    way, listed = found(forged, *published)
    assert way == FORGERIES[name].found == "again"
    stage = {"reply_and_response_changed": "scores", "models_swapped": "responses"}[name]
    assert Path(listed[0].file) == forged / f"results/{stage}/mine/logical_translation/ada.arrow"


@pytest.mark.parametrize("without", ["journal", "source", "scores"])
def test_what_is_not_there_is_named(run: Signed, tmp_path: Path, without: str) -> None:
    folder = Path(shutil.copytree(run[0], tmp_path / "run"))
    done, journals = again.Again(), folder / "journal"
    scores = folder / "results/scores/mine/logical_translation/ada.arrow"
    gone: dict[str, Callable[[], object]] = {
        "journal": lambda: shutil.rmtree(journals),
        "source": lambda: shutil.rmtree(folder / "mine"),
        "scores": scores.unlink,
    }
    gone[without]()
    kept = None if without == "journal" else journals
    with mock.patch.object(again, "planned", forgeries.planned if without != "source" else again.planned):
        listed = list(again.made_again(folder / "results", kept, done))
    if without == "scores":
        assert (listed[0].file, listed[0].problem) == (str(scores), "no such file, and the run must have it")
        assert not done.unchecked
        return
    assert listed == []
    (said, *_) = done.unchecked
    assert "answers of openai:" in said if without == "journal" else "mine" in said


def test_no_model_is_opened_where_journals_answer_alone() -> None:
    refused: list[str] = []
    with journals_alone(refused), pytest.raises(ChatError, match="answers of m are not in the journal"):
        refuse_alone("m")
    assert refused == ["m"]
    refuse_alone("m")
