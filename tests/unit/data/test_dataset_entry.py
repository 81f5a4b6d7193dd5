"""Entries of datasets: their defaults, and errors that name the key."""

import json
from typing import Any

import pytest

from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.table import TableEntry
from nlfol.data.entry import read_entry, read_problems_entry, read_sentences_entry
from nlfol.store.records import SourceError

FAMILY = {"reader": "family", "family": "rules"}
SET = {"reader": "grammar", "grammar": "first_order", "vocabulary": "english", "values": [1], "count": 3}
REWORDED = {"reader": "diversified", "of": "rules"}
BOUNDS = {"intensity": 0.5, "at_most": 2}
PAPER = REWORDED | {"protocol": "paper", "rewriter": "gpt", "assembler": "gpt", "filter": {"model": "minilm"}}


def test_dataset_entry_type_follows_reader_key() -> None:
    folio = read_entry('{"reader": "folio"}')
    assert isinstance(folio, FolioEntry)
    assert (folio.path, folio.ontology, folio.exclusive_or) == (None, None, "exclude")
    table = read_entry('{"reader": "table", "path": "a.csv", "ontology": "b.yaml"}')
    assert table == TableEntry(reader="table", path="a.csv", ontology="b.yaml")
    problems = json.dumps(FAMILY)
    assert read_entry(problems).holds == "problems"
    with pytest.raises(SourceError, match="it holds problems"):
        read_sentences_entry(problems)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"reader": "excel"}, "reader|excel"),
        ({"reader": "table"}, r"table\.path: is missing"),
        ({"reader": "folio", "paht": "a"}, r"folio\.paht: there is no such key"),
        ({"reader": "folio", "exclusive_or": "maybe"}, r"folio\.exclusive_or"),
        (SET | {"grammar": "mine.yaml"}, "a file of your own needs the key 'language'"),
        (SET | {"language": "regular"}, "has its language; remove the key 'language'"),
        (SET | {"batch": [1, 3, 1]}, "batch: 1 occurs twice; keep one of them"),
        (SET | {"levels": 30}, "levels is of the expansion; remove it, or set protocol: paper"),
        (SET | {"arities": [2, 1]}, "'arities' is the least arity and the greatest; exchange them"),
        (SET | {"arities": [1, 5]}, r"arities\.1: must be less than or equal to 4"),
        (SET | {"variables": 1.5}, "variables: must be less than or equal to 1"),
        (SET | {"predicates": 0}, "predicates: must be greater than or equal to 1"),
        (
            SET | {"grammar": "regular", "vocabulary": "names", "constants": 3},
            "constants is of first-order sentences, and these are regular; remove it",
        ),
        (SET | {"batch": []}, r"batch: .*at least 1 item"),
        (SET | {"batch": [1, 11]}, r"batch\.1: must be less than or equal to 10"),
        (SET | {"batch": "1-10"}, r"batch: must be a list"),
        (SET | {"values": None}, "Set 'values'"),
        (SET | {"values": {"from": 4, "to": 2}}, "exchange them"),
        (SET | {"quantifiers": [3, 1]}, "exchange them"),
        (SET | {"vocabulary": "verbnet"}, "go together"),
        (SET | {"count": 0}, "count"),
        (SET | {"sort": "x"}, "sort"),
        (REWORDED | {"intensity": 2}, "intensity"),
        (REWORDED | {"types": ["rhyme"]}, "types"),
        (REWORDED | {"at_most": 0}, "at_most"),
        (REWORDED | {"decoys": -1}, "decoys"),
        (REWORDED | {"sample": 3}, "sample"),
        (
            REWORDED | {"wordnet": "wn", "rewriter": "gpt"},
            "wordnet and rewriter are not of protocol 'audited'; remove this",
        ),
        (PAPER | {"forms": 2}, "forms is not of protocol 'paper'"),
        (PAPER | {"types": ["synonym", "syntax"]}, "types: syntax is not of protocol 'paper'; remove it"),
        (PAPER | {"filter": None, "assembler": None}, "protocol 'paper' needs filter and assembler: names of models"),
        (PAPER | {"filter": {"model": "minilm", "threshold": 2}}, "threshold"),
    ],
)
def test_dataset_entry_error_names_key(keys: dict[str, Any], problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        read_entry(json.dumps(keys))


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        ({"grammar": "k_sat"}, "k_sat"),
        ({"grammar": "k_sat", "count": 5, "batch": [1, 2]}, "k_sat"),
        ({"grammar": "first_order", "vocabulary": "english"}, "first_order_english"),
        ({"grammar": "k_sat", "clause": 2}, ""),
        ({"grammar": "k_sat", "values": [2]}, ""),
        ({"grammar": "k_sat", "protocol": "audited", "values": [2]}, ""),
    ],
)
def test_published_name_requires_published_settings(keys: dict[str, Any], name: str) -> None:
    assert read_entry(json.dumps({"reader": "grammar", "protocol": "paper", **keys})).published_as == name


def test_published_protocol_entry_lists_lexicon_files() -> None:
    entry = read_problems_entry(json.dumps(PAPER | {"wordnet": "wn"}))
    assert read_problems_entry(entry.model_dump_json()) == entry
    assert {"wn/index.noun", "wn/data.adv"} < set(entry.source_files)
    assert not entry.is_drawn
    assert all(read_problems_entry(json.dumps(PAPER | {key: value})).is_drawn for key, value in BOUNDS.items())
