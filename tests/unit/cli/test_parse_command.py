import json
from typing import Any

from tests.unit.cli.rows import rows_of, run, run_on


def parsed(*records: object) -> list[dict[str, Any]]:
    return rows_of(run_on(records, "parse"))


def test_formulas_come_back_in_the_canonical_notation() -> None:
    (row,) = parsed({"id": 7, "text": "forall x (Cube(x) -> Small(x))"})
    assert row == {
        "id": 7,
        "ok": True,
        "formula": "∀x (Cube(x) → Small(x))",
        "dialect": "ascii",
        "repairs": [],
        "ambiguous": False,
        "error": None,
    }


def test_names_alone_are_propositional_letters_where_asked_for() -> None:
    line = json.dumps({"id": 1, "text": "p -> (q() | ~P(a))"}).encode()
    (row,) = rows_of(run("parse", "--propositions", lines=line))
    assert (row["formula"], row["repairs"]) == (
        "p → q ∨ ¬P(a)",
        ["column 8: the empty parentheses after 'q' dropped"],
    )
    (refused,) = rows_of(run("parse", lines=line))
    assert "nullary" in refused["error"]["message"]


def test_prose_is_refused_with_its_place() -> None:
    (row,) = parsed({"id": "p", "text": "Every cube is small."})
    assert (row["id"], row["ok"], row["formula"]) == ("p", False, None)
    assert (row["error"]["line"], row["error"]["column"]) == (1, 1)
    assert "prose" in row["error"]["message"]


def test_ambiguities_are_said() -> None:
    (row,) = parsed({"id": 1, "text": "Cube(a) ^ Small(a)"})
    assert row["ambiguous"] is True
    assert row["ambiguities"][0]["kind"] == "caret"
