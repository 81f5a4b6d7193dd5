from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run_on
from tests.unit.tasks.test_compared_glosses import (
    EXCHANGED,
    RIGHT,
    SYMBOLS,
    answer,
    asked,
    compared,
    scored,
)

GOLD = {"lines": ["Cold(bob, True)", None, "Cold($x, True) >>> Quiet($x, True)"], "query": "Quiet(bob, True)"}
PROGRAM = {
    "lines": [
        {"sentence": 1, "line": "Warm(bob, False)"},
        {"sentence": 3, "line": "Icy($x, True) >>> Loud($x, False)"},
    ],
    "query": "Loud(bob, False)",
}
RECORD = {"id": 1, "language": "clauses", "gold": GOLD, "program": PROGRAM}


def run(command: str, *records: object, options: tuple[str, ...] = ()) -> tuple[list[dict[str, Any]], str]:
    result = run_on(records, command, *options)
    return rows_of(result), result.stderr


def test_align_shows_the_symbols_of_each_concept_and_sentence() -> None:
    (row, broken), _ = run("align", RECORD, "nonsense\n")
    assert row["concepts"] == [
        {"concept": "Cold", "kind": "predicate", "arity": 1, "symbols": ["¬Warm", "Icy"]},
        {"concept": "bob", "kind": "constant", "arity": 0, "symbols": ["bob"]},
        {"concept": "Quiet", "kind": "predicate", "arity": 1, "symbols": ["¬Loud"]},
    ]
    assert row["sentences"][0] == {
        "sentence": "1",
        "aligned_by": "structure",
        "symbols": ["¬Warm", "bob"],
        "concepts": ["Cold", "bob"],
        "error": None,
    }
    assert [each["sentence"] for each in row["sentences"]] == ["1", "3", "query"]
    assert (row["is_least"], row["error"]) == (True, None)
    assert broken["error"].startswith("not JSON")


def test_drift_measures_and_names_the_cause_for_any_number_of_jobs() -> None:
    asked = RECORD | {"answer": "A", "options": ["A) True", "B) False", "C) Unknown"]}
    text = (
        "Facts:\nWarm(bob, False) ::: Bob is cold.\nRules:\nIcy($x, True) >>> Loud($x, False)\nQuery:\nLoud(bob, False)"
    )
    sentences = ["Bob is cold.", "Nothing is said.", "Icy things are not loud."]
    records = [RECORD, asked, asked | {"program": text, "sentences": sentences}, {"id": 4}]
    rows, shown = run("drift", *records)
    assert [row["measures"] and row["measures"]["dispersion"] for row in rows] == [1 / 3, 1 / 3, 1 / 3, None]
    assert rows[0]["cause"] is None
    assert [(row["cause"]["cause"], row["cause"]["answer"]) for row in rows[1:3]] == [("drift", "C")] * 2
    assert rows[1]["cause"]["answers"] == {"drift": "A"}
    assert rows[3]["error"] == "missing key 'language'; found 'id'"
    assert "problems: 4, aligned: 3" in shown
    assert "cause drift: 2" in shown
    assert run("drift", *records, options=("--jobs", "2"))[0] == rows


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gold": []}, "'gold' must be an object with 'lines' and 'query'"),
        ({"gold": {"lines": [3], "query": "P(a, True)"}}, "'lines' of 'gold' must be a list with a text, or null"),
        (
            {"gold": {"lines": ["nonsense"], "query": "P(a, True)"}},
            "gold line 1: 'nonsense' does not start with a literal",
        ),
        ({"program": {"lines": [{"sentence": "1"}], "query": "P(a, True)"}}, "each of 'lines' of 'program' must be"),
        ({"program": {"lines": []}}, "'query' of 'program' must be a text"),
        ({"program": "Facts:\nP(a, True)"}, "with a text as 'program', 'sentences' must be the list"),
        ({"program": "nonsense", "sentences": []}, "no section; needed are"),
        ({"language": "prolog"}, "'language' is 'prolog'"),
    ],
)
def test_unusable_records_say_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    for command in ("align", "drift"):
        (row,), _ = run(command, RECORD | changes)
        assert row["id"] == 1
        assert message in row["error"]


def test_align_holds_formulas_over_an_ontology_of_their_own_against_gold() -> None:
    gold = ["Cat(tom)", "∀x (Cat(x) → Chases(x, jerry))"]
    records = [
        {"id": 1, "gold": gold, "formulas": ["Feline(thomas)", "forall x (Feline(x) -> FleesFrom(gerald, x))"]},
        {"id": 2, "gold": gold, "formulas": ["Feline(thomas)", "∀x (Feline(x) ∧ FleesFrom(gerald, x))"]},
        {"id": 3, "gold": gold, "formulas": ["Feline(thomas)"]},
        {"id": 4, "gold": gold, "formulas": ["Feline(", "P(a)"]},
        {"id": 5, "gold": gold, "formulas": [1, 2]},
    ]
    (right, wrong, *broken), _ = run("align", *records)
    assert (right["outcome"], right["recall"], right["precision"], right["error"]) == ("equivalent", 1, 1, None)
    assert {each["concept"]: each["symbols"] for each in right["concepts"]} == {
        "Cat": ["Feline"],
        "tom": ["thomas"],
        "Chases": ["FleesFrom(2, 1)"],
        "jerry": ["gerald"],
    }
    assert wrong["outcome"] == "not_equivalent"
    assert [(each["outcome"], each["fits"]) for each in wrong["sentences"]] == [
        ("equivalent", True),
        ("not_equivalent", False),
    ]
    assert wrong["recall"] == 2 / 4
    assert [row["outcome"] for row in broken] == [None] * 3
    assert [row["error"][:20] for row in broken] == [
        "1 'formulas' for 2 o",
        "line 1, column 8: ex",
        "'formulas' must be a",
    ]


CONCEPTS = [
    {"name": "Cat", "kind": "predicate", "arity": 1, "gloss": "{} is a cat"},
    {"name": "Sleeps", "kind": "predicate", "arity": 1, "gloss": "{} sleeps"},
]
GLOSSED = {"gold": ["∀x (Cat(x) → Sleeps(x))"], "concepts": CONCEPTS, "symbols": SYMBOLS}


def test_align_compares_names_and_glosses_as_an_experiment_does(tmp_path: Path) -> None:
    formulas = [RIGHT, EXCHANGED, "forall x (Feline(x) & Rests(x))", "forall x Feline("]
    items, responses = asked(tmp_path, [answer(formula) for formula in formulas])
    glosses = compared(tmp_path, items, responses)
    rows, _ = run(
        "align", *({"id": number, **GLOSSED, "formulas": [formula]} for number, formula in enumerate(formulas))
    )
    assert [row["error"] is None for row in rows] == [True, True, True, False]
    for name, metric in (("outcome", "equivalence"), ("anchored", "anchored")):
        # So strict that no cosine decides: then words do alone, as on the command line.
        expected = scored(tmp_path, items, responses, glosses, metric, threshold=0.99, margin=0.1)
        assert [float(row[name] == "equivalent") for row in rows] == expected == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"symbols": 3}, "'symbols', glossed symbols as answers have them"),
        ({"concepts": CONCEPTS[:1]}, "'concepts' lacks Sleeps of 'gold'"),
        ({"symbols": [SYMBOLS[0], SYMBOLS[0]]}, "symbol 'Feline' is declared twice"),
    ],
)
def test_malformed_glossed_symbols_are_an_error_of_their_row(changes: dict[str, Any], message: str) -> None:
    (row,), _ = run("align", GLOSSED | {"formulas": [RIGHT]} | changes)
    assert message in row["error"]
    assert row["outcome"] is None
