"""Digests of files that are read again only if their size or time has changed."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.entries.source import PathSource
from nlfol.models.local.materialisation import stamp
from nlfol.store import digests, files

OLD = 1_700_000_000
"""A time long past, in seconds: of a file changed just now, the same time may be that of two contents."""


@pytest.fixture(autouse=True)
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder with weights, that of the process, where the names of files that are read are counted."""
    monkeypatch.chdir(tmp_path)
    write("some weights", OLD)
    names: list[str] = []

    def counting(path: Path) -> Any:
        names.append(path.name)
        return files.digest(path)

    monkeypatch.setattr(digests, "digest", counting)
    return names


def write(text: str, time: float) -> None:
    path = Path("mine/weights/model.safetensors")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time, time))


def stamped() -> str:
    return stamp(PathSource(path="mine/weights"))


def test_weight_stamp_depends_on_content_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamped()
    write("some weights", OLD + 9)
    assert stamped() == before
    shutil.copytree(tmp_path / "mine", tmp_path / "clone/mine", copy_function=shutil.copyfile)
    monkeypatch.chdir(tmp_path / "clone")
    assert stamped() == before
    write("more weights", OLD)
    assert stamped() != before
    shutil.rmtree("mine")
    assert stamped() == ""


def test_large_files_are_rehashed_only_after_change(read: list[str]) -> None:
    Path(".snakemake").mkdir()
    before = stamped()
    assert stamped() == before
    assert read == ["model.safetensors"]
    write("more weights", OLD + 1)
    assert stamped() != before
    assert read == ["model.safetensors"] * 2
    for text in ("", "[]", '{"mine/weights/model.safetensors": 3}'):
        digests.PLACE.write_text(text, encoding="utf-8")
        write("some weights", OLD)
        assert stamped() == before
    assert read == ["model.safetensors"] * 5


def test_recently_written_file_is_rehashed_every_time() -> None:
    Path(".snakemake").mkdir()
    path = Path("mine/weights/model.safetensors")
    path.write_text("some weights", encoding="utf-8")
    time, before = path.stat().st_mtime_ns, stamped()
    path.write_text("more weights", encoding="utf-8")
    os.utime(path, ns=(time, time))
    assert stamped() != before
