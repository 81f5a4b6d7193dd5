"""Answers in the explorer: prompts, identical answers, two models side by side."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.unit.report.browser import Reader, write_page
from tests.unit.report.experiment import Experiment

from nlfol.report.answers import prompts, read_answers

ONE = "#items?task=logical_translation&text=Exactly+one"


def test_explorer_shows_prompt_verbatim(reader: Reader, small_experiment: Experiment) -> None:
    answers = small_experiment.answers_of("ranking.talker")
    row = answers.rows.filter((answers.rows["item"] == "w01:0") & (answers.rows["seed"] == 3)).to_dicts()[0]
    turns = prompts(answers, small_experiment.journals)[row["requests"][0]]
    reader.open("#items?task=ranking&model=talker&seed=3&item=w01%3A0")
    reader.page.wait_for_selector(".answer .turn")
    roles = reader.page.locator(".answer .said .role").all_inner_texts()
    texts = reader.page.locator(".answer .turn").all_text_contents()
    *sent, (role, said) = zip(roles, texts, strict=True)
    assert sent == list(turns)
    assert (role, json.loads(said)) == ("assistant", json.loads(row["answer"])["answer"])
    assert reader.page.inner_text(".answer .reasoning") == "Word by word."


def test_explorer_labels_written_answers(chromium: Any, small_experiment: Experiment, tmp_path: Path) -> None:
    collection = small_experiment.collection()
    for pair in small_experiment.answers:
        answers = read_answers(*pair)
        kind = "written" if answers.source.model == "talker" else answers.source.kind
        collection.add_answers(replace(answers, source=replace(answers.source, kind=kind)))
    with Reader(chromium, write_page(collection, tmp_path)) as reader:
        reader.open(ONE)
        titles = reader.page.locator(".answer h4 .who").all_inner_texts()
        assert {title.partition(" · ")[0] for title in titles} >= {"talker (written, not asked)", "rival"}
        options = reader.page.locator("#filter-model option").all_inner_texts()
        # Vectors were not asked to translate.
        assert options == ["any", "talker (written, not asked)", "rival", "chance"]


def test_explorer_groups_identical_answers_with_seeds(reader: Reader) -> None:
    reader.open(f"{ONE}&model=talker")
    reader.page.wait_for_selector(".entry[open] .answer")
    (title,) = reader.page.locator(".entry[open] > .answer h4 .who").all_inner_texts()
    assert title == "talker · seeds 3, 12 × 2"
    assert "2 answers" in reader.count
    assert reader.page.locator(".entry[open] svg.board").count() == 1


def test_explorer_separates_differing_answers(reader: Reader) -> None:
    reader.open("#items?task=logical_translation&model=talker&item=w01%3A0")
    reader.page.wait_for_selector(".entry[open] .answer")
    titles = reader.page.locator(".entry[open] > .answer h4 .who").all_inner_texts()
    assert titles == ["talker · seed 3", "talker · seed 12"]


def test_explorer_shows_two_models_side_by_side(reader: Reader) -> None:
    reader.open(f"{ONE}&model=talker")
    reader.page.select_option("#filter-beside", "rival")
    reader.page.wait_for_function("() => location.hash.includes('common=model')")
    assert "model=talker&model=rival" in reader.page.url
    assert reader.page.input_value("#filter-model") == "talker"
    assert "mean equivalence 0.000 beside 1.000" in reader.count
    columns = reader.page.locator(".entry[open] .beside > section")
    assert [who.split(" ")[0] for who in columns.locator("h4 .who").all_inner_texts()] == ["talker", "rival"]
    left, right = (columns.nth(place).bounding_box() for place in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    reader.page.select_option("#filter-beside", "")
    reader.page.wait_for_function("() => !location.hash.includes('common')")
    assert "model=talker" in reader.page.url
    assert "rival" not in reader.page.url


def test_explorer_draws_shared_counter_model_once(reader: Reader) -> None:
    reader.open(ONE)
    reader.page.wait_for_selector(".entry[open] .answer")
    drawn = reader.page.locator(".entry[open] .world").count()
    worlds = reader.page.evaluate(
        "() => new Set([...document.querySelectorAll('.entry[open] svg.board')].map(board => board.ariaLabel)).size"
    )
    assert drawn == worlds > 0


def test_explorer_highlights_search_text(reader: Reader) -> None:
    reader.open(ONE)
    reader.page.wait_for_selector(".entry[open] .answer")
    marked = reader.page.evaluate("() => [...CSS.highlights.get('found')].map(range => range.toString())")
    assert "Exactly one" in marked
    reader.open("#items?task=ranking")
    assert reader.page.evaluate("() => CSS.highlights.get('found').size") == 0
