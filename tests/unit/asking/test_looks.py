"""Earlier looks at fewer of the same items."""

import json
from dataclasses import replace
from pathlib import Path

from tests.unit.asking.test_asking import ITEMS, asking

from nlfol.asking.asking import Offered
from nlfol.asking.looks import looked
from nlfol.provenance.intactness import Looked, faults


def seen(path: Path, count: int | None, seed: int = 7, task: str = "translation") -> list[int]:
    """The earlier looks that a job knows which asks so many of twelve items."""
    offered = Offered(tuple(replace(item, source=item.item) for item in ITEMS), {})
    job = replace(asking(count), offered=offered, seed=seed, task_name=task)
    return list(json.loads(looked(job, job.items(None), path).get("looks", "[]")))


def test_looks_are_those_at_fewer_of_the_same_items(tmp_path: Path) -> None:
    path = tmp_path / "journal/m/toy.translation.jsonl"
    assert seen(path, 3) == []
    assert seen(path, 5) == [3]
    assert seen(path, None) == [3, 5]
    assert seen(path, 3) == [], "it was the first"
    assert seen(path, None) == [3, 5]
    assert len((path.parent / f"{path.name}.looks").read_bytes().splitlines()) == 3


def test_looks_at_other_samples_and_tasks_are_none(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    seen(path, 3)
    assert seen(path, 5, seed=8) == []
    assert seen(path, 5, task="ranking") == []
    assert seen(path, 5) == [3]


def test_line_of_looks_without_end_is_none_and_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    beside = tmp_path / "m.jsonl.looks"
    seen(path, 3)
    whole = beside.read_bytes()
    beside.write_bytes(whole[:-20])
    assert seen(path, 5) == []
    assert seen(path, 3) == []
    assert seen(path, 5) == [3]
    (fault,) = faults(tmp_path, Looked())
    assert (fault.file, fault.line, fault.remedy) == (str(beside), 1, "delete the line: it is only a list")


def test_looks_at_nothing_leave_no_file(tmp_path: Path) -> None:
    assert looked(asking(None), [], tmp_path / "m.jsonl") == {}
    assert not list(tmp_path.iterdir())
