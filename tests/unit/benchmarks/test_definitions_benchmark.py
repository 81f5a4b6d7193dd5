"""A tenth of what ``benchmarks/definitions.py`` counts: the bounds of planted errors and trivial answers."""

import json

import pytest
from benchmarks.definitions import (
    Counted,
    count,
    count_foreign,
    count_mentions,
    interval,
    is_same_sentence,
)
from benchmarks.folio_stories import Gold, training
from benchmarks.own_ontologies import exchanges, tarski
from tests.unit.benchmarks.folio_data import DATA

from nlfol.logic import parse
from nlfol.problems.alignment.own import read_own_program

PROGRAMS = DATA / "released/wernerolaf_Logic-LLM/FOLIO_train_Qwen-Qwen2.5-72B-Instruct-zero-0.json"

PROGRAM = """Predicates:
Drinks(x) ::: x drinks coffee
Premises:
Drinks(ann) ::: Ann drinks coffee.
∀x (Dog(x) → Zorbs(x)) ::: Every dog barks.
Drinks(bob) ::: Bob drinks coffee.
"""


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
    by_readings = found.problems["all, by the readings taken"]
    assert {story: len(given) for story, given in by_readings.items()} == {
        story: len(given) for story, given in found.problems["all"].items()
    }
    assert interval(by_readings)[0] >= right


def test_definitions_align_more_mentions_and_tell_readings() -> None:
    stated = {
        "Ann drinks coffee.": ("Drink(ann, tea)", "Drink(ann, coffee)"),
        "Every dog barks.": ("∀x (Dog(x) → Bark(x))",),
        "Bob drinks coffee.": ("Drink(bob, coffee)",),
        "Tom is a dog.": ("Dog(tom)",),
    }
    gold = Gold("cafe", tuple(stated), tuple(tuple(map(parse, readings)) for readings in stated.values()), {})
    program = read_own_program(PROGRAM)
    assert gold.taken(program, program.by_sentence(gold.sentences)) == [
        parse("Drink(ann, coffee)"),
        None,
        parse("Drink(bob, coffee)"),
        None,
    ]
    # Of ten, ann and bob are aligned by name, and by structure what barks, in whatever name.
    counts = {"mentions": 10, "aligned": 4, "by structure": 2, "anchored": 6, "either": 8}
    assert count_mentions([(gold, program)]) == counts


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
    if not DATA.exists():
        pytest.skip("FOLIO is not here: ../shared/data")
    problems = training(DATA)
    stories = {gold.story: gold for gold, _ in problems.values()}
    found = Counted()
    for one, two in (("418", "59"), ("59", "418")):
        count_foreign(stories[one], stories[two], found)
    assert found.others["gold of another story"]["n"] > 5
    assert found.others["gold of another story"]["accepted"] == 0
