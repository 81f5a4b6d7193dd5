from collections import Counter
from dataclasses import replace

import polars as pl
from tests.stored import marks
from tests.unit.report.experiment import Experiment

from nlfol.report.figures import figures
from nlfol.results.analyses.analysis import schema_of
from nlfol.store import schemas
from nlfol.store.files import read_frame
from nlfol_extras.analyses.difficulty import size_figure


def frame(experiment: Experiment, name: str) -> pl.DataFrame:
    return read_frame(experiment.folder / f"{name}.arrow", schema_of(name))


def test_figures_match_cells(small_experiment: Experiment) -> None:
    cells = frame(small_experiment, "cells")
    drawn = figures(
        cells, frame(small_experiment, "differences"), frame(small_experiment, "ranks"), costs={}, tokens={}
    )
    by_name = {figure.name: figure.rows for figure in drawn}
    tasks = cells["task"].unique(maintain_order=True)
    assert [*by_name] == [*(f"accuracy-{task}" for task in tasks), "forest", "outcomes"]
    said = {
        (row["dataset"], row["task"], row["metric"], row["presentation"], row["model"]): row for row in cells.to_dicts()
    }
    row = next(row for row in by_name["accuracy-ranking"] if row["model"] == "rival" and "both" in row["panel"])
    assert row["mean"] == said["tarski", "ranking", "both", "formula", "rival"]["mean"]
    answers = Counter[tuple[str, str]]()
    for row in by_name["outcomes"]:
        answers[row["panel"], row["model"]] += row["answers"]
    cell = said["tarski", "logical_translation", "equivalence", "", "talker"]
    assert answers["tarski · logical_translation", "talker"] == cell["items"] * cell["seeds"]
    operators = size_figure(frame(small_experiment, "difficulty"), "operators")
    of_model = [row for row in marks(operators) if row["model"] == "talker" and "logical" in row["panel"]]
    assert sum(row["items"] for row in of_model) == cell["items"]
    mean = sum(row["mean"] * row["items"] for row in of_model) / cell["items"]
    assert abs(mean - cell["mean"]) < 1e-12


def test_figures_record_subject(small_experiment: Experiment) -> None:
    cells = frame(small_experiment, "cells")
    drawn = figures(
        cells, frame(small_experiment, "differences"), frame(small_experiment, "ranks"), costs={}, tokens={}
    )
    about = {figure.name: figure.about for figure in drawn}
    assert about["accuracy-logical_translation"] == "formula"
    assert about["accuracy-ranking"] == "candidates"
    assert about["forest"] == "experiment"


def test_outcome_figure_omits_wrong_answers_when_all_are_right(small_experiment: Experiment) -> None:
    # 15 of 22 are right and 7 unparsable; 15 / 22 * 22 is a little less than 15.
    asked = {"items": 22, "available": 22, "seeds": 1, "mean": 15 / 22, "answered": 15, "unparsable": 7}
    cells = frame(small_experiment, "cells").filter(
        pl.col("model") == "rival", pl.col("task") == "most_similar", pl.col("presentation") == "english"
    )
    cells = cells.with_columns(pl.lit(value).cast(cells.schema[name]).alias(name) for name, value in asked.items())
    differences = frame(small_experiment, "differences").clear()
    drawn = figures(cells, differences, frame(small_experiment, "ranks"), costs={}, tokens={})
    (outcomes,) = (figure.rows for figure in drawn if figure.name == "outcomes")
    assert [(row["case"], row["answers"]) for row in outcomes] == [("right", 15), ("unparsable", 7)]


def test_figures_are_absent_for_empty_cells() -> None:
    tables = (schema.empty_table() for schema in (schemas.CELLS, schema_of("differences"), schema_of("ranks")))
    assert figures(*(pl.DataFrame(table.replace_schema_metadata()) for table in tables), costs={}, tokens={}) == []


def test_cost_and_token_figures_omit_unknown_and_zero_values(small_experiment: Experiment) -> None:
    cells = frame(small_experiment, "cells")
    ranking = ("tarski", "ranking")
    cost, wrote = (
        {
            (*ranking, "rival", "formula"): each,
            (*ranking, "vectors", "formula"): 2 * each,
            (*ranking, "talker", "formula"): 0.0,
            # One model alone in a panel says nothing.
            ("tarski", "most_similar", "rival", "formula"): each,
        }
        for each in (0.25, 12.5)
    )
    *_, first, second = figures(cells, cells.clear(), cells.clear(), costs=cost, tokens=wrote)
    assert {(row["model"], row["cost"]) for row in first.rows} == {("rival", 0.25), ("vectors", 0.5)}
    assert {(row["model"], row["tokens"]) for row in second.rows} == {("rival", 12.5), ("vectors", 25.0)}


def test_mean_cost_requires_cost_for_all_answers(small_experiment: Experiment) -> None:
    answers = small_experiment.answers_of("most_similar.rival")
    half = pl.when(pl.col("seed") == 3).then(1.0).otherwise(2.0).alias("cost")
    known = replace(answers, rows=answers.rows.with_columns(half))
    place = ("tarski", "most_similar", "rival")
    assert known.means("cost") == {(*place, "formula"): 1.5, (*place, "english"): 1.5}
    some = pl.when(pl.col("presentation") == "english").then(half).alias("cost")
    assert replace(answers, rows=answers.rows.with_columns(some)).means("cost") == {(*place, "english"): 1.5}
