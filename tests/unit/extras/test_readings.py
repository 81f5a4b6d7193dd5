"""Answers read strictly and tolerantly, and the table of both."""

import json
from pathlib import Path

import pytest
import vl_convert
from benchmarks.released_programs import rows_of, source
from tests.examples import said
from tests.stored import frame, marks
from tests.unit.problems.published import published
from tests.unit.results.drifting_programs import PROBLEMS, PROGRAM
from tests.unit.tasks.answered import cases
from tests.unit.tasks.problem_experiment import Experiment, gold

import nlfol
from nlfol.facts import Strictly
from nlfol.problems.programs import LANGUAGES, Policy, execute
from nlfol.results.statistics.summary import Origin, load
from nlfol.store.schemas import SCORES
from nlfol.tasks.item import Item
from nlfol_extras.analyses.readings import READINGS, readings, readings_figure

SHARE = 40
"""Every so manieth released program is executed twice."""


def test_readings_count_right_programs_and_liberties(tmp_path: Path) -> None:
    asked = Experiment(tmp_path, PROBLEMS)

    def answer(number: int, item: Item) -> str:
        written = {"reasoning": "", **json.loads(gold(number, item))}
        text = json.dumps({**written, "query": f"**{written['query']}**" if number % 2 else written["query"]})
        return f"```json\n{text}\n```" if number == 0 else text

    asked.add(PROGRAM, "m", answer)
    whole, marked, fenced = readings(map(load, asked.scores))
    assert [row["liberty"] for row in (whole, marked, fenced)] == ["all", "markup", "fence"]
    assert whole["right"] == whole["read"] == whole["answers"]
    assert whole["strictly_right"] == whole["strictly_read"] == whole["answers"] - marked["answers"] - 1
    assert (marked["strictly_read"], marked["strictly_right"], marked["right"]) == (0, 0, marked["answers"])
    assert (fenced["answers"], fenced["strictly_read"], fenced["right"]) == (1, 0, 1)
    figure = readings_figure(frame(READINGS, whole, marked, fenced))
    assert [(mark["read"], mark["share"]) for mark in marks(figure)] == [
        ("strictly", whole["strictly_right"] / whole["answers"]),
        ("tolerantly", 1),
    ]
    assert figure is not None
    assert vl_convert.vegalite_to_svg(figure.specification).count('aria-roledescription="point"') == 2


@pytest.mark.parametrize(
    ("text", "score", "forgiven", "strictly"),
    [
        ("∀x (Cube(x) → Small(x))", 1, (), Strictly.RIGHT),
        ("∀x (Small(x) → Cube(x))", 0, (), Strictly.WRONG),
        ("forall x. Cube(x) -> Small(x)", 1, ("nltk", "repair", "quantifier_scope"), Strictly.UNREAD),
        ("∀x Cube(x) → Small(x)", 1, ("repair", "quantifier_scope"), Strictly.RIGHT),
        ("$\\forall x (Cube(x) \\to Small(x))$", 1, ("latex",), Strictly.UNREAD),
        ("∀x (Cube(x) →", 0, (), Strictly.UNREAD),
        ("∀x (Cube(x) ^ Small(x))", 0, ("ascii", "caret"), Strictly.UNREAD),
    ],
)
def test_translations_say_what_they_are_read_strictly(
    text: str, score: float, forgiven: tuple[str, ...], strictly: Strictly
) -> None:
    case = next(case for case in cases() if case.task.kind == "logical_translation")
    judged = nlfol.score({"task": "logical_translation", **case.item.to_row()}, said(text))
    assert (next(iter(judged.scores.values())), judged.forgiven, judged.strictly) == (score, forgiven, strictly)
    fenced = nlfol.score({"task": "logical_translation", **case.item.to_row()}, f"```json\n{said(text)}\n```")
    assert (fenced.forgiven, fenced.strictly) == (forgiven, Strictly.UNREAD)
    strict = {"task": "logical_translation", "reading": "strict", "envelope": "strict"}
    judged = nlfol.score({"task": strict, **case.item.to_row()}, said(text))
    assert (judged.scores["equivalence"] == 1) == (strictly is Strictly.RIGHT)
    assert (judged.forgiven, judged.strictly) == ((), strictly)


def test_readings_leave_out_answers_with_one_reader() -> None:
    row = {"item": "1:0", "metric": "equivalence", "outcome": "answered", "score": 1.0}
    source_of = Origin("d", "t", "logical_translation", None, "m", "chat", 1)
    assert not [*readings([(source_of, frame(SCORES, row))])]
    (whole,) = readings([(source_of, frame(SCORES, row | {"strictly": "right"}))])
    assert (whole["answers"], whole["strictly_right"], whole["right"]) == (1, 1, 1)
    chance = Origin("d", "t", "logical_translation", None, "chance", "chance", 1)
    assert not [*readings([(chance, frame(SCORES, row | {"strictly": "right"}))])]


def test_strict_reading_follows_from_repairs_in_released_programs() -> None:
    """Compare programs that are not executed again with the strict reader."""
    count = spared = 0
    for path in sorted(published("released").rglob("*.json")):
        rows, dataset = rows_of(path)
        if dataset is None or not rows or "raw_logic_programs" not in rows[0]:
            continue
        for row in rows[::SHARE]:
            text, language = source(row, dataset)
            policy = Policy(explains=False)
            tolerantly = execute(language, text, row["options"], policy)
            found = LANGUAGES[language].executed_strictly(text, row["options"], tolerantly)
            spared += found is tolerantly
            count += 1
            strictly = execute(language, text, row["options"], Policy(strict=True, explains=False))
            assert (found.outcome, found.answer) == (strictly.outcome, strictly.answer), (path.name, row["id"])
    assert spared > count / 5 > 60
