"""Ratings by scripted raters, from their answers to the tables."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.analysing import analyse
from tests.examples import COLD, LEXICON
from tests.stored import frame, records
from tests.unit.results.worked_out import beside_figures, published_beside

import build_items
import judge_answers
from nlfol.asking.asking import usable_items
from nlfol.asking.responses import response_row
from nlfol.facts import CRITERIA
from nlfol.problems import Problem
from nlfol.results.analyses.analysis import WAYS, schema_of
from nlfol.results.analyses.rating import RATINGS, TABLE
from nlfol.results.statistics.cells import cells
from nlfol.results.tables.headlines import headlines, standings
from nlfol.results.tables.table import Score
from nlfol.store import files, problem_schemas, schemas
from nlfol.store.files import read_figures

SOLT = Path(__file__).parents[3] / "resources/published/solt.csv"
ENTRY = '{"task": "rating"}'
REWRITTEN = frame(schema_of("rewrites"), {"dataset": "folio_varied", "protocol": "paper"})
WAY = pl.DataFrame([{"task": "rating", "prompt": "published", "reasoning": 250}], WAYS)
WARM = replace(COLD, statements=(replace(COLD.statements[0], text="Bob is chilly."), *COLD.statements[1:]))


def written(folder: Path, dataset: str, problem: Problem) -> Path:
    rows = [replace(problem, name=str(number)).to_row() for number in range(4)]
    path = folder / f"{dataset}.arrow"
    files.write(path, problem_schemas.PROBLEMS, rows, {"dataset": dataset, "reader": "folio_questions"})
    return path


def said(*ratings: int) -> str:
    return json.dumps({"reasoning": "", **dict(zip(CRITERIA, ratings, strict=True))})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    folder = tmp_path_factory.mktemp("rated")
    original, varied = written(folder, "stories", COLD), written(folder, "folio_varied", WARM)
    items = folder / "items.arrow"
    build_items.main(
        varied,
        dataset="folio_varied",
        task="rating",
        task_json=ENTRY,
        seed=7,
        output=items,
        lexicon=LEXICON,
        originals=original,
    )
    assert files.metadata_of(files.read(items, schemas.ITEMS))["original_reader"] == "folio_questions"
    about = {"dataset": "folio_varied", "task": "rating", "task_kind": "rating", "protocol": ""}
    answers: dict[str, list[str | None]] = {"gpt-4": [said(5, 5, 5, 4), said(4, 4, 4, 4), "well", None]}
    answers["human"] = [said(3, 3, 3, 3)] * 4

    def judged(model: str, kind: str, texts: Sequence[str | None]) -> Path:
        responses, scores = folder / f"{model}.arrow", folder / f"{model}.scores.arrow"
        rows = [
            response_row(each, "", seed=0, answer=text, outcome="answered" if text else "truncated")
            for each, text in zip(usable_items(items), texts, strict=True)
        ]
        metadata = {**about, "model": model, "kind": kind, "identity": model, "available": "4"}
        files.write(responses, schemas.RESPONSES, rows, metadata)
        judge_answers.main(items, responses, ENTRY, scores)
        return scores

    scores = [judged(model, "chat", texts) for model, texts in answers.items()]
    scores.append(judged("chance", "chance", [None] * 4))
    outputs = {name: folder / f"{name}.arrow" for name in ("ratings", "differences", "depths")}
    for topic in ("rating", "comparisons", "answers"):
        analyse(topic, folder, scores=scores, problem_items=[items])
    assert files.rows(outputs["differences"], schema_of("differences")) == []
    assert files.rows(outputs["depths"], schema_of("depths")) == []
    found: Any = {
        "ratings": pl.DataFrame(files.rows(outputs["ratings"], RATINGS), infer_schema_length=None),
        "cells": pl.DataFrame(cells(scores), infer_schema_length=None),
    }
    return dict(found)


def test_rating_table_averages_readable_ratings_beside_published(
    made: dict[str, pl.DataFrame],
) -> None:
    table = beside_figures(TABLE, read_figures(SOLT), **made, rewrites=REWRITTEN, ways=WAY)
    found = {(row["model"], row["source"]): row for row in records(table)}
    ours = found["gpt-4", "here"]
    assert [ours[name] for name in ("items", "answers", "unread")] == [4, 4, 2]
    assert ours["rating"].mean == pytest.approx((4.75 + 4) / 2)
    assert [ours[name].mean for name in CRITERIA] == [4.5, 4.5, 4.5, 4.0]
    assert found["human", "here"]["rating"].mean == 3
    assert found["chance", "here"]["rating"] == Score(3.0)
    published_rows = {model: row["rating"].mean for (model, source), row in found.items() if source == "published"}
    assert published_rows == {"human": 4.5, "gpt-4": 4.7, "deepseek-r1": 4.6}


def test_published_comparison_includes_table_1_ratings(made: dict[str, pl.DataFrame]) -> None:
    # The paper's ratings are of texts by its procedure.
    assert published_beside(read_figures(SOLT), **made) == []
    found = published_beside(read_figures(SOLT), **made, rewrites=REWRITTEN, ways=WAY)
    assert [(row["table"], row["dataset"], row["metric"], row["model"]) for row in found] == [
        ("1", "folio", "rating", "human"),
        ("1", "folio", "rating", "gpt-4"),
    ]
    assert found[1]["ours"].mean - found[1]["published"].mean == pytest.approx(4.375 - 4.7)


def test_raters_are_absent_from_headlines(made: dict[str, pl.DataFrame]) -> None:
    assert headlines(standings(made["cells"].to_dicts(), [])) == []
