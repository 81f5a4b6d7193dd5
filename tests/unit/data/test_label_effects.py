"""Effects of corrected premises on labels of conclusions, on a story written for it, and on FOLIO as shipped.

    python -m tests.unit.data.test_label_effects

writes the labels of FOLIO's training conclusions.
"""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

from nlfol.data.entries.folio_questions import FolioQuestionsEntry
from nlfol.data.patches import text_digest
from nlfol.problems import Problem
from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS

TABLE = ROOT / "resources/datasets/folio/labels.csv"
FOLIO = ROOT / "../shared/data/folio/folio-train.jsonl"

PREMISES = [
    ("All cats sleep.", "∃x (Cat(x) ∧ Sleeps(x))", "∀x (Cat(x) → Sleeps(x))"),
    ("Tom is a cat.", "Cat(tom)", None),
    ("No cat barks.", "∀x (Cat(x) → Barks(x))", "∀x (Cat(x) → ¬Barks(x))"),
]
CONCLUSIONS = {"Tom sleeps.": "Sleeps(tom)", "Tom barks.": "Barks(tom)"}


def written(folder: Path, name: str, rows: Iterable[dict[str, Any]]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def problems(folder: Path, gold: str) -> list[Problem]:
    """The problems of a story of which two premises have corrections, and each conclusion says that it is true."""
    texts, published, _ = zip(*PREMISES, strict=True)
    story = {"story_id": 1, "premises": texts, "premises-FOL": published, "label": "True"}
    about = {"kinds": ["connective"], "reason": "It is.", "evidence": "It is.", "reviewed": True, "story": "1"}
    patches = [
        about
        | {"index": index, "text_sha256": text_digest(text), "formula_sha256": text_digest(formula)}
        | {"formula": to}
        for index, (text, formula, to) in enumerate(PREMISES)
        if to is not None
    ]
    said = [{"story": "1", "text_sha256": text_digest(text), "formula": to} for text, to in CONCLUSIONS.items()]
    entry = FolioQuestionsEntry.model_validate(
        {
            "reader": "folio_questions",
            "gold": gold,
            "path": written(folder, "train.jsonl", [story | {"conclusion": text} for text in CONCLUSIONS]),
            "patches": written(folder, "patches.jsonl", patches),
            "conclusions": written(folder, "conclusions.jsonl", said),
        }
    )
    return list(entry.read(1).problems)


@pytest.mark.parametrize("gold", ["published", "corrected"])
def test_label_effects_cover_both_golds_and_single_corrections(tmp_path: Path, gold: str) -> None:
    sleeps, barks = problems(tmp_path, gold)
    assert sleeps.follows is not None
    assert barks.follows is not None
    assert sleeps.follows[:4] == ("1", "corrected", "Uncertain", "True")
    assert sleeps.follows.alone == [{"item": "1:0", "answer": "True"}, {"item": "1:2", "answer": "Uncertain"}]
    assert barks.follows[:4] == ("1", "published", "True", "False")
    assert barks.follows.alone == [{"item": "1:0", "answer": "True"}, {"item": "1:2", "answer": "False"}]
    assert [each.is_usable for each in (sleeps, barks)] == [gold == "corrected", gold == "published"]


def test_label_effects_survive_problem_file_round_trip(tmp_path: Path) -> None:
    found = problems(tmp_path, "corrected")
    path = tmp_path / "problems.arrow"
    files.write(path, PROBLEMS, [problem.to_row() for problem in found], {})
    assert [Problem.from_row(row) for row in files.rows(path, PROBLEMS)] == found


def lines(found: Iterable[Problem]) -> Iterable[list[str]]:
    for problem in found:
        assert problem.follows is not None
        story, label_follows, published, corrected, alone = problem.follows
        each = "; ".join(f"{one['item']}: {one['answer']}" for one in alone)
        text = problem.question.text.split("uncertain? ", 1)[1]
        yield [story, text_digest(text), problem.answer_text, published, corrected, label_follows, each]


def folio(path: Path = FOLIO) -> list[Problem]:
    entry = FolioQuestionsEntry.model_validate({"reader": "folio_questions", "path": str(path)})
    return list(entry.read(1).problems)


def shipped() -> list[list[str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def test_shipped_folio_labels_have_documented_counts() -> None:
    counts = dict.fromkeys(("both", "published", "corrected", "neither"), 0)
    for row in shipped():
        counts[row[5]] += 1
    assert counts == {"both": 855, "published": 50, "corrected": 46, "neither": 53}
    conclusions = (ROOT / "resources/datasets/folio/conclusions.jsonl").read_text(encoding="utf-8").splitlines()
    assert {(row["story"], row["text_sha256"]) for row in map(json.loads, conclusions)} == {
        (row[0], row[1]) for row in shipped()
    }


@pytest.mark.skipif(not FOLIO.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
def test_recomputed_folio_labels_match_shipped_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recomputes a part; if it fails, write the file again, as described above."""
    monkeypatch.chdir(ROOT)
    rows = [json.loads(line) for line in FOLIO.read_text(encoding="utf-8").splitlines()]
    chosen = {str(row["story_id"]) for row in rows if row["story_id"] % 10 == 8}
    kept = {name: tmp_path / f"{name}.jsonl" for name in ("train", "patches")}
    patches = (ROOT / "resources/datasets/folio/patches.jsonl").read_text(encoding="utf-8").splitlines()
    written(tmp_path, "train.jsonl", [row for row in rows if str(row["story_id"]) in chosen])
    written(tmp_path, "patches.jsonl", [row for row in map(json.loads, patches) if row["story"] in chosen])
    about = {"reader": "folio_questions", "path": str(kept["train"]), "patches": str(kept["patches"])}
    found = FolioQuestionsEntry.model_validate(about).read(1).problems
    assert list(lines(found)) == [row for row in shipped() if row[0] in chosen]
    assert len(found) > 80


if __name__ == "__main__":
    output = io.StringIO()
    table = csv.writer(output, lineterminator="\n")
    table.writerow(["story", "text_sha256", "label", "published", "corrected", "label_follows", "alone"])
    table.writerows(lines(folio()))
    TABLE.write_text(output.getvalue(), encoding="utf-8")
