"""A tenth of what ``benchmarks/definitions.py`` counts: the bounds of planted errors and trivial answers."""

import json

import pytest
from benchmarks.definitions import Counted, count, count_foreign, interval, is_same_sentence, training
from benchmarks.own_ontologies import exchanges, tarski
from tests.unit.benchmarks.folio_data import DATA

PROGRAMS = DATA / "released/wernerolaf_Logic-LLM/FOLIO_train_Qwen-Qwen2.5-72B-Instruct-zero-0.json"


def test_definitions_refuse_planted_errors_and_answers_that_say_nothing() -> None:
    if not PROGRAMS.exists():
        pytest.skip("released programs are not here: ../shared/data")
    found = Counted()
    count(json.loads(PROGRAMS.read_text(encoding="utf-8")), training(DATA), 10, found)
    assert found.lines["anchored"] >= 0.6 * found.lines["read"]
    assert found.lines["anchored, defined"] > 0
    assert sum(counts["n"] for counts in found.edits.values()) > 500
    for kind, counts in found.edits.items():
        assert counts["accepted"] <= 0.01 * counts["n"], kind
    found.others.pop("gold of the same sentence", None)
    assert {kind: counts["accepted"] for kind, counts in found.others.items()} == dict.fromkeys(found.others, 0)
    right, low, high = interval(found.problems["all"])
    assert low < right < high
    assert right >= 0.85


def test_definitions_anchor_no_exchange_in_any_names() -> None:
    found = exchanges(tarski()[::10])
    assert {kind: counts["accepted"] for kind, counts in found.items()} == dict.fromkeys(found, 0)
    assert all(counts["n"] for counts in found.values())


def test_same_sentence_has_same_words_in_one_order() -> None:
    assert is_same_sentence("If a cat has fur, then it sleeps.", "If the cat is with fur, it sleeps")
    for other in (
        "If a cat has fur, it does not sleep.",
        "If it sleeps, a cat has fur.",
        "If some cat has fur, it sleeps.",
    ):
        assert not is_same_sentence("If a cat has fur, it sleeps.", other)


def test_gold_of_twin_story_is_not_anchored() -> None:
    problems = training(DATA)
    stories = {gold.story: gold for gold, _ in problems.values()}
    found = Counted()
    for one, two in (("418", "59"), ("59", "418")):
        count_foreign(stories[one], stories[two], found)
    assert found.others["gold of another story"]["n"] > 5
    assert found.others["gold of another story"]["accepted"] == 0
