"""``nlfol lint``, as a user runs it."""

import json
from pathlib import Path

import polars as pl
import pytest
from tests.unit.cli.rows import process, run, usage_error

SOME = {"id": "s:0", "story": "s", "text": "Some cats purr.", "formula": "∃x (Cat(x) → Purr(x))"}
RIGHT = {"id": "s:1", "story": "s", "text": "Tom is a cat.", "formula": "Cat(tom)"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gold,a.jsonl"
    path.write_text("\n".join(map(json.dumps, (RIGHT, SOME))) + "\n", encoding="utf-8")
    return path


def test_lint_prints_finding_with_suggestion(file: Path) -> None:
    run = process("lint", str(file))
    (row,) = map(json.loads, run.stdout.splitlines())
    assert (row.pop("message"), row.pop("confidence") > 0.8) == (
        "∃ over → holds as soon as anything fails the condition; ∧ may be meant",
        True,
    )
    assert row == {"id": "s:0", "rule": "exists_over_implication", "suggestion": "∃x (Cat(x) ∧ Purr(x))"}
    assert (run.returncode, run.stderr.split()) == (1, ["1", "exists_over_implication"])


def test_lint_text_and_github_formats_name_line(file: Path) -> None:
    (text,) = process("lint", str(file), "--format", "text").stdout.splitlines()
    assert text.startswith(f"{file}:2: exists_over_implication: s:0: ∃ over →")
    (annotation,) = process("lint", str(file), "--format", "github").stdout.splitlines()
    path = str(file).replace(",", "%2C")
    assert annotation.startswith(f"::warning file={path},line=2,title=exists_over_implication::s:0: ∃ over →")


def test_lint_checks_files_separately(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(SOME | {"id": "t:0"}) + "\n", encoding="utf-8")
    found = process("lint", str(file), str(other), "--format", "text").stdout.splitlines()
    assert [line.split(": ")[:3:2] for line in found] == [[f"{file}:2", "s:0"], [f"{other}:1", "t:0"]]
    assert process("lint", str(file), str(tmp_path / "none.jsonl")).returncode == 2


def test_lint_status_reflects_findings_and_unusable_lines(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(RIGHT) + "\n", encoding="utf-8")
    run = process("lint", str(path))
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    lines = [json.dumps(RIGHT), '{"id": 7, "text": "Ada sings."}', "no", json.dumps(RIGHT | {"ontology": {"a": 1}})]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = process("lint", str(path))
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(row["id"], row["rule"]) for row in rows] == [(7, None), (None, None), ("s:1", None)]
    assert "missing key 'formula'" in rows[0]["error"]
    assert "'predicates'" in rows[2]["error"]
    assert (run.returncode, run.stderr.split()) == (1, ["3", "unusable", "line"])


def test_lint_refuses_keys_of_other_kinds(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    lines = [RIGHT | {"conclusion": "true"}, RIGHT | {"conclusion": 1}, RIGHT | {"ontology": "cats"}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    errors = [json.loads(line)["error"] for line in run("lint", str(path)).stdout.splitlines()]
    assert errors[:2] == [f"'conclusion' is {each}; write true or false" for each in ("'true'", "1")]
    assert errors[2].startswith("ontology: ")
    path.write_text(json.dumps(RIGHT | {"conclusion": None, "ontology": None}), encoding="utf-8")
    assert run("lint", str(path)).stdout == ""


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_lint_reads_tables_as_json_lines(tmp_path: Path, ending: str) -> None:
    """Cells that are empty are no keys; a quoted cell may have several lines."""
    owner = {"id": "", "story": "", "text": "Ada sings,\nand well.", "formula": "Sing(ada)"}
    rows = [{**row, "conclusion": truth} for row, truth in ((owner, ""), (RIGHT, "TRUE"), (SOME, "false"), (SOME, ""))]
    lines, table = tmp_path / "gold.jsonl", tmp_path / f"gold.{ending}"
    kept = [{name: cell for name, cell in row.items() if cell} for row in rows]
    read = {"TRUE": True, "false": False}
    records = [row | ({"conclusion": read[row["conclusion"]]} if "conclusion" in row else {}) for row in kept]
    lines.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    if ending == "csv":
        pl.DataFrame(rows).write_csv(table, separator=";")
    else:
        pl.DataFrame(rows).write_parquet(table)
    found = run("lint", str(table), "--level", "all")
    assert found.stdout == run("lint", str(lines), "--level", "all").stdout
    assert len(found.stdout.splitlines()) == 2
    places = [line.split(": ")[0] for line in run("lint", str(table), "--format", "text").stdout.splitlines()]
    assert places == [f"{table}:{number}" for number in ((5, 6) if ending == "csv" else (3, 4))]


def test_unusable_tables_of_lint_are_refused_and_rows_named(tmp_path: Path) -> None:
    table = tmp_path / "gold.csv"
    for header in (["text", "FOL"], ["text", "formula", "formula"]):
        table.write_text(f"{','.join(header)}\nAda sings.,Sing(ada)\n", encoding="utf-8")
        assert f"name one column 'formula'; found {header}" in usage_error("lint", str(table))
    rows = ["1,Ada sings.,Sing(ada),yes,", "2,Ada sings.,Sing(ada),,no", "3,Ada sings."]
    table.write_text("\n".join(["id,text,formula,conclusion,ontology", *rows]), encoding="utf-8")
    errors = [json.loads(line)["error"] for line in run("lint", str(table)).stdout.splitlines()]
    assert errors[0] == "'conclusion' is 'yes'; write true or false"
    assert errors[1].startswith("'ontology' is not JSON: ")
    assert errors[2] == "missing key 'formula'; found 'id', 'text'"


def test_lint_shares_symbols_within_story_only(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    rows = [
        {"id": n, "text": f"{name} sings.", "formula": formula}
        for n, (name, formula) in enumerate([("Ada", "Sing(ada)"), ("Ben", "Sing(ben)"), ("Eve", "Sings(eve)")])
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    assert process("lint", str(path)).stdout == ""
    path.write_text("\n".join(json.dumps(row | {"story": "s"}) for row in rows) + "\n", encoding="utf-8")
    (row,) = map(json.loads, process("lint", str(path)).stdout.splitlines())
    assert (row["id"], row["message"]) == ("2", "Sings may be Sing")


def test_lint_reads_generated_english_by_ontology(tmp_path: Path) -> None:
    drawn = process("generate", "first_order", "--vocabulary", "english", "--values", "2-4", "--count", "3").stdout
    rows = [json.loads(line) for line in drawn.splitlines()]
    texts = [{**row, "text": row["english"]} for row in rows]
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(map(json.dumps, texts)) + "\n", encoding="utf-8")
    assert process("lint", str(path)).returncode == 0
    moved = [row | {"formula": f"¬({row['formula']})"} for row in texts]
    path.write_text("\n".join(map(json.dumps, moved)) + "\n", encoding="utf-8")
    found = [json.loads(line) for line in process("lint", str(path)).stdout.splitlines()]
    assert {row["id"] for row in found if row["rule"] == "english"} == {row["id"] for row in rows}


def test_unusable_lint_options_are_refused(file: Path) -> None:
    run = process("lint", str(file), "--level", "sharp")
    assert run.returncode == 2
    assert "precise, balanced, all" in run.stderr
    assert process("lint", str(file), "--ontology", str(file)).returncode == 2
