"""From items to the table: what a model loses that must name its symbols itself, paired by item and by story."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.analysing import analyse
from tests.unit.tasks.generated_set import judged, triples

from nlfol.results.statistics.differences import difference
from nlfol.results.tables.rendering import RENDERERS
from nlfol.store import files
from nlfol.tasks.item import Item
from nlfol_extras.analyses.ontologies import ONTOLOGIES, TABLE

SENTENCES = [
    (story, f"{story} {number}", formula)
    for story in ("r", "s", "t", "u")
    for number, formula in enumerate(("P(a)", "Q(a)", "∀x (P(x) → Q(x))"))
]
GIVEN = {"task": "logical_translation"}
OWN = {**GIVEN, "ontology": "own"}
WRONG_OWN = {"r:0", "r:2", "s:1", "t:2"}
"""Sentences that the model gets wrong over its own ontology."""
WRONG_GIVEN = {"s:1"}


def translated(item: Item) -> str:
    formula = item.formula if item.item not in WRONG_GIVEN else f"¬({item.formula})"
    return json.dumps({"reasoning": "", "answer": formula})


def renamed(formula: str, wrong: bool) -> str:
    said = formula.replace("P(", "One(").replace("Q(", "Two(").replace("a", "it")
    return f"¬({said})" if wrong else said


def extracted(item: Item) -> str:
    members = [member.formula for member in item.members]
    symbols: list[dict[str, Any]] = [
        {"name": name, "kind": "predicate", "arity": 1, "gloss": name} for name in ("One", "Two")
    ]
    symbols.append({"name": "it", "kind": "constant", "arity": 0, "gloss": "it"})
    answer: Any = renamed(item.formula, item.item in WRONG_OWN)
    if members:
        answer = [renamed(each, f"{item.item}:{number}" in WRONG_OWN) for number, each in enumerate(members)]
    return json.dumps({"reasoning": "", "symbols": symbols, "answer": answer})


@pytest.fixture
def rows(tmp_path: Path) -> pl.DataFrame:
    return asked_both_ways(tmp_path)


def asked_both_ways(tmp_path: Path) -> pl.DataFrame:
    """The rows of ONTOLOGIES of a model that is asked over the given ontology, and over its own by item and story."""
    source = triples(tmp_path / "triples.arrow", SENTENCES)
    given = [judged(tmp_path, source, GIVEN, translated, "given")]
    scopes = {"own": "sentence", "whole": "story"}
    own = [judged(tmp_path, source, {**OWN, "scope": scope}, extracted, task) for task, scope in scopes.items()]
    items = [tmp_path / f"{task}.items.arrow" for task in scopes]
    analyse("ontologies", tmp_path, {"scopes": scopes}, own_scores=own, given_scores=given, own_items=items)
    return pl.DataFrame(files.rows(tmp_path / "ontologies.arrow", ONTOLOGIES))


def test_ontology_gap_is_paired_by_item_and_story(rows: pl.DataFrame) -> None:
    by_item, by_story = rows.to_dicts()
    assert (by_item["scope"], by_item["items"], by_item["common"]) == ("sentence", 12, 12)
    assert by_item["right"] == by_item["score_own"] == by_item["sentences"] == pytest.approx(8 / 12)
    assert by_item["score_given"] == pytest.approx(11 / 12)
    assert by_item["difference"] == pytest.approx(3 / 12)
    names = [f"{story}:{number}" for story, number in ((each[0], each[1][2:]) for each in SENTENCES)]
    first, second = ([float(name not in wrong) for name in names] for wrong in (WRONG_GIVEN, WRONG_OWN))
    expected = difference(first, second, [name[0] for name in names])
    assert (by_item["low"], by_item["high"], by_item["p"]) == (expected.low, expected.high, expected.p)
    # Only story u has all sentences right by one map.
    assert (by_story["scope"], by_story["items"], by_story["common"]) == ("story", 4, 4)
    assert by_story["right"] == pytest.approx(1 / 4)
    assert by_story["score_own"] == by_story["sentences"] == pytest.approx((1 / 3 + 2 / 3 + 2 / 3 + 1) / 4)
    assert by_story["score_given"] == pytest.approx((1 + 2 / 3 + 1 + 1) / 4)
    whole = difference([1, 2 / 3, 1, 1], [1 / 3, 2 / 3, 2 / 3, 1], ["r", "s", "t", "u"])
    assert by_story["p"] == pytest.approx(whole.p)
    # Four stories tell nothing.
    assert by_item["p"] == by_item["adjusted"] == by_story["p"] == by_story["adjusted"] == 1


def test_gap_table_renders_in_every_format(rows: pl.DataFrame) -> None:
    table = TABLE.table(rows)
    assert [row[:4] for row in table.rows] == [("toy", "own", "sentence", "m"), ("toy", "whole", "story", "m")]
    for render in RENDERERS.values():
        assert "given" in render(table)


def test_gap_analysis_works_without_given_ontology_task(tmp_path: Path) -> None:
    source = triples(tmp_path / "triples.arrow", SENTENCES)
    own, output = judged(tmp_path, source, OWN, {"kind": "reader"}, "own"), tmp_path / "ontologies.arrow"
    items = [tmp_path / "own.items.arrow"]
    analyse("ontologies", tmp_path, {"scopes": {"own": "sentence"}}, own_scores=[own], own_items=items)
    (row,) = files.rows(output, ONTOLOGIES)
    assert (row["kind"], row["right"], row["recall"], row["given"], row["p"]) == ("reader", 1, 1, None, None)
    assert len(TABLE.table(pl.DataFrame([row], infer_schema_length=None)).rows) == 1


def test_partially_asked_story_is_excluded_from_pairs(tmp_path: Path) -> None:
    source, part = triples(tmp_path / "triples.arrow", SENTENCES), triples(tmp_path / "part.arrow", SENTENCES[:-1])
    given = judged(tmp_path, part, GIVEN, translated, "given")
    own = judged(tmp_path, source, {**OWN, "scope": "story"}, extracted, "whole")
    output, items = tmp_path / "ontologies.arrow", [tmp_path / "whole.items.arrow"]
    scopes = {"scopes": {"whole": "story"}}
    analyse("ontologies", tmp_path, scopes, own_scores=[own], given_scores=[given], own_items=items)
    (row,) = files.rows(output, ONTOLOGIES)
    assert (row["items"], row["common"]) == (4, 3)
