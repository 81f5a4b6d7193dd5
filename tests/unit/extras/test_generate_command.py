"""``nlfol generate``, as a user runs it."""

import json
import subprocess
from pathlib import Path

import polars as pl
from tests.unit.cli.rows import process


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return process("generate", *arguments)


def test_generate_prints_items_to_stdout_and_digest_to_stderr() -> None:
    run = generate("first_order", "--vocabulary", "english", "--values", "1-2", "--count", "2", "--seed", "4")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(row["id"], row["operators"]) for row in rows] == [("1-1", 1), ("1-2", 1), ("2-1", 2), ("2-2", 2)]
    assert set(rows[0]) == {"id", "language", "formula", "english", "ontology", "operators", "tree"}
    assert "4 items; refused draws: " in run.stderr
    assert "SHA-256 of the set: " in run.stderr


def test_check_option_compares_set_with_published_digest(tmp_path: Path) -> None:
    arguments = ("regular", "--values", "3,5", "--count", "2")
    digest = generate(*arguments, "--seed", "4").stderr.split()[-1]
    right = generate(*arguments, "--seed", "4", "--check", digest)
    assert (right.returncode, right.stdout) == (0, "")
    wrong = generate(*arguments, "--seed", "5", "--check", digest)
    assert wrong.returncode == 1
    assert "not the set of" in wrong.stderr


def test_generate_writes_parquet(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    assert generate("k_sat", "--values", "2-5:3", "--count", "2", "--output", str(path)).returncode == 0
    table = pl.read_parquet(path)
    assert table["operators_published"].to_list() == [2, 2, 5, 5]
    assert table["ontology"][0]["predicates"][0]["arity"] == 0


def test_generate_accepts_hyperparameters_and_multiple_batches() -> None:
    sizes = ("--predicates", "1", "--constants", "2", "--arities", "3", "3", "--variables", "0.5")
    run = generate("first_order", "--values", "2", "--count", "1", *sizes, "--batch", "1", "--batch", "3")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["b1-2-1", "b3-2-1"]
    assert [[symbol["arity"] for symbol in row["ontology"]["predicates"]] for row in rows] == [[3], [3]]
    paper = ("--protocol", "paper", "--levels", "5", "--branching", "9", "--letters", "2", "--repetition", "uniform")
    run = generate("k_sat", "--values", "1", "--count", "2", "--clause", "2", *paper)
    assert [json.loads(line)["operators_published"] for line in run.stdout.splitlines()] == [1, 1]


def test_generate_errors_name_faulty_argument() -> None:
    run = generate("first_order", "--values", "many")
    assert run.returncode == 2
    assert "FROM-TO" in run.stderr
    run = generate("no_grammar.yaml", "--values", "1-2")
    assert run.returncode == 2
    said = " ".join(run.stderr.replace("│", " ").split())
    assert "needs the key 'language' (of nlfol generate the option --language)" in said
