import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

import diversify_problems
import ingest_problems
from nlfol.data.entries.problems import Problems, read_problems, source_digest
from nlfol.data.entry import read_problems_entry
from nlfol.store import files
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.records import SourceError

PAPER = {"protocol": "paper", "rewriter": "gpt", "assembler": "gpt", "filter": {"model": "minilm"}}
MINE = [
    {"item": "purr", "statements": ["All cats purr.", "Tom is a cat."], "question": "Does Tom purr?", "answer": "A"},
    {
        "item": "wrong",
        "statements": ["Tom is a cat."],
        "question": "Is Tom a cat?",
        "answer": "B",
        "formulas": ["Cat(tom)", "Cat(tom)"],
    },
]


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def read(seed: int = 7, **keys: Any) -> Problems:
    return read_problems(read_problems_entry(json.dumps(keys)), seed)[0]


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, MINE)), encoding="utf-8")
    return str(path)


def test_family_draws_depend_on_seed_and_balance_labels() -> None:
    found = read(reader="family", family="rules", count=12, depth=[1, 3]).problems
    assert Counter(problem.answer for problem in found) == {"A": 4, "B": 4, "C": 4}
    assert {problem.depth for problem in found} == {1, 2, 3}
    assert found == read(reader="family", family="rules", count=12, depth=[1, 3]).problems
    assert found != read(8, reader="family", family="rules", count=12, depth=[1, 3]).problems


def test_source_digest_covers_entry_and_file_content(mine: str) -> None:
    families = [
        {"reader": "family", "family": name, "count": count, "depth": depth}
        for name, count, depth in (("rules", 2, None), ("order", 2, None), ("rules", 3, None), ("rules", 2, [1, 2]))
    ]
    digests = {source_digest(read_problems_entry(json.dumps(keys))) for keys in families}
    assert len(digests) == 4
    entry = read_problems_entry(json.dumps({"reader": "problems", "path": mine}))
    before = source_digest(entry)
    assert read_problems(entry, 7)[1] == before
    Path(mine).write_text(json.dumps(MINE[0]), encoding="utf-8")
    assert source_digest(entry) != before


def test_refused_problems_are_kept_with_reason(mine: str, tmp_path: Path) -> None:
    output = tmp_path / "problems.arrow"
    entry = json.dumps({"reader": "problems", "path": mine})
    ingest_problems.main(entry, "mine", output, seed=7)
    rows = files.rows(output, PROBLEMS)
    assert [(row["item"], row["status"], row["reason"]) for row in rows] == [
        ("purr", "usable", None),
        ("wrong", "refused", "label_not_derived"),
    ]
    said = metadata_at(output)
    assert (said["dataset"], said["reader"]) == ("mine", "problems")
    assert "seed" not in said
    assert said["made_from.source/mine"] == source_digest(read_problems_entry(entry))
    again = tmp_path / "again.arrow"
    ingest_problems.main(entry, "mine", again, seed=8)
    assert again.read_bytes() == output.read_bytes()


def test_larger_sample_contains_smaller_sample(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    rows = [{**MINE[0], "item": str(number)} for number in range(40)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    def names(count: int, seed: int = 7) -> list[str]:
        found = read(seed, reader="problems", path=str(path), sample=count).problems
        return [problem.name for problem in found]

    assert len(names(10)) == 10
    assert set(names(10)) < set(names(20))
    assert names(20) == sorted(names(20), key=int)
    assert names(10) != names(10, 8)
    assert len(names(99)) == 40


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"reader": "family"}, "family"),
        ({"reader": "family", "family": "riddles"}, "'order', 'proofs' or 'premises'"),
        ({"reader": "family", "family": "rules", "depth": [3, 1]}, "exchange them"),
        ({"reader": "proofwriter", "depth": [3, 1]}, "exchange them"),
        ({"reader": "logical_deduction", "things": [4]}, "3, 5 or 7"),
        ({"reader": "logical_deduction", "things": []}, "things"),
        ({"reader": "family", "family": "rules", "depth": [1, 99]}, "use some from"),
        ({"reader": "family", "family": "rules", "sample": 3}, "sample"),
        ({"reader": "prontoqa", "nouns": "odd"}, "nouns"),
        ({"reader": "logieval", "path": "data"}, "logic"),
        ({"reader": "problems"}, "path"),
        ({"reader": "problems", "path": "nowhere.jsonl"}, "correct the key 'path'"),
        ({"reader": "proofwriter", "path": "nowhere.json"}, "correct the key 'path'"),
        ({"reader": "folio_questions", "path": "pyproject.toml"}, "not JSON"),
        ({"reader": "proverqa", "path": "pyproject.toml"}, "correct the file, or download it again"),
        ({"reader": "table", "path": "mine.csv"}, "holds sentences"),
    ],
)
def test_unusable_problem_entries_raise_source_error(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(**keys)


def test_duplicate_problem_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    record = {"id": "a", "context": "It rains.", "question": "Does it?", "options": ["A) Yes", "B) No"], "answer": "A"}
    path.write_text(json.dumps([record, record]), encoding="utf-8")
    with pytest.raises(SourceError, match="2 problems are called 'a'"):
        read(reader="ar_lsat", path=str(path))


def test_source_without_problems_raises_error(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(SourceError, match="no problems"):
        read(reader="ar_lsat", path=str(path))


def test_diversified_dataset_keeps_items_from_source(tmp_path: Path) -> None:
    source, output, again = (tmp_path / name for name in ("rules.arrow", "varied.arrow", "again.arrow"))
    ingest_problems.main(json.dumps({"reader": "family", "family": "rules", "count": 6}), "rules", source, seed=7)
    entry = json.dumps({"reader": "diversified", "of": "rules", "glossary": True})
    diversify_problems.main(entry, "varied", source, output, seed=7)
    old, new = files.rows(source, PROBLEMS), files.rows(output, PROBLEMS)
    assert [row["item"] for row in new] == [row["item"] for row in old]
    assert {row["status"] for row in new} == {"usable"}
    for one, other in zip(old, new, strict=True):
        assert other["rewrites"]
        assert (one["answer"], one["question"], one["depth"]) == (other["answer"], other["question"], other["depth"])
        lines = [statement["line"] for statement in other["statements"] if statement["line"] is not None]
        assert lines == [statement["line"] for statement in one["statements"]]
        assert len(other["statements"]) > len(lines)
    said = metadata_at(output)
    assert said["made_from.problems/rules"] == files.digest(source)
    assert said["made_from.source/varied"] == source_digest(read_problems_entry(entry))
    diversify_problems.main(
        json.dumps({"reader": "diversified", "of": "rules", "intensity": 0}), "x", source, again, seed=7
    )
    assert files.rows(again, PROBLEMS) == old


def test_problem_rewording_is_independent_from_dataset_name(tmp_path: Path) -> None:
    source, outputs = tmp_path / "source.arrow", [tmp_path / f"{name}.arrow" for name in ("rules", "renamed")]
    ingest_problems.main(json.dumps({"reader": "family", "family": "rules", "count": 6}), "rules", source, seed=7)
    entries = [{"reader": "diversified", "of": output.stem} for output in outputs]
    for entry, output in zip(entries, outputs, strict=True):
        diversify_problems.main(json.dumps(entry), "varied", source, output, seed=7)
    one, other = (files.rows(output, PROBLEMS) for output in outputs)
    assert one == other


def test_diversification_refuses_uncontrolled_problems(mine: str, tmp_path: Path) -> None:
    source, output = tmp_path / "mine.arrow", tmp_path / "varied.arrow"
    ingest_problems.main(json.dumps({"reader": "problems", "path": mine}), "mine", source, seed=7)
    diversify_problems.main(json.dumps({"reader": "diversified", "of": "mine"}), "varied", source, output, seed=7)
    found = [(row["item"], row["reason"]) for row in files.rows(output, PROBLEMS)]
    assert found == [("purr", "not_controlled"), ("wrong", "label_not_derived")]
