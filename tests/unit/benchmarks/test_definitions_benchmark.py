"""A tenth of what ``benchmarks/definitions.py`` counts: the bounds of planted errors and trivial answers."""

import json

import pytest
from benchmarks.definitions import Counted, count, exchanges, interval, training
from benchmarks.own_ontologies import tarski
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
    assert {kind: counts["accepted"] for kind, counts in found.others.items()} == dict.fromkeys(found.others, 0)
    whole = interval(found.problems["all"])
    assert whole[0] >= 0.9


def test_definitions_anchor_no_exchange_in_any_names() -> None:
    found = exchanges(tarski()[::10])
    assert {kind: counts["accepted"] for kind, counts in found.items()} == dict.fromkeys(found, 0)
    assert all(counts["n"] for counts in found.values())
