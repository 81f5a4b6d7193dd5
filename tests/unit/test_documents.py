"""What the documents show is what happens, and what they point to is there."""

import contextlib
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest
import yaml
from tests.examples import ROOT, default

import nlfol
from nlfol.config import read_configuration

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "results" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "resources").rglob("README.md")),
]


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_example_of_the_library_prints_what_stands_beside_it() -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(example, {})
    assert said
    assert printed.getvalue().splitlines() == said


def test_the_tour_shows_the_sentence_the_answer_and_the_verdict_that_there_are() -> None:
    tour = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
    sentences = pl.read_csv(ROOT / "resources/datasets/tarski/sentences.csv")
    sentence = sentences.row(51, named=True)
    written = (ROOT / "resources/answers/written.jsonl").read_text(encoding="utf-8").splitlines()
    (answer,) = (
        found["answer"]
        for found in map(json.loads, written)
        if (found["item"], found["task"]) == ("w07:3", "logical_translation")
    )
    found = nlfol.compare(sentence["formula"], answer)

    assert f"> {sentence['text']}\n" in tour
    assert f"> `{sentence['formula']}`" in tour
    assert f'"answer": "{answer}"' in tour
    assert f"nlfol compare '{sentence['formula']}' '{answer}'" in tour
    assert found.counter_model is not None
    assert f"| `verdict` | `{found.verdict.outcome}` |" in tour
    assert f"| `means` | `{found.verdict.means}` |" in tour
    assert f"| `relation` | `{found.relation}` |" in tour


def test_the_example_of_new_models_is_valid() -> None:
    (example,) = blocks(ROOT / "README.md", "yaml")
    models = yaml.safe_load(example.replace("FULL_COMMIT_HASH", "a" * 40))["models"]
    shipped = default()
    assert read_configuration(shipped | {"models": shipped["models"] | models}).models.keys() > models.keys()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            place, _, anchor = target.partition("#")
            found = document.parent / place if place else document
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), target


def test_the_configuration_to_start_from_counts_the_sentences_right() -> None:
    rows = (ROOT / "resources/datasets/tarski/sentences.csv").read_text(encoding="utf-8").splitlines()[1:]
    told = (ROOT / "resources/experiment.yaml").read_text(encoding="utf-8")
    assert re.findall(r"(\d+) sentences about blocks worlds", told) == [str(len(rows))]


def test_results_by_another_name_are_no_part_of_the_project() -> None:
    assert "/results-*/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
