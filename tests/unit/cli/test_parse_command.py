import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run, run_on


def parsed(*records: object) -> list[dict[str, Any]]:
    return rows_of(run_on(records, "parse"))


def test_parse_returns_canonical_notation() -> None:
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


def test_propositions_option_reads_bare_names_as_letters() -> None:
    line = json.dumps({"id": 1, "text": "p -> (q() | ~P(a))"}).encode()
    (row,) = rows_of(run("parse", "--propositions", lines=line))
    assert (row["formula"], row["repairs"]) == (
        "p → q ∨ ¬P(a)",
        ["column 8: the empty parentheses after 'q' dropped"],
    )
    (refused,) = rows_of(run("parse", lines=line))
    assert "nullary" in refused["error"]["message"]


def test_parse_refuses_prose_with_position() -> None:
    (row,) = parsed({"id": "p", "text": "Every cube is small."})
    assert (row["id"], row["ok"], row["formula"]) == ("p", False, None)
    assert (row["error"]["line"], row["error"]["column"]) == (1, 1)
    assert "prose" in row["error"]["message"]


def test_parse_reports_ambiguities() -> None:
    (row,) = parsed({"id": 1, "text": "Cube(a) ^ Small(a)"})
    assert row["ambiguous"] is True
    assert row["ambiguities"][0]["kind"] == "caret"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"nonsense", "not JSON"),
        (b"", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"id": 1}', "missing key 'text'"),
        (b'{"id": 1, "text": null}', "'text' must be a text"),
        (b'{"id": 1, "text": ""}', ""),
    ],
)
def test_parse_prints_result_for_every_input_line(line: bytes, message: str) -> None:
    good = b'{"id": "good", "text": "Cube(a)"}\n'
    first, bad, last = rows_of(run("parse", lines=good + line + b"\n" + good))
    assert first == last == first | {"id": "good", "ok": True}
    assert bad["ok"] is False
    assert message in bad["error"]["message"]


def test_parse_reads_file_like_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "formulas.jsonl"
    path.write_text('{"id": 1, "text": "Cube(a)"}\n')
    assert rows_of(run("parse", str(path))) == parsed({"id": 1, "text": "Cube(a)"})
    assert rows_of(run("parse", "-", lines=path.read_bytes())) == parsed({"id": 1, "text": "Cube(a)"})


def test_parse_survives_lone_surrogate() -> None:
    (row,) = rows_of(run("parse", lines=b'{"id": "\\udc80", "text": "\\udc80"}\n'))
    assert row["id"] == "\udc80"
    assert row["ok"] is False
