"""Claims on other words, strategies and sizes, with planted differences both ways and with none."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stored import stored, unshown

from nlfol.results.analyses.analysis import schema_of
from nlfol.results.statistics.aligned import Aligned
from nlfol.results.statistics.slopes import logit_slope
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.problem_schemas import PROGRAMS
from nlfol.store.schemas import MEASURES
from nlfol_extras.analyses.claims import claims as claims_rows
from nlfol_extras.analyses.study_claims import by_size, by_strategy, dispersed, in_other_words

claims: Callable[..., list[Any]] = claims_rows

ITEMS, PER_STORY = 60, 3
PLANTED = [(0.3, "holds"), (-0.3, "contradicted"), (0.0, "open")]
ENTRIES: dict[str, dict[str, Any]] = {"toy": {}, "said": {"of": "toy"}}


def series(dataset: str, kind: str, metric: str, scores: Any) -> Series:
    frame = pl.DataFrame(
        {
            "item": [f"{place // PER_STORY}:{place}" for place in range(ITEMS)],
            "story": [str(place // PER_STORY) for place in range(ITEMS)],
            "seed": 3,
            "score": scores,
        }
    )
    return Series(Origin(dataset, "asked", kind, "", "m", "chat", ITEMS), metric, "", unshown(frame))


@pytest.mark.parametrize(("planted", "data"), PLANTED)
def test_dispersion_claim_detects_planted_change(planted: float, data: str) -> None:
    draw = np.random.default_rng(7)
    loaded, asked = [], []
    for dataset, mean in (("toy", 1.0), ("said", 1.0 + planted)):
        one = series(dataset, "program", "right", [0.0] * ITEMS)
        values = np.round(4 * (draw.normal(0, 0.2, ITEMS) + mean))
        rows = [
            stored(PROGRAMS, item=item, story=story, seed=3, status="aligned", dispersion={"sum": value, "of": 4})
            for item, story, value in zip(*one.answers["item", "story"], values, strict=True)
        ]
        about: Any = {"dataset": dataset, "task": "asked", "model": "m"}
        loaded.append(Aligned(about, tuple(rows), "plain"))
        asked.append(one)
    studied = list(dispersed(asked, loaded, ENTRIES))
    (found,) = claims([], [], studied)
    assert (found["data"], found["items"], found["stories"], found["first"]) == (data, ITEMS, 20, "said")
    assert found["low"] < planted < found["high"]
    # Of fewer than half of the items nothing is said.
    cut = replace(loaded[1], rows=loaded[1].rows[:20])
    (found,) = claims([], [], dispersed(asked, [loaded[0], cut], ENTRIES))
    assert (found["data"], found["difference"], found["items"]) == ("unpaired", None, 20)


def test_dispersion_claim_requires_enough_aligned_mentions() -> None:
    loaded, asked = [], []
    for dataset, of_model in (("toy", 60), ("said", 20)):
        one = series(dataset, "program", "right", [0.0] * ITEMS)
        known = {"status": "aligned", "dispersion": {"sum": 1, "of": 4}}
        rows = [
            stored(PROGRAMS, item=item, story=story, seed=3, **(known if place < of_model else {"status": "left_out"}))
            for place, (item, story) in enumerate(one.answers.select("item", "story").iter_rows())
        ]
        about: Any = {"dataset": dataset, "task": "asked", "model": "m"}
        loaded.append(Aligned(about, tuple(rows), "plain"))
        asked.append(one)
    (found,) = claims([], [], dispersed(asked, loaded, ENTRIES))
    assert (found["data"], found["difference"], found["refusal"]) == ("unpaired", None, "mentions aligned")


@pytest.mark.parametrize(("planted", "data"), PLANTED)
def test_size_claim_detects_planted_slope(planted: float, data: str) -> None:
    draw = np.random.default_rng(5)
    sizes = np.arange(ITEMS) % 4
    scores = (draw.random(ITEMS) < np.where(sizes < 2, 0.5 + planted, 0.5 - planted)).astype(float)
    one = series("toy", "round_trip", "truth_uncopied", scores)
    rows = [
        stored(MEASURES, item=item, category=float(size)) for item, size in zip(one.answers["item"], sizes, strict=True)
    ]
    (found,) = claims([], [], by_size([one], {"toy": pl.DataFrame(rows)}))
    assert found["data"] == data
    assert found["raw"] == pytest.approx(scores[sizes < 2].mean() - scores[sizes > 1].mean())
    assert found["low"] < found["difference"] < found["high"]
    # All of one size have no halves.
    alike = pl.DataFrame([{**row, "category": 1.0} for row in rows])
    assert list(by_size([one], {"toy": alike})) == []
    of_sentences = pl.DataFrame(rows).with_columns(category=pl.lit(None, pl.Float64))
    assert list(by_size([one], {"toy": of_sentences})) == []


@pytest.mark.parametrize(("small", "data"), [(1.0, "holds"), (0.0, "contradicted")])
def test_size_claim_is_finite_where_size_separates_right_from_wrong(small: float, data: str) -> None:
    one = series("toy", "round_trip", "truth_uncopied", [small] * 30 + [1 - small] * 30)
    sizes = zip(one.answers["item"], [1.0] * 30 + [2.0] * 30, strict=True)
    rows = [stored(MEASURES, item=item, category=size) for item, size in sizes]
    (found,) = claims([], [], by_size([one], {"toy": pl.DataFrame(rows)}))
    assert (found["data"], abs(found["raw"])) == (data, 1)
    assert -50 < found["low"] < found["difference"] < found["high"] < 50
    # Stories that hold nearly all items tell nothing of how far they vary.
    alike = one.answers.with_columns(story=pl.lit("one"))
    (found,) = claims([], [], by_size([replace(one, answers=alike)], {"toy": pl.DataFrame(rows)}))
    assert (found["low"], found["high"], found["p"], found["data"]) == (None, None, 1.0, "open")


def test_slope_is_of_the_model_whatever_sizes_are_drawn() -> None:
    """One model on small and on large items: the shares of right answers differ far more than the slopes do."""
    draw = np.random.default_rng(2)
    slopes: list[Any] = []
    falls = []
    for most in (4, 64):
        sizes = draw.integers(1, most + 1, 1_000).astype(float)
        right = draw.random(1_000) < 1 / (1 + sizes / 16)  # log-odds fall by log 2 with each doubling
        slopes.append(logit_slope(right.astype(float), sizes, [str(number) for number in range(1_000)]))
        falls.append(right[sizes <= np.median(sizes)].mean() - right[sizes > np.median(sizes)].mean())
    assert all(slope.low < -np.log(2) < slope.high for slope in slopes)
    assert falls[1] > 1.5 * falls[0]


@pytest.mark.parametrize(("planted", "data"), PLANTED)
def test_stability_and_strategy_claims_are_adjusted_by_claim(planted: float, data: str) -> None:
    said: dict[str, Any] = {
        "original": "toy",
        "dataset": "said",
        "model": "m",
        "kind": "chat",
        "task": "table",
        "items": 9,
    }
    p = 0.01 if planted else 1.0
    drop = stored(schema_of("stability"), **said, drop=planted, p=p, adjusted=0.9)
    said |= {"strategy": "concept_table", "base_strategy": "direct", "base_task": "plain"}
    gain = stored(schema_of("strategies"), **said, comparison="strategies", gain=planted, p=p, adjusted=0.9)
    tuned, refined = ({**gain, "strategy": name} for name in ("tuned", "refine"))
    of_original, reference = {**gain, "original": None}, {**drop, "kind": "reader"}
    rows = [*in_other_words([drop, reference]), *by_strategy([gain, tuned, refined, of_original])]
    found = claims([], [], rows)
    assert [(row["claim"], row["first"], row["second"]) for row in found] == [
        ("wording", "toy", "said"),
        ("tuned", "table", "plain"),
        ("concept_table", "table", "plain"),
    ]
    assert {(row["data"], row["adjusted"], row["difference"]) for row in found} == {(data, p, planted)}
    # The comparison with the same examples counts alone.
    clean = {**gain, "comparison": "instructions", "base_task": "plain_varied"}
    assert [row["second"] for row in by_strategy([gain, clean, {**tuned, "task": "names"}])] == [
        "plain_varied",
        "plain",
    ]
    # Two rows of a claim are one family.
    assert [row["adjusted"] for row in claims([], [], [*in_other_words([drop, drop])])] == [min(1, 2 * p)] * 2
