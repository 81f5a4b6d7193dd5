"""The page of first results: its tables are those that are recorded, and a tenth of the programs is judged as then."""

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from benchmarks.released_programs import program, rows_of, source
from docs import first_results
from tests.unit.problems.published import published

from nlfol.problems.programs import Policy, execute

SHARE = 10
TENTH = {
    "AR-LSAT": {"programs": 48, "runs": 4, "answer": 3, "strict": 3},
    "FOLIO": {"programs": 1046, "runs": 889, "answer": 575, "strict": 463},
    "LogicalDeduction": {"programs": 450, "runs": 348, "answer": 319, "strict": 164},
    "ProntoQA": {"programs": 190, "runs": 185, "answer": 162, "strict": 88},
    "ProofWriter": {"programs": 360, "runs": 329, "answer": 300, "strict": 248},
}
"""Counts of every tenth program: all, those that run, and those that are right, read tolerantly and strictly."""

PUBLISHED = {"gpt-3.5-turbo": 197, "text-davinci-003": 186}
"""Logic-LM's right answers to LogicalDeduction's 300 problems: its .657 and .620."""


@pytest.mark.parametrize("page", first_results.PAGES, ids=lambda page: page.name)
def test_page_shows_recorded_tables(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<!-- end -->" in text
    assert first_results.filled(text, first_results.recorded()) == text, "run python docs/first_results.py"


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """Files of programs of the sources that have a licence."""
    folders = (published("programs/logic_lm"), published("released"))
    return sorted(chain.from_iterable(folder.rglob("*.json") for folder in folders), key=lambda path: path.name)


def test_tenth_of_released_programs_is_judged_as_recorded(files: list[Path]) -> None:
    counts: dict[str, Counter[str]] = {}
    for path in files:
        rows, language = rows_of(path)
        if language is not None and rows and "raw_logic_programs" in rows[0]:
            name = next(name for name in TENTH if name in path.name)
            for row in rows[::SHARE]:
                judged = program(row, language)
                right = [key for key in ("answer", "strict") if judged[key] == judged["label"]]
                runs = ["runs"] * (judged["answer"] is not None)
                counts.setdefault(name, Counter()).update(["programs", *runs, *right])
    assert counts == TENTH


def test_strict_reading_reproduces_logic_lm_on_logical_deduction(files: list[Path]) -> None:
    for model, right in PUBLISHED.items():
        rows, language = rows_of(next(path for path in files if path.name == f"LogicalDeduction_dev_{model}.json"))
        assert language is not None
        results = [execute(language, source(row, language)[0], row["options"], Policy(strict=True)) for row in rows]
        assert sum(result.answer == row["answer"] for result, row in zip(results, rows, strict=True)) == right
