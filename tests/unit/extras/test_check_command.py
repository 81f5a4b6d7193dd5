"""``nlfol check``: a dataset before a model is asked."""

import json
from pathlib import Path

import pytest
import yaml
from tests.unit.cli.rows import process as run

from nlfol_extras.commands.check import POWER, detectable
from nlfol_extras.commands.plan import LEVEL, Design, Simulation

ROWS = """story,text,formula
a,Every cube is small.,∀x (Cube(x) → Small(x))
a,Some cube is small.,∃x (Cube(x) → Small(x))
a,Nothing is tiny.,∀x ¬Tiny(x)
b,Some cube is large.,∃x (Cube(x) ∧ Large(x)
b,,∃x Cube(x)
c,Some cube is large.,∃x (Cube(x) ∧ Large(x))
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(ROWS, encoding="utf-8")
    predicates = {
        name: {"arity": 1, "positive": f"{{}} is {meaning}", "negative": f"{{}} is not {meaning}"}
        for name, meaning in (("Cube", "a cube"), ("Small", "small"), ("Tiny", "small"), ("Large", "large"))
    }
    (tmp_path / "ontology.yaml").write_text(yaml.safe_dump({"predicates": predicates}), encoding="utf-8")
    return path


def test_check_counts_refused_rows_findings_and_glosses(table: Path) -> None:
    done = run("check", str(table), "--ontology", str(table.with_name("ontology.yaml")), "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert (found["rows"], found["usable"], found["stories"], found["largest_story"]) == (6, 4, 2, 3)
    assert {reason: kind["count"] for reason, kind in found["refused"].items()} == {
        "empty_text": 1,
        "syntax": 1,
    }
    assert found["counts_as"] == 1.6
    assert found["glosses"]["two symbols mean the same"]["examples"][0] == "a: Small and Tiny: {} is small"
    assert found["findings"]["exists_over_implication"]["examples"][0].endswith("∃x (Cube(x) ∧ Small(x))")
    assert found["tasks"] == {"logical_translation": {"items": 4, "refused": {}}}


def test_check_page_tells_what_stands_in_json(table: Path) -> None:
    done = run("check", str(table), "--task", "most_similar")
    for line in (
        "mine: 4 of 6 rows can be asked about",
        "    1 syntax",
        "fewer than 20 make them wide and uncertain: add stories",
        "    2 no ontology: glosses are made from the names of symbols",
        "    1 exists_over_implication",
        "most_similar: ",
    ):
        assert line in done.stdout, line


def test_check_tells_the_commonest_answer_of_problems() -> None:
    found = json.loads(run("check", "rules", "--json").stdout)
    assert sum(found["answers"].values()) == found["usable"] > 0
    assert found["tasks"]["question_answering"]["items"] == found["usable"]


def test_check_refuses_unknown_names() -> None:
    done = run("check", "tarksi")
    assert done.returncode == 2
    assert "did you mean tarski?" in done.stderr
    done = run("check", "tarski", "--task", "rankings")
    assert done.returncode == 2
    assert "'rankings' is not one of" in done.stderr


@pytest.mark.parametrize("sizes", [(8,) * 26, (1, 2, 3, 40) * 6])
def test_detectable_difference_has_the_promised_power(sizes: tuple[int, ...]) -> None:
    found = detectable(sizes)
    assert found is not None
    power = Simulation(Design(sizes=sizes), found, 1, LEVEL).power(len(sizes), 300, seed=1)
    assert power == pytest.approx(POWER, abs=0.1)


def test_one_story_shows_no_difference() -> None:
    assert detectable([50]) is None
