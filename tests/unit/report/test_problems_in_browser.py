"""Problems in the explorer: what was asked, the program that a model wrote, and how its answer follows."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.analysing import analyse
from tests.examples import COLD, family
from tests.unit.report.browser import Reader
from tests.unit.report.experiment import Experiment
from tests.unit.tasks import problem_experiment
from tests.unit.tasks.problem_experiment import ANSWERING, PROGRAM, answered, gold
from tests.unit.tasks.problem_items import lines

from nlfol.results.analyses.registry import TOPICS

SAID = "<b>Cold</b>(bob, True)"
LONG = replace(COLD, name="long", statements=(*COLD.statements, *COLD.statements[:1] * 3_000))
"""Too long to be asked about."""


@pytest.fixture(scope="module")
def reader(chromium: Any, small_experiment: Experiment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder: Path = tmp_path_factory.mktemp("problems")
    asked = problem_experiment.Experiment(folder, (COLD, *family("rules", 3), LONG))
    both = lines("Cold(bob, True)", "Cold($x, True) >>> Cold($x, False)", query="Cold(bob, True)")
    asked.add(PROGRAM, "right", gold)
    asked.add(PROGRAM, "torn", lambda *_: json.dumps(both))
    asked.add(PROGRAM, "broken", lambda *_: json.dumps(lines(SAID, query="Cold(bob, True)")))
    icy = lines("Icy(bob, True)", "Cold($x, True) >>> Sad($x, True)", query="Sad(bob, True)")
    wrong = lines("Cold(bob, True)", "Cold($x, True) >>> Sad($x, False)", query="Sad(bob, True)")
    said = (lambda _, each, line=line: json.dumps(line) if each.item == "cold" else None for line in (icy, wrong))
    asked.add(PROGRAM, "drifting", *said)
    asked.add(ANSWERING, "right", lambda _, each: answered(each.formula))
    items = list(asked.items.values())
    programs = {
        f"toy/program/{model}": asked.align(PROGRAM, model) for model in ("right", "torn", "broken", "drifting")
    }
    sources: dict[str, list[Path]] = {**small_experiment.sources, "audits": []}
    inputs = {"scores": asked.scores, "problem_scores": asked.scores, "programs": list(programs.values())}
    given = {*inputs, "problem_items", "thinking", "wordings"}
    made = [name for name, topic in TOPICS.items() if topic.files and set(topic.inputs) <= given]
    for name in sorted(made, key=lambda name: name == "claims"):
        analyse(name, folder, {"wordings": {"toy": {"reader": "family"}}}, problem_items=items, **inputs)
        sources |= {file: [folder / f"{file}.arrow"] for file in TOPICS[name].files}
    found = replace(small_experiment, sources=sources, candidates=items, answers=asked.answers, programs=programs)
    with Reader(chromium, found.report(folder / "index.html")) as opened:
        yield opened


def shown(reader: Reader, model: str) -> str:
    reader.open(f"#items?task=program&model={model}&item=cold")
    reader.page.wait_for_selector(".entry[open] .answer")
    return str(reader.page.inner_text(".entry[open]"))


def rows(reader: Reader) -> list[list[str]]:
    found = reader.page.locator(".entry[open] .program tbody tr")
    return [row.split("\t") for row in found.all_inner_texts()]


def test_program_view_pairs_sentences_with_gold_and_answered_lines(reader: Reader) -> None:
    text = shown(reader, "right")
    assert rows(reader) == [
        ["1", "Bob is cold.", "Cold(bob, True)", "=", "Cold(bob, True)"],
        ["2", "What is cold is sad.", rule := "Cold($x, True) >>> Sad($x, True)", "=", rule],
        ["Question", "the question above. A) True; B) False; C) Unknown", "Sad(bob, True)", "=", "Sad(bob, True)"],
    ]
    assert [text.count(said) for said in ("Bob is cold.", "What is cold is sad.", "Is Bob sad?")] == [1, 1, 1]
    assert "Right. The program gives true, the right answer is true." in text


def test_derivation_view_explains_steps_by_sentence(reader: Reader) -> None:
    shown(reader, "right")
    assert list(filter(None, reader.page.inner_text(".trace").splitlines())) == [
        "The query Sad(bob, True) is true. It follows so:",
        "Sad(bob, True), by sentence 2: Cold($x, True) >>> Sad($x, True)",
        "Cold(bob, True), stated in sentence 1",
    ]
    reader.page.click(".answer summary:text-is('Technical details')")
    reader.page.wait_for_selector(".answer dt:text-is('Notation')")
    facts = reader.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.answer dt')].map(
            term => [term.textContent, term.nextElementSibling.innerText]))"""
    )
    assert (facts["Notation"], facts["Scores"]) == ("clauses", "right 1, executable 1")
    assert facts["Gold program"].startswith("Predicates:\nCold($x, bool)\nSad($x, bool)\nFacts:\n")


def test_program_view_explains_missing_answer(reader: Reader) -> None:
    text = shown(reader, "torn")
    assert "The program gives no answer (contradictory); the right answer is true." in text
    assert "both Cold(bob, True) and Cold(bob, False)" in text
    assert rows(reader)[1][2:] == ["Cold($x, True) >>> Sad($x, True)", "≠", "Cold($x, True) >>> Cold($x, False)"]
    marks = reader.page.locator(".program del.differs, .program ins.differs").all_inner_texts()
    assert marks[:4] == ["Sad", "True", "Cold", "False"]
    broken = shown(reader, "broken")
    assert "It could not be read: line" in broken
    assert SAID in broken
    assert reader.page.locator("#results b").count() == 0


def test_solver_counts_open_matching_answers(reader: Reader) -> None:
    checked = 0
    for header, text, address in reader.addresses("solvers"):
        if text.isdecimal() and header not in ("Items", "Seeds"):
            reader.open(address)
            assert f"{text} answer" in reader.count, (header, address)
            checked += 1
    assert checked == 5


def test_program_view_shows_concept_symbols_and_error_cause(reader: Reader) -> None:
    text = shown(reader, "drifting")
    assert "One concept has several symbols: Cold → Icy, Cold." in text
    assert "A line says something else than its sentence: sentence 2." in text
    (wrong,) = reader.page.locator(".program .first-wrong").all_inner_texts()
    assert wrong.startswith("2\tCold($x, True) >>> Sad($x, True)\t≠\tCold($x, True) >>> Sad($x, False)")
    reader.open("#items?task=program&model=drifting&cause=drift")
    assert "1 answer" in reader.count


def test_shared_problem_text_is_printed_once(reader: Reader) -> None:
    reader.open("#items?task=program&item=cold")
    text = str(reader.page.inner_text(".entry[open]"))
    assert reader.page.locator(".answer .program").count() > 2
    assert [text.count(said) for said in ("Bob is cold.", "Is Bob sad?")] == [1, 1]


def test_cause_counts_open_matching_answers(reader: Reader) -> None:
    counted: dict[str, int] = {}
    for _, text, address in reader.addresses("causes"):
        reader.open(address)
        assert f"{text} answer" in reader.count, address
        cause = address.partition("cause=")[2].partition("&")[0]
        counted[cause] = counted.get(cause, 0) + int(text)
    assert [counted[cause] for cause in ("right", "drift", "logic", "lost")] == [4, 1, 1, 6]
    assert reader.page.locator("#figure-causes").count() == 1


def test_refused_problem_states_reason(reader: Reader) -> None:
    reader.open("#items?task=program&item=long")
    reader.page.wait_for_selector(".entry[open]")
    assert "Refused for this task" in reader.page.inner_text(".entry[open]")
    assert "characters as JSON" in reader.page.inner_text(".entry[open]")
