"""A run is made again in this process; the forgeries here are a part of ``benchmarks/forgeries.py``."""

import json
import shutil
from pathlib import Path

import pytest
from benchmarks.forged_run import make
from benchmarks.forgeries import FORGERIES, found

from nlfol.cli import again
from nlfol.models.request import ChatError, journals_alone, refuse_alone

Signed = tuple[Path, str, bytes]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Signed:
    """A run with its root and its manifest as they were published."""
    folder = tmp_path_factory.mktemp("run") / "run"
    make(folder, looks=False)
    signed = (folder / "results/manifest.json").read_bytes()
    return folder, json.loads(signed)["environment"]["root"], signed


def test_run_comes_out_again_byte_by_byte(run: Signed) -> None:
    assert found(*run) == (None, [])


def test_forged_response_is_found_by_making_its_score_again(run: Signed, tmp_path: Path) -> None:
    folder, root, signed = run
    name = "reply_and_response_changed"
    forged = Path(shutil.copytree(folder, tmp_path / name))
    FORGERIES[name].forge(forged)
    way, listed = found(forged, root, signed)
    assert way == FORGERIES[name].found == "again"
    assert Path(listed[0].file) == forged / "results/scores/mine/logical_translation/ada.arrow"


def test_pdf_is_not_compared_and_svg_is(tmp_path: Path) -> None:
    for name, pdf in (("kept", "1"), ("made", "2")):
        (tmp_path / name / "accuracy").mkdir(parents=True)
        (tmp_path / name / "accuracy/a.pdf").write_text(pdf, encoding="utf-8")
        (tmp_path / name / "accuracy/a.svg").write_text("<svg/>", encoding="utf-8")
    kept, made = tmp_path / "kept", tmp_path / "made"
    assert again._difference(kept, made) is None
    (made / "accuracy/a.svg").write_text("<svg></svg>", encoding="utf-8")
    assert again._difference(kept, made) == "accuracy"


def test_missing_file_is_named(run: Signed, tmp_path: Path) -> None:
    folder, done = Path(shutil.copytree(run[0], tmp_path / "run")), again.Again()
    scores = folder / "results/scores/mine/logical_translation/ada.arrow"
    scores.unlink()
    shutil.rmtree(folder / "journal")
    shutil.rmtree(folder / "mine")
    (fault, *_) = again.made_again(folder / "results", None, done)
    assert (fault.file, fault.problem) == (str(scores), "no such file, and the run must have it")
    assert any("answers of openai:" in said for said in done.unchecked)
    assert any("datasets/mine/sentences.arrow: its sources are not here" in said for said in done.unchecked)


def test_no_model_is_opened_where_journals_answer_alone() -> None:
    refused: list[str] = []
    with journals_alone(refused), pytest.raises(ChatError, match="answers of m are not in the journal"):
        refuse_alone("m")
    assert refused == ["m"]
    refuse_alone("m")
