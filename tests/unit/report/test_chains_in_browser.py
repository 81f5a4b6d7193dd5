"""Round trips in the report: each round with its English, its formula, the verdict and what proves it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.analysing import explain
from tests.unit.report.browser import Reader, write_page
from tests.unit.report.experiment import HOSTILE, reply
from tests.unit.report.test_links import addresses
from tests.unit.tasks.generated_set import items_file, triples_file

import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.report.answers import read_answers
from nlfol.report.items import Collection
from nlfol.store.evidence import files_of_evidence
from nlfol.tasks.registry import build_task

ENTRY = {"task": "round_trip", "rounds": 3}
BLOCKS = "∀x (Cube(x) → Small(x))"
SWAPPED = "∀x (Small(x) → Cube(x))"
CHAINS: Mapping[LanguageName, Mapping[str, Sequence[str]]] = {
    "first_order": {
        BLOCKS: ["All cubes are small.", BLOCKS, "Only small ones are cubes.", SWAPPED],
        "Cube(a)": ["Cube(a), that is", "~~Cube(a)", HOSTILE, "¬Cube(a"],
        "Small(a)": ["a is small.", "Small(a)", "a is small.", "Small(a)", "a is small.", "Small(a)"],
    },
    "regular": {"(01)*": ["Any number of 01.", "(01)*", "One 01 or more.", "01(01)*"]},
}
"""Answers to a model's steps, by formula."""
LOST = {"Large(a)": "refused", "Large(b)": "truncated"}
"""Formulas whose first step has no answer, and why."""


@pytest.fixture(scope="module")
def reader(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    collection = Collection()
    for language, chains in CHAINS.items():
        _add(collection, tmp_path_factory.mktemp(language), language, chains)
    with Reader(chromium, write_page(collection, tmp_path_factory.mktemp("page"))) as opened:
        yield opened


def _add(collection: Collection, folder: Path, language: LanguageName, chains: Mapping[str, Sequence[str]]) -> None:
    chains = {**chains, **(dict.fromkeys(LOST, ()) if language == "first_order" else {})}
    ontology = derive(map(parse, chains)) if language == "first_order" else Ontology(alphabet="01")
    formulas = [(None, formula) for formula in chains]
    triples = triples_file(folder / "triples.arrow", language, ontology, formulas, story=language)
    items = items_file(folder, triples, **ENTRY)
    entry, responses, scores = json.dumps(ENTRY), folder / "responses.arrow", folder / "scores.arrow"
    asking = Asking(Offered.read(items), "toy", "t", build_task(entry), language, "{}", 7, responses)
    rows = [
        response_row(item, "zero_shot", seed=3, step=step, part=part, answer=reply(answer))
        for item in asking.items(None)
        for step, answer in enumerate(chains[item.formula], start=1)
        for part in ["formalization" if step % 2 == 0 else "informalization"]
    ]
    rows += [
        response_row(item, "zero_shot", seed=3, step=1, part="informalization", answer=None, outcome=LOST[item.formula])
        for item in asking.items(None)
        if item.formula in LOST
    ]
    write_responses(asking, "chat", "talker", rows, {"price": "null"})
    judge_answers.main(items, responses, entry, scores)
    collection.add_candidates(items)
    evidence = files_of_evidence([explain(items, [scores], entry)])
    collection.add_answers(read_answers(responses, scores, evidence=evidence))


def rounds(reader: Reader, text: str) -> list[str]:
    reader.open("#items")
    reader.page.fill("#filter-text", text)
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".entry[open] .chain")
    steps = reader.page.locator(".entry[open] .chain > li").all_inner_texts()
    return [re.sub(r"\n+", "\n", step) for step in steps]


def test_round_trip_chain_shows_broken_step(reader: Reader) -> None:
    start, said, made, again, last = rounds(reader, "Only small ones are cubes.")
    assert start == f"Formula\n{BLOCKS}"
    assert said == "Round 1: English\nAll cubes are small."
    assert made == f"Round 1: formula from its English\n{BLOCKS}\n✓ equivalent to the formula before"
    assert again.startswith("Round 2: English")
    assert f"{SWAPPED}\n✗ broke here: not equivalent The formula before is " in last
    assert reader.page.locator(".chain > li:nth-child(5) ins.differs").all_inner_texts() == ["Small", "Cube"]
    assert reader.page.locator(".chain > li:nth-child(5) svg.board .block").count() > 0
    assert reader.page.locator(".chain .world").count() == 1
    assert "Round 2 broke the chain: not equivalent." in reader.page.inner_text(".entry[open] .verdict")
    assert reader.page.locator(".chat > li").count() == 4


def test_regular_expression_chain_shows_distinguishing_word(reader: Reader) -> None:
    *_, before, last = rounds(reader, "One 01 or more.")
    assert "word" not in before
    assert "the empty word matches the formula before, and does not match the result" in last


def test_round_trip_chain_shows_copies_repairs_and_unparsable_rounds(reader: Reader) -> None:
    _, copied, repaired, hostile, last = rounds(reader, "Cube(a), that is")
    assert "Copied from the formula: " in copied
    assert repaired.startswith("Round 1: formula from its English\n¬¬Cube(a)\nWritten as ~~Cube(a)\n✓ equivalent")
    encoded = f"encoded at 0-{len(HOSTILE)}: {HOSTILE}"
    assert hostile == f"Round 2: English\n{HOSTILE}\nCopied from the formula: {encoded}"
    assert "✗ broke here: unparsable" in last
    assert reader.page.locator(".chain img, .chain script").count() == 0


def test_explorer_filters_chains_by_stop_reason(reader: Reader) -> None:
    reader.open("#items?stop=completed")
    assert reader.count.startswith("1 item")
    reader.page.wait_for_selector(".entry[open] .chain")
    assert reader.page.locator(".chain > li").count() == 7


def test_unanswered_chain_count_links_to_its_items(reader: Reader) -> None:
    place = {"dataset": "toy", "task": "t", "model": "first_order", "presentation": "zero_shot", "source": "here"}
    lost, ended = addresses("round_trip", **place, round=1, stop_lost=len(LOST), stop_not_equivalent=1)
    reader.open(lost)
    assert reader.count.startswith(f"{len(LOST)} items")
    reader.open(ended)
    assert reader.count.startswith("1 item")
