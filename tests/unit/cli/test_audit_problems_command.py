"""``nlfol audit --problems``: one line of findings for each pair of problems."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run_on, usage_error

from nlfol.datasets.entries.problems import shipped_forms, shipped_lexicon
from nlfol.diversification import Settings, diversify
from nlfol.problems import Problem
from nlfol.problems.families import FAMILIES, generate

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def audit(*records: object, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return rows_of(run_on(records, "audit", "--problems", *options))


def texts(problem: Problem) -> dict[str, Any]:
    return {
        "statements": [statement.text for statement in problem.statements],
        "question": problem.question.text,
        "options": problem.lettered,
        "answer": problem.answer,
    }


def pair(family: str) -> dict[str, Any]:
    original = generate(family, seed=5, count=1, lexicon=shipped_lexicon())[0]
    made = diversify(original, shipped_forms(), Settings(glossary=True), "audit").problem
    return {"id": family, "family": family, "original": texts(original), "rewritten": texts(made)}


def test_certified_problems_have_no_findings_and_faults_are_named() -> None:
    pairs = [pair(family) for family in FAMILIES]
    lost = json.loads(json.dumps(pairs[0]))
    del lost["rewritten"]["statements"][-1]
    rows = audit(*pairs, "nonsense\n", lost)
    assert rows[:-2] == [{"id": family, "findings": [], "error": None} for family in FAMILIES]
    assert rows[-2]["findings"] is None
    assert "not JSON" in rows[-2]["error"]
    assert rows[-1]["findings"][0]["check"] == "lost_statement"
    assert audit(*pairs, "nonsense\n", lost, options=("--jobs", "2")) == rows


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"family": "free"}, "the English of 'free'; expected is one of rules, taxonomy, order, proofs, premises"),
        ({"original": 3}, "'original' must be an object"),
        ({"rewritten": {"statements": "Bob is red."}}, "rewritten: 'statements' must be a list of texts"),
        ({"family": "order"}, "no sentence says which things there are"),
        ({"family": 3}, "'family' must be a text"),
        ({"words": 3}, "'words' must be an object of concepts"),
        ({"words": {"red": "ruddy"}}, "words: 'red' must have a list of texts"),
        ({"words": {"reddish": ["ruddy"]}}, "'reddish' is no concept"),
    ],
)
def test_unusable_records_say_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    (row,) = audit(pair("rules") | changes)
    assert row["findings"] is None
    assert message in row["error"]


def test_texts_that_are_no_problem_are_refused() -> None:
    record = pair("rules")
    for key, value, message in (
        ("answer", "Z", "answer 'Z'"),
        ("options", ["True"], "option"),
        ("statements", ["Bob barks."], "'barks.'"),
        ("statements", ["Bob is red."] * 501, "at most 500"),
        ("statements", [*record["original"]["statements"], "Rex is bald."], "'bald.'"),
    ):
        changed = record | {"original": record["original"] | {key: value}}
        (row,) = audit(changed)
        assert message in row["error"]
    wrong = record["original"] | {"answer": "B" if record["original"]["answer"] != "B" else "A"}
    (row,) = audit(record | {"original": wrong})
    assert "the original is refused: label_not_derived" in row["error"]


def test_forms_of_your_own_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("adjectives: {red: {sense: of the color of blood, synonym: ruddy}}")
    said = {"question": "Bob is red.", "options": ["A) True", "B) False"], "answer": "A"}
    record = {
        "id": 1,
        "family": "rules",
        "original": {"statements": ["Bob is red."], **said},
        "rewritten": {"statements": ["Bob is ruddy."], **said},
    }
    assert [each["check"] for each in audit(record)[0]["findings"]] == ["unread"]
    assert audit(record, options=("--forms", str(path)))[0]["findings"] == []
    broken = tmp_path / "broken.yaml"
    broken.write_text("[]")
    assert "not a mapping" in usage_error("audit", "--problems", "--forms", str(broken))
