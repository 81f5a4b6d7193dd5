"""Second readings: what is stored, and how far they agree with published and corrected gold."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.table import TableEntry
from nlfol.data.sentences import Sentence
from nlfol.logic import syntax as fol
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse, read
from nlfol.logic.readings import says_either
from nlfol.logic.rewriting import edits
from nlfol.tasks.logical_translation import met

FOLDER = ROOT / "resources/answers/second_reading"
FOLIO = ROOT / "../shared/data/folio/folio-train.jsonl"


def answers(dataset: str) -> dict[str, str]:
    rows: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / f"{dataset}.jsonl").open(encoding="utf-8")]
    assert all(row.keys() == {"item", "answer"} for row in rows)
    assert max(Counter(row["item"] for row in rows).values()) == 1
    return {row["item"]: row["answer"] for row in rows}


def agreeing(sentences: tuple[Sentence, ...], given: dict[str, str]) -> tuple[int, int]:
    usable = {one.item: one.formula for one in sentences if one.reason is None and one.formula is not None}
    equal = [
        item
        for item, gold in usable.items()
        if item in given and equivalence(parse(gold), read(given[item]).formula).outcome is Outcome.EQUIVALENT
    ]
    return len(equal), len(usable)


@pytest.mark.parametrize("dataset", ["tarski", "folio"])
def test_second_readings_are_closed_formulas(dataset: str) -> None:
    for answer in answers(dataset).values():
        reading = read(answer)
        assert not free_variables(reading.formula)
        assert not reading.warnings


def test_tarski_second_reading_is_equivalent_to_gold() -> None:
    path = str(Path(ROOT / "resources/datasets/tarski/sentences.csv"))
    assert agreeing(TableEntry(reader="table", path=path).read().sentences, answers("tarski")) == (208, 208)


@pytest.mark.skipif(not FOLIO.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
@pytest.mark.parametrize(("gold", "agreed"), [("published", (1298, 1560)), ("corrected", (1398, 1579))])
def test_folio_second_reading_agreement_matches_documented_counts(gold: str, agreed: tuple[int, int]) -> None:
    entry = FolioEntry.model_validate({"reader": "folio", "path": str(FOLIO), "gold": gold})
    assert agreeing(entry.read().sentences, answers("folio")) == agreed


@pytest.mark.skipif(not FOLIO.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
def test_accepted_readings_reject_edits_except_listed_and_exclusive_or() -> None:
    """Counted are edits that change the meaning: of "either … or", listed as a reading, and others."""
    entry = FolioEntry.model_validate({"reader": "folio", "path": str(FOLIO), "gold": "accepted"})
    counts: Counter[str] = Counter()
    for sentence in entry.read().sentences:
        if sentence.reason is not None or not sentence.readings:
            continue
        gold = parse(sentence.readings[0])
        exclusive = {
            fol.replace(gold, path, fol.ExclusiveOr(node.left, node.right))
            for path, node in fol.subformulas(gold)
            if isinstance(node, fol.Or)
        }
        for edited in {edit.formula for edit in edits(gold)} | exclusive:
            if equivalence(gold, edited).outcome is Outcome.EQUIVALENT:
                continue
            counts["edits"] += 1
            if met("first_order", sentence.readings, to_unicode(edited))[1] is not None:
                counts["either" if says_either(sentence.text) and edited in exclusive else "listed"] += 1
    assert counts == {"edits": 9723, "listed": 14, "either": 53}


@pytest.mark.skipif(not FOLIO.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
@pytest.mark.parametrize(
    ("item", "answer"),
    [
        ("118:3", "∀x (Musician(x) → (Singer(x) ∨ Writer(x)))"),
        (
            "226:1",
            (
                "University(universityofedinburgh) ∧ Attended(williamdickinson, westminster) ∧ Highschool(westminster)"
                " ∧ Attended(williamdickinson, universityofedinburgh)"
            ),
        ),
        ("235:3", "Produce(westworld, year1973) ∧ About(westworld, robots)"),
        ("346:1", "∀x (OlympicGoldMedalWinner(x) → GoodAtSports(x) ∧ Athlete(x))"),
    ],
)
def test_answers_that_the_paper_prints_as_right_are_accepted(item: str, answer: str) -> None:
    """Appendix I of the NL-FOL-LT paper: those of o3-mini that neither published nor corrected gold agrees with."""
    entry = FolioEntry.model_validate({"reader": "folio", "path": str(FOLIO), "gold": "accepted"})
    (sentence,) = (one for one in entry.read().sentences if one.item == item)
    gold = parse(sentence.formula or "")
    assert equivalence(gold, parse(answer)).outcome is Outcome.NOT_EQUIVALENT
    corrected, accepted = met("first_order", sentence.readings, answer)
    assert not corrected
    assert accepted is not None
