import json
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run_on, usage_error
from tests.unit.logic.hard_pairs import FOR_PROVERS
from typer.testing import Result

GOLD = "∀x (Cube(x) → Small(x))"


def run(command: str, *records: object, options: tuple[str, ...] = ()) -> Result:
    return run_on(records, command, *options)


def pair(candidate: str, reference: str = GOLD) -> dict[str, Any]:
    return {"id": candidate, "reference": reference, "candidate": candidate}


@pytest.mark.parametrize(
    ("candidate", "verdict", "relation"),
    [
        ("¬∃x (Cube(x) ∧ ¬Small(x))", "equivalent", None),
        ("forall x. (Cube(x) -> Small(x))", "equivalent", None),
        ("∀x Small(x)", "not_equivalent", "stronger"),
        ("∀x (Cube(x) ∧ Tet(x) → Small(x))", "not_equivalent", "weaker"),
        ("∃x (Cube(x) ∧ ¬Small(x))", "not_equivalent", "contradictory"),
        ("∃x (Cube(x) ∧ Small(x))", "not_equivalent", "independent"),
        ("Cube(x) → Small(x)", "invalid", None),
        ("Every cube is small.", "invalid", None),
    ],
)
def test_compare_gives_verdict_and_relation(candidate: str, verdict: str, relation: str | None) -> None:
    (row,) = rows_of(run("compare", pair(candidate)))
    assert list(row) == ["id", "verdict", "relation", "stage", "counter_model", "seconds", "error"]
    assert (row["id"], row["verdict"], row["relation"]) == (candidate, verdict, relation)
    assert (row["counter_model"] is not None) == (verdict == "not_equivalent")
    assert (row["error"] is not None) == (verdict == "invalid")


def test_compare_gives_counter_model_as_json() -> None:
    (row,) = rows_of(run("compare", pair("∃x (Cube(x) ∧ LeftOf(x, a))", "∀x (Cube(x) ∧ LeftOf(x, a))")))
    model = row["counter_model"]
    assert set(model) == {"size", "constants", "functions", "predicates"}
    assert set(model["constants"]) == {"a"}
    assert all(len(arguments) == 2 for arguments in model["predicates"]["LeftOf"])


@pytest.mark.parametrize(
    ("candidate", "verdict", "word"),
    [
        ("1(0*)", "not_equivalent", "1"),
        ("Regex: `10+`.", "equivalent", None),
        ("10(0|1)*", "not_equivalent", "101"),
        ("1?00*", "not_equivalent", "0"),
        ("(100*", "invalid", None),
        ("a one, then zeros", "invalid", None),
    ],
)
def test_compare_judges_regular_expressions(candidate: str, verdict: str, word: str | None) -> None:
    (row,) = rows_of(run("compare", pair(candidate, "100*"), options=("--language", "regular")))
    columns = ["id", "verdict", "relation", "stage", "counter_model", "word", "seconds", "error"]
    assert list(row) == columns
    assert (row["id"], row["verdict"], row["word"]) == (candidate, verdict, word)
    assert (row["error"] is not None) == (verdict == "invalid")
    assert row["relation"] is row["counter_model"] is None


def test_compare_distinguishes_empty_word_from_null() -> None:
    (row, bad) = rows_of(run("compare", pair("0*", "0"), "no JSON\n", options=("--language", "regular")))
    assert (row["word"], bad["word"]) == ("", None)
    assert bad["error"].startswith("not JSON")


@pytest.mark.parametrize("option", [("--propositions",), ("--rlimit", "10")])
def test_compare_refuses_formula_options_for_regular_expressions(option: tuple[str, ...]) -> None:
    error = usage_error("compare", "--language", "regular", *option, lines=json.dumps(pair("0", "0")))
    assert "not for --language regular" in error


def test_compare_returns_unknown_when_budget_is_exhausted() -> None:
    (row,) = rows_of(run("compare", pair(*FOR_PROVERS["syllogism by detachment"]), options=("--rlimit", "10")))
    assert row["verdict"] == "unknown"
    assert row["error"]


@pytest.mark.parametrize(
    ("premises", "conclusion", "label"),
    [
        (["∀x (Man(x) → Mortal(x))", "Man(socrates)"], "Mortal(socrates)", "true"),
        (["∀x (Man(x) → Mortal(x))", "Man(socrates)"], "¬Mortal(socrates)", "false"),
        (["∀x (Man(x) → Mortal(x))"], "Mortal(socrates)", "uncertain"),
        ([], "Man(a) ∨ ¬Man(a)", "true"),
    ],
)
def test_entails_labels_conclusions(premises: list[str], conclusion: str, label: str) -> None:
    (row,) = rows_of(run("entails", {"id": 1, "premises": premises, "conclusion": conclusion}))
    assert (row["label"], row["inconsistent"], row["error"]) == (label, False, None)


@pytest.mark.parametrize(
    ("premises", "conclusion"),
    [
        (["∀x (Man(x) → Mortal(x)))", "Man(socrates)"], "Mortal(socrates)."),
        (["∀x (Man(x), Greek(x) → Mortal(x))", "Man(socrates)", "Greek(socrates)"], "`Mortal(socrates)`"),
    ],
)
def test_entails_repairs_premise_notation_like_parse(premises: list[str], conclusion: str) -> None:
    (row,) = rows_of(run("entails", {"id": 1, "premises": premises, "conclusion": conclusion}))
    assert (row["label"], row["error"]) == ("true", None)
    assert "notes" not in row


@pytest.mark.parametrize("conclusion", ["- P(a)", "-P(a)"])
def test_leading_dash_reads_as_negation(conclusion: str) -> None:
    (row,) = rows_of(run_on([], "entails", "--json", "all x. (Q(x) -> -P(x))", "Q(a)", conclusion))
    assert (row["label"], row["error"]) == ("true", None)


def test_reading_dependent_verdict_yields_unknown() -> None:
    (row,) = rows_of(run("entails", {"id": 1, "premises": ["P(a) ^ Q(a)"], "conclusion": "P(a)"}))
    assert row["label"] == "unknown"
    assert row["error"] == "premises[0]: ambiguous: '^' taken as ∧; it stands for ∧ or for ⊕"
    (row,) = rows_of(run("entails", {"id": 1, "premises": ["P(a) ^ Q(a)"], "conclusion": "P(a) | Q(a)"}))
    assert (row["label"], row["error"]) == ("true", None)
    (row,) = rows_of(run("compare", pair("P(a) & Q(a)", "P(a) ^ Q(a)")))
    assert row["verdict"] == "invalid"
    assert row["error"].startswith("reference: ")
    assert "ambiguous: '^' taken as ∧" in row["error"]


def test_entails_takes_unbound_name_for_constant() -> None:
    premises = ["∀x (Born(x, y1984) → Adult(x))", "Born(ann, y1984)"]
    (row,) = rows_of(run("entails", {"id": 1, "premises": premises, "conclusion": "Adult(ann)"}))
    assert (row["label"], row["error"]) == ("true", None)
    assert row["notes"] == [
        f"premises[{number}]: no quantifier binds y1984; taken for the constant y_1984" for number in (0, 1)
    ]


def test_propositions_option_enables_propositional_formulas() -> None:
    records = [pair("¬q -> ¬p", "p → q"), pair("q → p", "p → q")]
    same, other = rows_of(run("compare", *records, options=("--propositions", "--jobs", "2")))
    assert (same["verdict"], other["verdict"], other["relation"]) == ("equivalent", "not_equivalent", "independent")
    assert other["counter_model"]["predicates"] == {"p": [[]], "q": []}
    assert {row["verdict"] for row in rows_of(run("compare", *records))} == {"invalid"}
    record = {"id": 1, "premises": ["p → q", "p"], "conclusion": "q"}
    assert rows_of(run("entails", record, options=("--propositions",)))[0]["label"] == "true"
    assert "premises[0]: " in rows_of(run("entails", record))[0]["error"]


def test_entails_flags_inconsistent_premises() -> None:
    (row,) = rows_of(run("entails", {"id": 1, "premises": ["Man(a)", "¬Man(a)"], "conclusion": "Man(b)"}))
    assert row["inconsistent"] is True


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": 1, "premises": "Man(a)", "conclusion": "Man(a)"}, "must be a list"),
        ({"id": 1, "premises": ["Man(a)", "he is one"], "conclusion": "Man(a)"}, "premises[1]: "),
        ({"id": 1, "premises": ["Man(a)", 3], "conclusion": "Man(a)"}, "premises[1]"),
        ({"id": 1, "premises": ["Man(x)"], "conclusion": "∃x Man(x)"}, "x"),
        ({"id": 1, "premises": ["Man(a)"], "conclusion": "Man(a, b)"}, "Man"),
        ({"id": 1, "premises": []}, "missing key 'conclusion'"),
    ],
)
def test_entails_returns_unknown_with_reason_for_unreadable_records(record: dict[str, Any], message: str) -> None:
    (row,) = rows_of(run("entails", record))
    assert row["label"] == "unknown"
    assert message in row["error"]


@pytest.mark.parametrize("options", [("--rlimit", "0"), ("--jobs", "none")])
def test_unusable_options_exit_with_status_2(options: tuple[str, ...]) -> None:
    assert run("compare", pair(GOLD), options=options).exit_code == 2


def test_compare_takes_name_free_in_both_formulas_for_constant() -> None:
    record = {"id": 1, "reference": "Born(ann, y1984)", "candidate": "¬¬Born(ann, y1984)"}
    (row,) = rows_of(run("compare", record))
    assert row["verdict"] == "equivalent"
    assert "candidate: no quantifier binds y1984; taken for the constant y_1984" in row["notes"]
    (row,) = rows_of(run("compare", record | {"candidate": "Born(ann, y1985)"}))
    assert (row["verdict"], row["stage"]) == ("invalid", "open_formula")
    (row,) = rows_of(run("compare", record | {"candidate": "∀y1984 Born(ann, y1984)"}))
    assert row["verdict"] == "invalid"
