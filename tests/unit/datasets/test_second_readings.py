"""Second readings: what is stored, and how far they agree with published and corrected gold."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

from nlfol.datasets.entries.folio import FolioEntry
from nlfol.datasets.entries.table import TableEntry
from nlfol.datasets.sentences import Sentence
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import free_variables
from nlfol.logic.reading import parse, read

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
def test_every_answer_is_a_closed_formula(dataset: str) -> None:
    for answer in answers(dataset).values():
        reading = read(answer)
        assert not free_variables(reading.formula)
        assert not reading.warnings


def test_of_tarski_it_means_what_the_gold_formulas_mean() -> None:
    path = str(Path(ROOT / "resources/datasets/tarski/sentences.csv"))
    assert agreeing(TableEntry(reader="table", path=path).read().sentences, answers("tarski")) == (208, 208)


@pytest.mark.skipif(not FOLIO.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
@pytest.mark.parametrize(("gold", "agreed"), [("published", (1298, 1560)), ("corrected", (1397, 1579))])
def test_of_folio_it_is_nearer_to_corrected_gold(gold: str, agreed: tuple[int, int]) -> None:
    entry = FolioEntry.model_validate({"reader": "folio", "path": str(FOLIO), "gold": gold})
    assert agreeing(entry.read().sentences, answers("folio")) == agreed
