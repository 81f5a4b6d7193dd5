"""One quantity of one paper beside ours: what is asked otherwise has another name."""

from typing import Any

import polars as pl
import pytest
import yaml
from tests.examples import ROOT
from tests.stored import frame, records, stored
from tests.unit.results.worked_out import beside_figures, published_beside, published_rows

from nlfol.config.reading import read_configuration
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.results.analyses.analysis import WAYS, schema_of
from nlfol.results.analyses.ceiling import TABLE as CEILING
from nlfol.results.analyses.curves import BOUNDED
from nlfol.results.statistics.published_error import published_quantity
from nlfol.results.statistics.published_ways import differences, ways
from nlfol.results.tables.table import Sample
from nlfol.store.files import ASKED, read_figures
from nlfol.store.schemas import CELLS

ASKED_AS = pl.DataFrame(
    [
        {"task": "translated", "prompt": "published", "reasoning": 250, "glossary": "glosses"},
        {"model": "gpt-4o-mini", "temperature": 1.0},
    ],
    WAYS,
)
IN_AUTOEVAL = ASKED_AS.with_columns(reasoning=0, glossary=pl.lit("symbols"), temperature=0.1)
FIGURES = pl.concat(read_figures(ROOT / f"resources/published/{name}.csv") for name in ("autoeval", "nl_fol_lt"))


def cell(presentation: str, **more: Any) -> dict[str, Any]:
    about = {"dataset": "folio", "task": "translated", "task_kind": "logical_translation", "metric": "equivalence"}
    asked = {"presentation": presentation, "model": "gpt-4o-mini", "kind": "chat", "items": 5, "available": 1556}
    return about | asked | {"mean": 0.8, "low": 0.4, "high": 0.95} | more


@pytest.mark.parametrize(
    ("presentation", "way", "expected"),
    [
        ("", ASKED_AS, ("nl_fol_lt", "2", "logical_translation")),
        # With prompt: formalization, beside an example of the same story.
        ("few_shot", IN_AUTOEVAL, ("autoeval", "12", "formalization")),
    ],
)
def test_translation_pairs_with_paper_using_same_prompt(
    presentation: str, way: pl.DataFrame, expected: tuple[str, str, str]
) -> None:
    rows = published_beside(FIGURES, cells=frame(CELLS, stored(CELLS, **cell(presentation, seeds=5))), ways=way)
    assert [(row["paper"], row["table"], row["task"]) for row in rows] == [expected]
    # Five items tell nothing of .73 or .47.
    assert rows[0]["agrees"] == "cannot tell"


WAY = {"prompt": "published", "glossary": "symbols", "shots": 5, "examples": "plain", "reasoning": 0}
KEY = {
    "prompt": "published",
    "glossary": "symbols",
    "protocol": "released",
    "shots": 5,
    "examples": "plain",
    "reasoning": "no",
    "temperature": 0.5,
    "runs": 5,
}


def beside_key(way: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The row of a figure that says all of ``KEY``, beside answers that were asked as said."""
    figures = FIGURES.filter(pl.col("table") == "2", pl.col("model") == "gpt-4o-mini", pl.col("dataset") == "folio")
    asked = frame(CELLS, stored(CELLS, **cell("", seeds=5, protocol="released") | more))
    given = {**WAY, "temperature": 0.5, **way}
    told = pl.DataFrame(
        [{"task": "translated", **given}, {"model": "gpt-4o-mini", "temperature": given.pop("temperature")}], WAYS
    )
    rows = published_rows(
        figures.with_columns(pl.lit(value).alias(name) for name, value in KEY.items()), cells=asked, ways=told
    )
    assert len(rows) == 1
    return rows[0]


def test_figure_with_equal_key_stands_beside_ours() -> None:
    row = beside_key({})
    assert (row["ours"].mean, row["protocol"], row["differs"]) == (0.8, "released", None)


def test_figures_of_sets_stand_above_chance_of_same_sets() -> None:
    figures = FIGURES.filter(pl.col("table") == "3", pl.col("presentation") == "formula", pl.col("dataset") == "folio")
    about = {"dataset": "folio", "task_kind": "most_similar", "metric": "accuracy", "presentation": "formula"}
    shares = {("released", "gpt-4o-mini"): 0.8, ("released", "chance"): 0.5, ("paper", "chance"): 0.2}
    cells = [
        stored(CELLS, **cell("formula", task=protocol, protocol=protocol, model=model, mean=mean, seeds=5) | about)
        for (protocol, model), mean in shares.items()
    ]
    way = pl.concat([ASKED_AS, ASKED_AS[:1].with_columns(task=pl.lit("released"))])
    (row,) = published_beside(figures, cells=frame(CELLS, *cells), ways=way)
    assert row["ours_above"] == pytest.approx(0.6)
    assert row["published_above"] == pytest.approx((row["published"].mean - 0.5) / 0.5)


@pytest.mark.parametrize(
    ("way", "more", "differs"),
    [
        ({"prompt": "own"}, {}, "asked with nlfol's own prompt"),
        ({"glossary": "glosses"}, {}, "glosses shown"),
        ({"glossary": "none"}, {}, "no vocabulary shown"),
        ({}, {"protocol": "paper"}, "sets without free points"),
        ({}, {"protocol": "audited"}, "certified sets or wordings"),
        ({"shots": 2}, {}, "solved examples: 2, not 5"),
        ({"examples": "varied"}, {}, "examples in varied words"),
        ({"reasoning": 250}, {}, "asked with reasoning"),
        ({"temperature": 0.0}, {}, "temperature: 0.0, not 0.5"),
        # It takes none, or that of its provider is not known.
        ({"temperature": None}, {}, "temperature: not known, not 0.5"),
        ({}, {"seeds": 1}, "runs: 1, not 5"),
        ({"reasoning": 250}, {"protocol": "paper"}, "sets without free points; asked with reasoning"),
        (
            {},
            {"kind": "written"},
            "; ".join(
                [
                    *("prompt not known", "vocabulary not known", "solved examples: not known, not 5"),
                    *("examples not known", "reasoning not known", "temperature: not known, not 0.5"),
                ]
            ),
        ),
    ],
)
def test_figure_with_other_key_names_component_and_stands_alone(
    way: dict[str, Any], more: dict[str, Any], differs: str
) -> None:
    row = beside_key(way, **more)
    assert row["differs"] == differs
    assert row["entry"] == "translated"
    assert [row[name] for name in ("ours", "items", "protocol", "difference", "agrees")] == [None] * 5


def test_figures_without_quantity_here_are_listed_with_reason() -> None:
    rows = published_rows(FIGURES, cells=frame(CELLS, stored(CELLS, **cell("", seeds=5))), ways=ASKED_AS)
    reasons = {(row["paper"], row["task"], row["metric"]): row["differs"] for row in rows}
    assert reasons["nl_fol_lt", "most_similar", "accuracy"] == "not asked here"
    assert reasons["nl_fol_lt", "logical_translation", "bleu"] == "not measured here"
    assert reasons["nl_fol_lt", "logical_translation", "equivalence"] is None
    # Datasets and models that are not asked have no row.
    assert {(row["dataset"], row["model"]) for row in rows} == {("folio", "gpt-4o-mini"), ("folio", None)}


def test_tables_that_nothing_measures_are_listed_with_solt_datasets() -> None:
    figures = read_figures(ROOT / "resources/published/solt.csv")
    asked = {"dataset": "pronto", "reader": "prontoqa", "strategy": "direct", "model": "gpt-4", "right": 0.5}
    drift = frame(schema_of("drift"), stored(schema_of("drift"), **asked))
    listed = [row for row in published_rows(figures, drift=drift) if row["table"] in ("5", "8", "9", "11")]
    assert [row["ours"] for row in listed] == [None] * len(listed)
    assert {row["table"]: row["differs"].partition(";")[0] for row in listed} == {
        "5": "asked of people",
        "8": "tokens of four stages that nlfol does not have",
        "9": "costs of four stages that nlfol does not have",
        "11": "word vectors are not read",
    }


def test_ratio_of_tokens_stands_beside_published_one() -> None:
    figures = read_figures(ROOT / "resources/published/solt.csv").filter(pl.col("table") == "D")
    spent = {"task_kind": "program", "model": "gpt-4", "prompt_ratio": 1.5, "completion_ratio": 2.0}
    both = [spent | {"dataset": name, "task": "tables", "against": "plain"} for name in ("folio", "proverqa")]
    costs = frame(schema_of("costs"), *(stored(schema_of("costs"), **row) for row in both))
    asked = {"prompt": "published", "shots": 5, "reasoning": 0}
    ways: list[dict[str, Any]] = [{"task": "plain", "strategy": "direct"}, {"model": "gpt-4", "temperature": 0.2}]
    ways.append({"task": "tables", "strategy": "concept_table", **asked})
    cells = frame(CELLS, stored(CELLS, **cell("", dataset="folio", task="tables", model="gpt-4")))
    rows = published_beside(figures, costs=costs, ways=pl.DataFrame(ways, WAYS), cells=cells)
    assert [(row["metric"], row["entry"], row["ours"].mean) for row in rows] == [
        ("tokens_ratio_prompt", "tables", 1.5),
        ("tokens_ratio_completion", "tables", 2.0),
    ]


APART = {
    "paper": {"most_similar": "sets without free points", "ranking": "sets without free points"},
    "autoeval": {},
    "autoeval_benchmarks": {},
    "solt": {
        **dict.fromkeys(("divide", "divide_formulas"), "asked with nlfol's own prompt"),
        "direct_varied": "examples in varied words",
    },
    "fine_tuning": {},
}
"""Components that keep figures from those of the papers' grids, by entry; wordings of datasets aside."""


@pytest.mark.parametrize("grid", APART)
def test_grid_of_paper_asks_as_its_figures_were_asked(grid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NLFOL_STANFORD", "NLFOL_FOLIO", "NLFOL_PROVERQA", "WORDNET", "PPDB"):
        monkeypatch.setenv(name, "elsewhere")
    experiment = read_configuration(yaml.safe_load((ROOT / f"config/{grid}.yaml").read_text(encoding="utf-8")))
    paper = {"paper": "nl_fol_lt", "solt": "solt", "fine_tuning": "solt"}.get(grid, "autoeval")
    figures = read_figures(ROOT / f"resources/published/{paper}.csv").filter(~pl.col("model").str.contains("embedding"))
    theirs = figures.select("task", "model", *ASKED).unique(maintain_order=True).to_dicts()
    told = pl.DataFrame(experiment.ways, WAYS)
    strategies = dict(told.select("task", "strategy").rows())
    chats = {
        name: model for name, model in experiment.models.items() if isinstance(model, LocalChatEntry | ApiChatEntry)
    }
    seeds = len(next(iter(chats.values())).seeds)
    apart: dict[str, str] = {}
    for name, entry in experiment.tasks.items():
        if entry.sets_protocol in ("audited", "fair"):
            continue
        runs = min(seeds, entry.runs or seeds)
        cells = frame(CELLS, *({"task": name, "model": model, "kind": "chat", "seeds": runs} for model in chats))
        asked = ways(told, cells)
        shown = entry.shown_as[0]
        # Of FOLIO's sentences, which have examples, the English counts.
        metric = "bleu" if shown == "few_shot" else "truth"
        kind = strategies[name] or published_quantity(entry.task, metric, shown)[0]
        for figure in theirs:
            if figure["task"] == kind and figure["model"] in chats:
                way = {**asked[name, figure["model"]], "protocol": entry.sets_protocol or "paper"}
                if differing := differences(figure, [way]):
                    apart[name] = "; ".join(differing)
    assert apart == APART[grid]


def test_zero_shot_translation_has_empty_published_comparison() -> None:
    assert published_beside(FIGURES, cells=frame(CELLS, stored(CELLS, **cell("zero_shot")))) == []


def test_ceiling_lists_models_from_paper_using_same_prompt() -> None:
    cells = frame(CELLS, *(stored(CELLS, **cell("", seeds=5, metric=name)) for name in ("equivalence", "accepted")))
    rows = records(beside_figures(CEILING, FIGURES, cells=cells, ways=ASKED_AS))
    assert {row["model"].partition(" (")[2] for row in rows[1:]} == {"nl_fol_lt)"}
    assert len(rows) == 5


def test_bounded_scores_report_item_sample() -> None:
    about = {"dataset": "propositional", "task_kind": "round_trip", "metric": "truth", "presentation": "zero_shot"}
    whole = cell(**about, items=2, available=96)
    bounded = frame(BOUNDED, stored(BOUNDED, **whole, measure="operators_published", most=6.0))
    asked = {"bounded": bounded, "cells": frame(CELLS, stored(CELLS, **whole, seeds=1))}
    (found, *_) = published_beside(FIGURES, **asked, ways=IN_AUTOEVAL)
    assert (found["metric"], found["items"]) == ("truth_operators_6", Sample(2, 96))
