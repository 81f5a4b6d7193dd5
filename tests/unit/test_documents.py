"""Documents show real output, and their links lead somewhere."""

import contextlib
import io
import json
import re
import shlex
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from tests.examples import ROOT, default
from typer.testing import CliRunner

import nlfol
from nlfol.cli.main import app
from nlfol.config import read_configuration
from nlfol.logic import Outcome
from nlfol.tasks.metrics import bleu, malls_le

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
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_example_prints_documented_output() -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(example, {})
    assert said
    assert printed.getvalue().splitlines() == said


def test_tour_shows_actual_sentence_answer_and_verdict() -> None:
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


def written_translations() -> list[tuple[str, str]]:
    """Gold formula and answer of each translation written by hand."""
    stories: defaultdict[str, list[str]] = defaultdict(list)
    for row in pl.read_csv(ROOT / "resources/datasets/tarski/sentences.csv").iter_rows(named=True):
        stories[row["story"]].append(row["formula"])
    rows = map(json.loads, (ROOT / "resources/answers/written.jsonl").read_text(encoding="utf-8").splitlines())
    found = [
        (row["item"].split(":"), row["answer"])
        for row in rows
        if row["task"] == "logical_translation" and row["intended"] not in ("invalid", "unparsable")
    ]
    return [(stories[story][int(place)], answer) for (story, place), answer in found]


def test_story_page_matches_computed_measures_and_proofs() -> None:
    story = (ROOT / "docs/story.md").read_text(encoding="utf-8")
    compared = [(gold, answer, nlfol.compare(gold, answer)) for gold, answer in written_translations()]
    scores = [(bleu(of.reference, of.candidate), malls_le(of.reference, of.candidate)) for *_, of in compared]
    right = [of.verdict.outcome is Outcome.EQUIVALENT for *_, of in compared]
    told = re.findall(r"^\| \d \| `(.*)`<br>`(.*)` \| ([\w ]+) \| ([\d.]+) \| ([\d.]+) \|$", story, re.MULTILINE)
    rows = {
        (gold, answer, str(of.verdict.outcome).replace("_", " "), f"{first:.3f}", f"{second:.3f}")
        for (gold, answer, of), (first, second) in zip(compared, scores, strict=True)
    }
    assert len(told) == 4
    assert set(told) <= rows
    wrong = [score for score, is_right in zip(scores, right, strict=True) if not is_right]
    good = [score for score, is_right in zip(scores, right, strict=True) if is_right]
    inverted = sum(first[0] > second[0] for first in wrong for second in good)
    flat = " ".join(story.split())
    assert f"Of the {len(wrong)} wrong answers in the file, {sum(le == 1 for _, le in wrong)} have an LE of 1" in flat
    assert f"of all {len(wrong) * len(good)} pairs of a right and a wrong answer, BLEU puts {inverted} in the" in flat


def test_story_board_is_countermodel() -> None:
    story = ROOT / "docs/story.md"
    (example,) = blocks(story, "python")
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = io.StringIO()
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(printed):
        exec(example, names)
    assert printed.getvalue().splitlines() == said == ["False", "True"]
    label = re.compile(r'aria-label="[^"]*"')
    drawn = label.search(nlfol.board(names["world"])._repr_svg_())
    shown = label.search((ROOT / "docs/images/board.svg").read_text(encoding="utf-8"))
    assert drawn is not None
    assert shown is not None
    assert drawn[0] == shown[0]


def test_story_command_prints_documented_output() -> None:
    (shown,) = blocks(ROOT / "docs/story.md", "sh")
    command, *comments = shown.splitlines()
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.output.splitlines()[: len(comments)] == [line.removeprefix("# ") for line in comments]


def test_story_cites_paper_authors() -> None:
    paper = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"][0]
    story = " ".join((ROOT / "docs/story.md").read_text(encoding="utf-8").replace("> ", "").split())
    *others, last = (f"{author['given-names']} {author['family-names']}" for author in paper["authors"])
    assert f"{', '.join(others)} and {last}. {paper['title']}. AAAI {paper['year']}." in story
    assert f"doi:{paper['doi']}" in story


def test_index_lists_every_page_and_pages_show_every_picture() -> None:
    texts = {document: document.read_text(encoding="utf-8") for document in DOCUMENTS}
    index = ROOT / "docs/index.md"
    listed = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#\s]+)\)", texts[index])}
    assert set(DOCUMENTS) - listed == {index, ROOT / "README.md"}
    shown = {
        (document.parent / target).resolve()
        for document, text in texts.items()
        for target in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", text)
    }
    assert shown == set((ROOT / "docs/images").iterdir())


def test_readme_has_at_most_120_lines() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_readme_model_example_is_valid() -> None:
    (example,) = blocks(ROOT / "README.md", "yaml")
    models = yaml.safe_load(example.replace("FULL_COMMIT_HASH", "a" * 40))["models"]
    shipped = default()
    assert read_configuration(shipped | {"models": shipped["models"] | models}).models.keys() > models.keys()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_document_links_resolve(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            place, _, anchor = target.partition("#")
            found = document.parent / place if place else document
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), target


def test_starter_configuration_counts_sentences_correctly() -> None:
    rows = (ROOT / "resources/datasets/tarski/sentences.csv").read_text(encoding="utf-8").splitlines()[1:]
    told = (ROOT / "resources/experiment.yaml").read_text(encoding="utf-8")
    assert re.findall(r"(\d+) sentences about blocks worlds", told) == [str(len(rows))]


def test_gitignore_covers_renamed_results_and_journals() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/results-*/", "/journal-*/"} <= set(ignored)
