"""Programs as answers that somebody has already: stored ones, and texts in the form of Logic-LM."""

import json
from pathlib import Path

import pytest
from tests.examples import family
from tests.unit.asking.test_answers_from_files import judged, taken
from tests.unit.tasks.problem_items import rows as items_of_problems

import answer_by_reference
from nlfol.asking.asking import Asking, Offered
from nlfol.problems.problem import Problem
from nlfol.problems.programs.texts import sections
from nlfol.store import files, schemas
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.program_answers import Written, read_program
from nlfol.tasks.program_gold import translation


@pytest.mark.parametrize(
    "strategy", ["direct", "refine", "refine_pairwise", "divide", "majority", "concept_table_stepwise"]
)
def test_stored_multistep_programs_score_as_in_run(tmp_path: Path, strategy: str) -> None:
    task = Program(ProgramEntry(strategy=strategy, shots=0))  # type: ignore[arg-type]
    about = {"dataset": "toy", "task": "program", "task_kind": "program", "protocol": "", "style": ""}
    items, source = tmp_path / "items.arrow", tmp_path / "source.arrow"
    files.write(items, schemas.ITEMS, items_of_problems(family("rules"), task), about)
    entry = json.dumps({"kind": "drifting", "probability": 0.3})
    answer_by_reference.main(Asking(Offered.read(items), "toy", "program", task, "drifting", entry, 7, source))
    assert judged(items, taken(items, task, source, tmp_path), task) == judged(items, source, task)


@pytest.mark.parametrize(("name", "language"), [("rules", None), ("rules", "formulas"), ("order", None)])
def test_program_reader_accepts_logic_lm_text_form(tmp_path: Path, name: str, language: str | None) -> None:
    """Their lines belong to the sentences of their glosses, in whatever order they stand."""
    task = Program(ProgramEntry(language=language, shots=0))
    about = {"dataset": "toy", "task": "program", "task_kind": "program", "protocol": "", "style": ""}
    items, mine = tmp_path / "items.arrow", tmp_path / "mine.jsonl"
    files.write(items, schemas.ITEMS, items_of_problems(family(name), task), about)
    rows = []
    for item in Offered.read(items).items:
        spoken, problem = task.language_of(item.asked), item.asked
        answer = translation(problem, spoken)
        assert answer is not None
        written = read_program(spoken, problem, json.dumps(answer.answer))
        text = glossed(written, problem)
        assert text != written.text
        read = read_program(spoken, problem, json.dumps({"program": text})).program
        assert {place: set(lines) for place, lines in read.places.items()} == {
            place: set(lines) for place, lines in written.program.places.items()
        }
        rows.append({"item": item.item, "answer": text})
    rows.append(rows.pop() | {"answer": "Facts:\nnot a fact\nRules:\nPremises:\nQuery:\nConclusion:"})
    mine.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    right, _ = judged(items, taken(items, task, mine, tmp_path), task)
    assert (right["answered"], right["unparsable"], right["mean"]) == (5, 1, 5 / 6)


def glossed(written: Written, problem: Problem) -> str:
    """A program as Logic-LM asks for it: each line with its sentence behind it, in reverse order within a section."""
    said = {
        line: problem.statements[int(place) - 1].text
        for place, lines in written.program.lines.items()
        for line in lines
    }
    found = sections(written.text, written.program.language.headings).lines
    texts = {
        name: [f"{line.text} ::: {said.get(line.text, 'asked')}" for line in lines] for name, lines in found.items()
    }
    return "\n".join(line for name, lines in texts.items() for line in (f"{name.capitalize()}:", *reversed(lines)))
