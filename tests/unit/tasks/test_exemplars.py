"""Solved examples: never one of the items, and an item without any is refused."""

import json
from pathlib import Path

import pytest
from tests.unit.tasks.generated_set import items_file, triples_file

from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.store import files, schemas
from nlfol.store.files import StoreError

FORMULAS = ["P(a)", "P(b)", "Q(a) ∨ P(a)"]
ONTOLOGY = derive(map(parse, FORMULAS))
TEXTS = dict(zip(FORMULAS, ["Ann sings.", "Bert sings.", "Ann sings or dances."], strict=True))
DRAWN = [
    {"text": f"Text {number}.", "formula": formula} for number, formula in enumerate(["P(b)", "Q(b)", "¬Q(b)", "Q(c)"])
]
FEW = {"task": "round_trip", "presentations": ["few_shot"]}


def test_those_of_a_generated_set_are_two_that_are_no_items(tmp_path: Path) -> None:
    triples = triples_file(
        tmp_path / "t.arrow",
        "first_order",
        ONTOLOGY,
        [(1, formula) for formula in FORMULAS],
        exemplars=json.dumps(DRAWN),
    )
    rows = files.rows(items_file(tmp_path, triples, **FEW), schemas.ITEMS)
    assert [row["exemplars"] for row in rows] == [DRAWN[1:3]] * 3
    assert [row["category"] for row in rows] == [1, 1, 1]
    rows = files.rows(items_file(tmp_path, triples, task="round_trip"), schemas.ITEMS)
    assert [row["exemplars"] for row in rows] == [[]] * 3


def test_that_of_a_sentence_is_another_one_of_its_story(tmp_path: Path) -> None:
    formulas = [(None, formula) for formula in FORMULAS]
    triples = triples_file(tmp_path / "t.arrow", "first_order", ONTOLOGY, formulas, story="s", texts=TEXTS)
    rows = files.rows(items_file(tmp_path, triples, **FEW), schemas.ITEMS)
    for row in rows:
        (shown,) = row["exemplars"]
        assert shown["formula"] in FORMULAS
        assert shown["text"] == TEXTS[shown["formula"]]
        assert shown["formula"] != row["formula"]
    again = files.rows(items_file(tmp_path, triples, **FEW), schemas.ITEMS)
    assert again == rows


def test_a_sentence_alone_in_its_story_is_refused_where_examples_are_asked_for(tmp_path: Path) -> None:
    triples = triples_file(tmp_path / "t.arrow", "first_order", ONTOLOGY, [(None, "P(a)"), (None, "P(b)")], texts=TEXTS)
    rows = files.rows(items_file(tmp_path, triples, **FEW), schemas.ITEMS)
    assert [(row["status"], row["reason"]) for row in rows] == [("refused", "no_exemplar")] * 2
    rows = files.rows(items_file(tmp_path, triples, task="round_trip"), schemas.ITEMS)
    assert [row["status"] for row in rows] == ["usable"] * 2


@pytest.mark.parametrize("drawn", ["no JSON", '[{"text": "T."}]', '{"text": "T.", "formula": "P(a)"}'])
def test_unusable_metadata_is_one_error(tmp_path: Path, drawn: str) -> None:
    triples = triples_file(tmp_path / "t.arrow", "first_order", ONTOLOGY, [(1, "P(a)")], exemplars=drawn)
    with pytest.raises(StoreError, match="dataset toy: its triples have no usable exemplars"):
        items_file(tmp_path, triples, **FEW)
