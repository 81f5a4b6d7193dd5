"""Components of variance over facets: planted ones, a definition pair by pair, and the rows."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.unit.results.by_definition import components as of_variance

from nlfol.results.statistics.summary import Origin
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.facets import facet_rows
from nlfol_extras.analyses.variance import cells_of, components

PLANTED = {
    ("model",): 2.0,
    ("dataset",): 0.5,
    ("story",): 1.0,
    ("item",): 2.0,
    ("wording",): 0.5,
    ("model", "dataset"): 0.5,
    ("model", "item"): 1.0,
    ("model", "wording"): 0.5,
    ("seed",): 1.5,
}

_COLUMNS = ("model", "wording", "dataset", "story", "item", "order", "seed", "score")


def drawn(draw: np.random.Generator, stories: Sequence[int], models: int, datasets: int, wordings: int) -> pl.DataFrame:
    """Scores of all models in all wordings under two seeds; stories have the sizes given, in each dataset."""
    places = [
        (f"d{dataset}", f"s{story}", f"{story}:{item}")
        for dataset in range(datasets)
        for story, size in enumerate(stories)
        for item in range(size)
    ]
    effects: dict[tuple[Any, ...], float] = {}
    rows = []
    for model, wording, (dataset, story, item), seed in product(range(models), range(wordings), places, range(2)):
        level = {
            "model": (model,),
            "wording": (wording,),
            "dataset": (dataset,),
            "story": (dataset, story),
            "item": (dataset, item),
            "seed": (model, wording, dataset, item, seed),
        }
        score = 0.0
        for facets, variance in PLANTED.items():
            key = (facets, *(level[facet] for facet in facets))
            if key not in effects:
                effects[key] = float(draw.normal(0, variance**0.5))
            score += effects[key]
        rows.append((f"m{model}", f"w{wording}", dataset, story, item, None, seed, score))
    return pl.DataFrame(rows, _COLUMNS, orient="row")


def named(answers: pl.DataFrame) -> dict[tuple[str, ...], float]:
    """Components before those below 0 are cut, as these make means biased."""
    found = components(cells_of(answers))
    assert found is not None
    names = [found._facets(at) for at in np.ndindex(found.effects.shape)]
    return {**dict(zip(names[1:], found.effects.ravel()[1:].tolist(), strict=True)), ("seed",): found.draw or 0.0}


def test_components_recover_planted_variances_in_unequal_stories() -> None:
    """Means over 40 samples; the components that are not planted are 0."""
    draw = np.random.default_rng(7)
    samples = [named(drawn(draw, (1, 2, 3, 6), 4, 3, 2)) for _ in range(40)]
    for facets in samples[0]:
        values = [sample[facets] for sample in samples]
        error = float(np.std(values, ddof=1)) / len(values) ** 0.5
        assert abs(fmean(values) - PLANTED.get(facets, 0)) < 3.5 * error + 1e-9, facets


def test_components_match_means_of_products_pair_by_pair() -> None:
    answers = drawn(np.random.default_rng(3), (2, 1, 3), 3, 1, 1)
    rows = answers.to_dicts()

    def mean(model: bool, place: int) -> float:
        """Average over pairs of one model or two, that share nothing, the story alone, or the item."""
        products = [
            one["score"] * other["score"]
            for one, other in product(rows, rows)
            if one is not other
            and (one["model"] == other["model"]) == model
            and (one["story"] == other["story"]) + (one["item"] == other["item"]) == place
        ]
        return fmean(products)

    found = named(answers)
    assert found["model",] == pytest.approx(mean(True, 0) - mean(False, 0))
    assert found["story",] == pytest.approx(mean(False, 1) - mean(False, 0))
    assert found["item",] == pytest.approx(mean(False, 2) - mean(False, 1))
    assert found["model", "item"] == pytest.approx(mean(True, 2) - mean(True, 1) - mean(False, 2) + mean(False, 1))
    assert found["seed",] == pytest.approx(fmean(row["score"] ** 2 for row in rows) - mean(True, 2))


def test_components_leave_out_pairs_of_one_draw_under_two_policies() -> None:
    draw = np.random.default_rng(5)
    answers = drawn(draw, (1,) * 4, 2, 1, 1).with_columns(strict=draw.normal(size=16))
    rows = [
        {**row, "policy": policy, "draw": number, "score": row[column]}
        for number, row in enumerate(answers.to_dicts())
        for policy, column in (("tolerant", "score"), ("strict", "strict"))
    ]

    def mean(model: bool, policy: bool, item: bool) -> float:
        """Average over pairs of two draws, of one model or two, one policy or two, and one item or two."""
        shared = {"model": model, "policy": policy, "item": item}
        pairs = ((one, other) for one, other in product(rows, rows) if one["draw"] != other["draw"])
        return fmean(
            one["score"] * other["score"]
            for one, other in pairs
            if all((one[name] == other[name]) == alike for name, alike in shared.items())
        )

    found = named(answers)
    of_item = mean(True, False, True) - mean(True, False, False) - mean(False, False, True) + mean(False, False, False)
    assert found["model", "item"] == pytest.approx(of_item)
    assert found["policy",] == pytest.approx(mean(False, True, False) - mean(False, False, False))


def test_order_components_equal_anova_for_balanced_designs() -> None:
    draw = np.random.default_rng(7)
    items = [[(place % 3, draw.normal() + place % 3) for place in range(6)] for _ in range(30)]
    rows = [
        ("m", "w", "d", str(item), str(item), order, seed, score)
        for item, answers in enumerate(items)
        for seed, (order, score) in enumerate(answers)
    ]
    found = named(pl.DataFrame(rows, _COLUMNS, orient="row"))
    assert (found["order",], found["seed",]) == pytest.approx(of_variance(items))


def loaded(task: str, model: str, scores: pl.DataFrame, strictly: Sequence[str | None] | None = None) -> Any:
    """A scores file; all ask about the same texts."""
    shown = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))
    frame = scores.with_columns(
        presentation=pl.lit("zero_shot"),
        metric=pl.lit("equivalence"),
        outcome=pl.lit("answered"),
        position=pl.lit(None, pl.Int32),
        strictly=pl.Series(strictly or [None] * scores.height, dtype=pl.String),
        shown=pl.lit(dict.fromkeys(COMPONENTS, "same"), shown),
    )
    return Origin("toy", task, "logical_translation", None, model, "chat", 9), [frame]


def scored(values: Sequence[Sequence[float]]) -> pl.DataFrame:
    """Scores by item and seed, of stories of one item."""
    rows = [(f"{i}:0", str(i), seed, score) for i, of_item in enumerate(values) for seed, score in enumerate(of_item)]
    return pl.DataFrame(rows, ("item", "story", "seed", "score"), orient="row")


def rows_of(*files: Any) -> dict[tuple[bool, str], Any]:
    """Rows by whether they are of one question, and component."""
    return {
        (row["wordings"] == 1 and row["task"] == "t", row["component"]): row for row in facet_rows(lambda: iter(files))
    }


def test_reliability_and_savings_match_worked_example() -> None:
    files = loaded("t", "a", scored([[1.0], [0.5]])), loaded("t", "b", scored([[0.0], [0.5]]))
    found = rows_of(*files)
    # Mean products of one model: 3/8 of one item and 1/4 of two; of two models: 1/8 and 1/4.
    assert {name: row["variance"] for (_, name), row in found.items()} == pytest.approx(
        {"model": 0, "item": 0, "model × item": 3 / 8 - 1 / 4 - 1 / 8 + 1 / 4}
    )
    assert found[True, "item"]["saved"] == pytest.approx(1 / 3)
    assert (found[True, "item"]["answers"], found[True, "model"]["reliability"]) == (1, 0)
    far = rows_of(loaded("t", "a", scored([[1.0], [0.8]])), loaded("t", "b", scored([[0.2], [0.2]])))
    of_models, error = (far[True, name]["variance"] for name in ("model", "model × item"))
    assert far[True, "model"]["reliability"] == pytest.approx(of_models / (of_models + error / 2))
    assert far[True, "model"]["needed"] == np.ceil(9 * error / of_models)


def test_further_seed_saves_less_than_items_of_the_same_cost() -> None:
    draw = np.random.default_rng(1)
    chances = draw.uniform(size=(2, 40, 1)) ** np.array([[[0.5]], [[2.0]]])
    answers = (draw.random((2, 40, 2)) < chances).astype(float)
    found = rows_of(*(loaded("t", name, scored(of.tolist())) for name, of in zip("ab", answers, strict=True)))
    item, seed = found[True, "item"], found[True, "seed"]
    assert (item["answers"], seed["answers"]) == (2, 40)
    assert item["saved"] == pytest.approx(1 / 41)
    assert 0 < seed["saved"] < 20 * item["saved"]


def test_one_model_has_components_but_no_reliability() -> None:
    found = rows_of(loaded("t", "a", scored([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])))
    assert {name for _, name in found} == {"item", "seed"}
    assert {(row["reliability"], row["saved"], row["models"]) for row in found.values()} == {(None, None, 1)}
    # Squares 1/2, pairs within items 1/3, and of two items 1/6.
    assert (found[True, "item"]["variance"], found[True, "seed"]["variance"]) == pytest.approx((1 / 6, 1 / 6))


def test_constant_scores_have_no_variance_to_share() -> None:
    found = rows_of(*(loaded("t", name, scored([[1.0, 1.0]] * 3)) for name in "ab"))
    assert {row["variance"] for row in found.values()} == {0.0}
    assert {(row["share"], row["saved"], row["reliability"], row["needed"]) for row in found.values()} == {(None,) * 4}
    assert rows_of(loaded("t", "a", scored([[1.0, 0.0]]))) == {}  # a single item


def test_wordings_and_policies_stand_apart_from_models() -> None:
    """Model b loses task u, and in task t half of its answers to the strict reader."""
    right, half, none = scored([[1.0, 1.0]] * 4), ["right", "wrong"] * 4, scored([[0.0, 0.0]] * 4)
    files = [
        loaded("t", "a", right, ["right"] * 8),
        loaded("t", "b", right, half),
        loaded("u", "a", right, ["right"] * 8),
        loaded("u", "b", none, ["wrong"] * 8),
    ]
    found = rows_of(*files)
    assert found[False, "model"]["wordings"] == 2
    # Mean products of two policies: of one model 5/8 in one wording and 1/2 in two, of two models 3/8 in either.
    assert found[False, "model × wording"]["variance"] == 5 / 8 - 1 / 2
    assert found[False, "model × wording × policy"]["variance"] == 1 / 32
    # Questions are of the tolerant reader, one task each.
    assert {name for is_question, name in found if is_question} == {"model", "item", "model × item", "seed"}


def test_models_asked_in_different_datasets_are_not_told_from_these() -> None:
    right, wrong = loaded("t", "a", scored([[1.0]] * 4)), loaded("t", "b", scored([[0.0]] * 4))
    elsewhere = replace(wrong[0], dataset="other"), wrong[1]
    assert {row["models"] for row in facet_rows(lambda: iter([right, elsewhere]))} == {1}
    assert {row["models"] for row in facet_rows(lambda: iter([right, wrong]))} == {2}


def test_facets_leave_out_embedding_models_and_tasks_without_right_answers() -> None:
    chat = loaded("t", "a", scored([[1.0], [0.0]]))
    embedding = Origin("toy", "t", "most_similar", "fair", "e", "embedding", 9), chat[1]
    rating = Origin("toy", "t", "rating", None, "a", "chat", 9), chat[1]
    assert list(facet_rows(lambda: iter([embedding, rating]))) == []
    assert list(facet_rows(lambda: iter([rating, chat, embedding]))) == list(facet_rows(lambda: iter([chat]))) != []


def test_answer_without_strict_reading_is_wrong_to_strict_reader() -> None:
    """One that was cut off has no column ``strictly``, which once made the variance of draws 0."""
    scores = scored([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    readings = ["right", "wrong", "wrong", "right", "wrong", "wrong", "wrong", "wrong"]
    source, (whole,) = loaded("t", "a", scores, readings)
    is_cut_off = pl.col("score") == 0
    cut_off = whole.with_columns(
        outcome=pl.when(is_cut_off).then(pl.lit("truncated")).otherwise("outcome"),
        strictly=pl.when(~is_cut_off).then("strictly"),
    )
    found = list(facet_rows(lambda: iter([(source, iter([cut_off]))])))
    assert found == list(facet_rows(lambda: iter([(source, iter([whole]))])))
    of_draws = [row["variance"] for row in found if row["component"] == "seed"]
    assert len(of_draws) == 2  # by tolerant readers, and by both
    assert min(of_draws) > 0
