"""``nlfol generate``, as a user runs it."""

import json
from pathlib import Path

import polars as pl
from tests.unit.cli.rows import run, usage_error


def test_items_go_to_standard_output_and_counts_and_digest_to_standard_error() -> None:
    arguments = ("generate", "first_order", "--vocabulary", "english", "--values", "1-2")
    made = run(*arguments, "--count", "2", "--seed", "4")
    rows = [json.loads(line) for line in made.stdout.splitlines()]
    assert [(row["id"], row["operators"]) for row in rows] == [("1-1", 1), ("1-2", 1), ("2-1", 2), ("2-2", 2)]
    assert set(rows[0]) == {"id", "language", "formula", "english", "ontology", "operators", "tree"}
    assert "4 items; refused draws: " in made.stderr
    assert "SHA-256 of the set: " in made.stderr


def test_a_published_digest_is_held_against_a_revealed_seed() -> None:
    arguments = ("generate", "regular", "--values", "3,5", "--count", "2")
    digest = run(*arguments, "--seed", "4").stderr.split()[-1]
    right = run(*arguments, "--seed", "4", "--check", digest)
    assert (right.exit_code, right.stdout) == (0, "")
    wrong = run(*arguments, "--seed", "5", "--check", digest)
    assert wrong.exit_code == 1
    assert "not the set of" in wrong.stderr


def test_a_set_can_be_written_as_parquet(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    assert run("generate", "k_sat", "--values", "2-5:3", "--count", "2", "--output", str(path)).exit_code == 0
    table = pl.read_parquet(path)
    assert table["operators_published"].to_list() == [2, 2, 5, 5]
    assert table["ontology"][0]["predicates"][0]["arity"] == 0


def test_what_cannot_be_generated_is_said() -> None:
    assert "FROM-TO" in usage_error("generate", "first_order", "--values", "many")
    assert "needs the key 'language'" in usage_error("generate", "no_grammar.yaml", "--values", "1-2")
