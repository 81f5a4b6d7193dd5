"""Texts of configurations: what cannot be read is named by its file and line."""

import os
from pathlib import Path

import pytest
from tests.examples import ROOT

from nlfol import validation
from nlfol.config import ConfigurationError, check_texts
from nlfol.validation import read_bytes, read_yaml


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            b"seed: 1\nmodels:\n  a: {}\n  b: {}\n  a: {}\n",
            "line 5: the key 'a' occurs twice, first on line 3; keep one",
        ),
        (b'{"seed": 1,\n"seed": 2}', "line 2: the key 'seed' occurs twice"),
        (b"seed: \xff\n", "not UTF-8 at byte 6; save it as UTF-8"),
        (b"seed: [", "not valid YAML"),
        (b"[" * 5_000, "not valid YAML"),
    ],
)
def test_unreadable_configuration_text_is_reported(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"config.yaml: {problem}"):
        check_texts([path])


def test_configuration_path_rejects_pipes_and_devices(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    check_texts([ROOT / "config.yaml", tmp_path / "absent.yaml"])
    for name in ("pipe.yaml", "zero.yaml"):
        with pytest.raises(ConfigurationError, match=f"{name}: cannot be read .a pipe or device.*give a file"):
            check_texts([tmp_path / name])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("seed: 2001-99-99\n", r"line 1: month must be in 1\.\.12"),
        (f"seed: {'9' * 5000}\n", r"line 1: Exceeds the limit"),
        ("results: a\nseed: 1:30\n", r"line 2: 1:30 is a number to base 60 in YAML; write it without colons, or quote"),
        (
            "a0: &a0 {a: 1, b: 2}\n"
            + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 9)),
            r"line 4: more than 1,000 keys merged into one mapping",
        ),
    ],
)
def test_unbuildable_yaml_value_is_reported_by_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"config\.yaml: {fault}"):
        check_texts([tmp_path / "config.yaml"])


def test_oversized_configuration_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "MOST_BYTES", 20)
    path = tmp_path / "config.yaml"
    path.write_bytes(b"seed: 1".ljust(20))
    assert read_yaml(path) == {"seed": 1}
    path.write_bytes(b"seed: 1".ljust(21))
    with pytest.raises(OSError, match=r"larger than 20 bytes: '.*config\.yaml'"):
        read_bytes(path)
