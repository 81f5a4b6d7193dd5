"""Cosines of whole problems in other words with their originals, beside the published figures, and the filter."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.analysing import analyse
from tests.examples import ROOT
from tests.unit.results.worked_out import published_beside, published_rows
from tests.workflow.checkout import MINILM

import compare_wordings
import filter_problems
from nlfol.models.request import JobFiles
from nlfol.problems import Lexicon, Problem
from nlfol.problems.problem import Reason
from nlfol.problems.rewording import Settings, diversify
from nlfol.results.analyses.rewrites import SIMILARITY, SIMILARITY_TABLE
from nlfol.results.tables.table import Score
from nlfol.store import files
from nlfol.store.files import read_figures
from nlfol.store.origins import place_of
from nlfol.store.problem_schemas import PROBLEMS, REWORDED, WORDINGS
from nlfol.tasks.item import shown

FIGURES = read_figures(ROOT / "resources/published/solt.csv")
ABOUT = {"dataset": "varied"}


def entries(reader: str = "proofwriter", **changed: Any) -> dict[str, dict[str, Any]]:
    whole = {"reader": "diversified", "of": "plain", "protocol": "audited", "intensity": 1.0, "types": []}
    bounds = {"forms": None, "at_most": None, "glossary": False, "decoys": 0}
    return {"plain": {"reader": reader}, "varied": {**whole, **bounds, **changed}}


@pytest.fixture(scope="module")
def compared(
    tmp_path_factory: pytest.TempPathFactory, minilm: Path, lexicon: Lexicon, drawn: dict[str, list[Problem]]
) -> Path:
    """Four problems of order: said otherwise, the same, one in whose place another stands, and one that is refused."""
    folder = tmp_path_factory.mktemp("similar")
    problems = drawn["order"][:4]
    different = next(each for each in drawn["rules"] if len(each.statements) > len(problems[2].statements))
    made = [
        diversify(problems[0], lexicon, Settings(), 7).problem,
        problems[1],
        replace(different, name=problems[2].name),
        problems[3].refused(Reason.NOT_REWRITTEN, "as it was"),
    ]
    assert made[0].rewrites
    files.write(folder / "plain.arrow", PROBLEMS, [each.to_row() for each in problems], {"dataset": "plain"})
    files.write(folder / "reworded.arrow", REWORDED, [each.to_row() for each in made], ABOUT)
    place = JobFiles(folder / "journal/vectors", folder / "sharers", minilm)
    plain, output = folder / "plain.arrow", folder / "wordings.arrow"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        problems_file = folder / "reworded.arrow"
        model = json.dumps(MINILM)
        compare_wordings.main("varied", "minilm", model, plain, problems_file, output, job_files=place)
    return folder


def wholes(folder: Path) -> list[dict[str, Any]]:
    return [row for row in files.rows(folder / "wordings.arrow", WORDINGS) if row["unit"] == "problem"]


def test_unchanged_problem_has_cosine_1_and_unrelated_problem_low(compared: Path) -> None:
    said, same, other = wholes(compared)
    assert same["similarity"] == 1
    assert 0.7 < said["similarity"] < 1
    assert other["similarity"] < said["similarity"] - 0.2
    originals = [Problem.from_row(row) for row in files.rows(compared / "plain.arrow", PROBLEMS)]
    assert [row["before"] for row in wholes(compared)] == [shown(each) for each in originals[:3]]
    assert originals[0].question.text in said["before"]
    assert {row["statement"] for row in wholes(compared)} == {None}


def test_similarity_filter_refuses_problems_below_bound(compared: Path, tmp_path: Path) -> None:
    said, _, other = (row["similarity"] for row in wholes(compared))

    def filtered(least: float) -> list[Problem]:
        path = tmp_path / "problems.arrow"
        filter_problems.main("varied", compared / "reworded.arrow", compared / "wordings.arrow", path, least=least)
        return [Problem.from_row(row) for row in files.rows(path, PROBLEMS)]

    before = [Problem.from_row(row) for row in files.rows(compared / "reworded.arrow", REWORDED)]
    assert filtered(other) == before  # as similar as the bound is similar enough
    kept = filtered(said)
    assert [each.reason for each in kept] == [None, None, Reason.NOT_SIMILAR, Reason.NOT_REWRITTEN]
    detail = f"{kept[2].name}: its cosine with the original by minilm is {other:.4f}, below {said:g}"
    assert kept[2].detail == detail
    assert kept[2].statements == before[2].statements
    assert [each.reason for each in filtered(1)] == [Reason.NOT_SIMILAR, None, Reason.NOT_SIMILAR, Reason.NOT_REWRITTEN]


def test_filtered_problems_record_source_files(compared: Path, tmp_path: Path) -> None:
    filter_problems.main(
        "varied", compared / "reworded.arrow", compared / "wordings.arrow", tmp_path / "p.arrow", least=0
    )
    said = files.metadata_of(files.read(tmp_path / "p.arrow", PROBLEMS))
    made_from = [key.removeprefix("made_from.") for key in said if key.startswith("made_from.")]
    assert [str(place_of(name, Path())) for name in made_from] == [
        "rewrites/varied/reworded.arrow",
        "rewrites/varied/wordings/minilm.arrow",
    ]
    assert (said["dataset"], said["similarity"], said["least"]) == ("varied", "minilm", "0")


def analysed(
    folder: Path, settings: dict[str, dict[str, Any]], model: str, cosines: dict[str, list[float]]
) -> pl.DataFrame:
    """Return the rows of cosines of whole problems, and of statements where a problem has several."""
    problem = {**dict.fromkeys(PROBLEMS.names), "family": "rules", "answer": "A", "status": "usable"}
    problem |= {"question": {"text": "", "line": None, "mentions": []}, "statements": [], "options": [], "rewrites": []}
    usable = [problem | {"item": name} for name in cosines]
    refused = problem | {"item": "refused", "status": "refused", "reason": "not_similar", "detail": "-1"}
    files.write(folder / "problems.arrow", PROBLEMS, [*usable, refused], ABOUT)
    texts = {"before": "", "after": "", "is_cut": False}
    rows = [
        texts
        | {"item": name, "statement": place or None, "unit": "statement" if place else "problem", "similarity": cosine}
        for name, of_problem in {**cosines, "refused": [-1.0, -1.0]}.items()
        for place, cosine in enumerate(of_problem)
    ]
    rows[0]["is_cut"] = True
    files.write(folder / "wordings.arrow", WORDINGS, rows, ABOUT)
    wordings = {model: folder / "wordings.arrow"}
    made = {"problems": folder / "problems.arrow", "protocol": "audited", "wordings": wordings}
    analyse("rewrites", folder, {"diversified": {"varied": made}, "wordings": settings})
    return pl.DataFrame(files.rows(folder / "similarity.arrow", SIMILARITY), infer_schema_length=None)


UNEQUAL = {f"{number}": [0.9 if number % 2 else 0.7, *[0.9 if number > 3 else 0.5] * number] for number in range(8)}
"""Eight problems, half of a cosine of .9; of the first no statement, of the last seven are rewritten."""


def test_similarity_means_cover_usable_problems_with_intervals(tmp_path: Path) -> None:
    of_problems, of_statements, of_words = analysed(tmp_path, entries(), "minilm", UNEQUAL).to_dicts()
    assert [of_problems[name] for name in ("unit", "problems", "pairs", "cut")] == ["problem", 8, 8, 1]
    half = 2.364624 * math.sqrt(0.1**2 * 8 / 7) / math.sqrt(8)  # Student's t with seven degrees of freedom
    assert [of_problems[name] for name in ("low", "mean", "high")] == pytest.approx([0.8 - half, 0.8, 0.8 + half])
    assert of_problems["reached"] == 0.5
    assert [of_statements[name] for name in ("problems", "pairs", "mean", "cut")] == [
        7,
        28,
        pytest.approx(22.8 / 28),
        0,
    ]
    # Statements of a problem are alike, so they say less than as many of their own.
    independent = 0.4 * math.sqrt(6 * 22 / 28 / 27) / math.sqrt(28)
    assert of_statements["mean"] - of_statements["low"] > 3 * independent
    assert [of_words[name] for name in ("problems", "pairs", "mean", "low")] == [0, 0, None, None]


def test_equal_cosines_lack_interval(tmp_path: Path) -> None:
    row, *_ = analysed(tmp_path, entries(), "minilm", {str(number): [1.0] for number in range(6)}).to_dicts()
    assert (row["low"], row["mean"], row["high"]) == (None, 1, None)


def test_published_cosines_follow_ours_for_named_models(tmp_path: Path) -> None:
    ours = analysed(tmp_path, entries(), "minilm", UNEQUAL).with_columns(procedure=pl.lit("paper"))
    rows = SIMILARITY_TABLE.table(ours, FIGURES).rows
    means = {(row[3], row[4], row[5]): row[-3].mean for row in rows if isinstance(row[-3], Score)}
    assert means == {
        ("minilm", "here", "problem"): pytest.approx(0.8),
        ("minilm", "here", "statement"): pytest.approx(22.8 / 28),
        ("qwen3-embedding-8b", "published", "problem"): 0.9309,
        ("bge-large-en-v1.5", "published", "problem"): 0.9484,
        ("numberbatch", "published", "concept"): 0.9312,
    }


@pytest.mark.parametrize("settings", [entries("family"), entries(types=["synonym"]), entries(intensity=0.5)])
def test_other_datasets_and_wordings_lack_published_cosines(
    tmp_path: Path, settings: dict[str, dict[str, Any]]
) -> None:
    rows = analysed(tmp_path, settings, "bge-large-en-v1.5", UNEQUAL)
    assert {row[4] for row in SIMILARITY_TABLE.table(rows, FIGURES).rows} == {"here"}


def test_published_table_pairs_cosines_by_same_model(tmp_path: Path) -> None:
    ours = {name: analysed(tmp_path, entries(), name, UNEQUAL) for name in ("minilm", "bge-large-en-v1.5")}
    similarity = pl.concat(ours.values())
    # The paper's are of other texts than certified ones.
    apart = {row["differs"] for row in published_rows(FIGURES, similarity=similarity) if row["metric"] == "similarity"}
    assert apart == {"certified sets or wordings"}
    (row,) = published_beside(FIGURES, similarity=similarity.with_columns(procedure=pl.lit("paper")))
    assert (row["table"], row["dataset"], row["metric"], row["model"]) == (
        *("1", "proofwriter", "similarity", "bge-large-en-v1.5"),
    )
    assert (row["published"].mean, row["ours"].mean, row["protocol"]) == (0.9484, pytest.approx(0.8), "paper")
