"""``nlfol score --own``: programs in symbols of their own, found by their glosses."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import ONTOLOGY, SENTENCES
from typer.testing import CliRunner, Result

from nlfol.cli.main import app
from nlfol.problems.alignment.own import read_own_program
from nlfol.problems.programs.outcome import ProgramError

PROGRAM = """Predicates:
Sleep(x) ::: x sleeps
Feline(x) ::: x is a cat
Canine(x) ::: x is a hound

Premises:
Feline(x) → Sleep(x) ::: every cat sleeps
Canine(x) → ¬Sleep(x) ::: No dog sleeps.
Sleep(tom ::: Tom sleeps.
"""
NAMED = {"id": 1, "answer": "A", "raw_logic_programs": [PROGRAM]}
REFUSED = [{"id": 2, "program": "no sections"}, {"id": 3, "text": PROGRAM}, {"id": 4, "program": "Premises:\nP(a)"}]


def score(folder: Path, name: str, text: str, *options: str) -> Result:
    for file, content in (("pets.csv", SENTENCES), ("pets.yaml", ONTOLOGY), (name, text)):
        (folder / file).write_text(content, encoding="utf-8")
    of_dataset = ["--dataset", str(folder / "pets.csv"), "--ontology", str(folder / "pets.yaml")]
    return CliRunner().invoke(app, ["score", str(folder / name), "--own", *of_dataset, *options])


def test_own_programs_are_judged_by_story_and_refused_with_reasons(tmp_path: Path) -> None:
    rows = [NAMED, *REFUSED]
    done = score(tmp_path, "mine.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows), "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["summary"] == [{"sentences": 4, "missing": 2, "anchored": 1, "any": 2}]
    assert [row["verdict"] for row in found["answers"]] == ["anchored", "unanchored", "missing", "missing"]
    assert found["stories"][0]["definitions"] == ["Cat(x) is Feline(x)", "Sleeps(x) is Sleep(x)"]
    assert [row["id"] for row in found["refused"]] == [2, 3, 4]
    assert "no line is glossed" in found["refused"][2]["reason"]


def test_own_score_tells_interval_of_a_file_of_records(tmp_path: Path) -> None:
    done = score(tmp_path, "mine.json", json.dumps([NAMED]))
    assert done.exit_code == 0, done.output
    assert "equivalent to gold: [0.250, 0.500] of 4 sentences (anchored, any map)" in done.stdout
    assert "1: story pets: Cat(x) is Feline(x)" in done.stdout
    assert score(tmp_path, "mine.json", "[").exit_code == 2


def test_own_programs_are_read_in_markup_but_not_those_of_several_problems() -> None:
    marked = PROGRAM.replace("Feline(x) → Sleep(x)", "`Feline(x) → Sleep(x)`")
    marked = f"Here it is.\n```\n{marked.replace('Premises:', '### **Premises**')}```"
    assert read_own_program(marked) == read_own_program(PROGRAM)
    both = "".join(f"Problem {number}:\n{PROGRAM}Conclusion:\nSleep(tom)\n" for number in (1, 2))
    with pytest.raises(ProgramError, match="several problems"):
        read_own_program(both)
