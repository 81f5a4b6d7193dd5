"""Tests of claims, against differences worked out by definition."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from benchmarks.claims import claim_rates
from tests.stored import unshown
from tests.unit.results.by_definition import above, halved, p_value, paired

from nlfol.results.analyses.comparisons import comparisons, thinking
from nlfol.results.statistics.differences import holm
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.claims import WORDS
from nlfol_extras.analyses.claims import claims as claims_rows
from nlfol_extras.analyses.study_claims import DISPERSION, HELPS, SIZE, WORDING

claims: Callable[..., list[Any]] = claims_rows

STORIES = "aabbccddee"


def series(
    model: str,
    scores: Sequence[float],
    task: str = "ranking",
    metric: str = "",
    presentation: str = "english",
    **other: Any,
) -> Series:
    """Ten items in five stories; ``other`` changes the origin."""
    kind = {"m": "chat", "n": "chat", "e": "embedding", "f": "embedding"}.get(model, model)
    origin = Origin("toy", task, task, "audited", model, kind, 12)
    first = {
        "most_similar": "accuracy",
        "ranking": "both",
        "logical_translation": "equivalence",
        "verification": "right",
    }[task]
    names = [f"{story}:{place}" for place, story in enumerate(STORIES)][: len(scores)]
    frame = pl.DataFrame({"item": names, "story": list(STORIES[: len(scores)]), "seed": 3, "score": map(float, scores)})
    return Series(replace(origin, **other), metric or first, presentation, unshown(frame))


def nested(scores: Sequence[float]) -> list[list[float]]:
    return [list(scores[start : start + 2]) for start in range(0, len(scores), 2)]


HIGH = [1, 1, 1, 0, 1, 1, 1, 1, 0.5, 1]
LOW = [0, 1, 0, 0, 0, 1, 0.5, 0, 0, 1]
Row = dict[str, Any]


def expected(first: Sequence[float], second: Sequence[float]) -> list[float | None]:
    """Difference, interval and p."""
    found = sum(first) / len(first) - sum(second) / len(second)
    return [found, *paired(nested(first), nested(second)), p_value(nested(first), nested(second))]


def numbers(row: Row) -> list[float]:
    return [row[name] for name in ("difference", "low", "high", "p")]


def test_formula_claim_compares_formulas_with_english() -> None:
    """For dialogue models in ranking alone; of embedding models English is to be ahead, in both tasks."""
    found = claims(
        [
            series("m", LOW),
            series("m", HIGH, presentation="formula"),
            series("m", LOW, "most_similar"),
            series("m", HIGH, "most_similar", presentation="formula"),
            series("e", LOW, "most_similar"),
            series("e", HIGH, "most_similar", presentation="formula"),
        ],
        [],
    )
    rows = {row["claim"]: row for row in found if row["claim"].startswith("formula")}
    assert numbers(rows["formula_dialogue"]) == pytest.approx(expected(HIGH, LOW), rel=1e-6)
    assert numbers(rows["formula_embedding"]) == pytest.approx(expected(LOW, HIGH), rel=1e-6)
    said = {name: rows["formula_dialogue"][name] for name in ("task", "metric", "presentation", "model")}
    assert said == {"task": "ranking", "metric": "both", "presentation": None, "model": "m"}
    assert [rows[claim]["first"] for claim in rows] == ["formula", "english"]
    assert (rows["formula_dialogue"]["items"], rows["formula_dialogue"]["available"]) == (10, 12)


def test_negation_claim_compares_equivalence_with_negation() -> None:
    negations = [series("m", LOW, metric="negation"), series("e", LOW, metric="negation")]
    equivalents = [series("m", HIGH, metric="equivalence"), series("e", HIGH, metric="equivalence")]
    found = claims([*equivalents, *negations], [])
    (dialogue,) = (row for row in found if row["claim"] == "negation_dialogue")
    (embedding,) = (row for row in found if row["claim"] == "negation_embedding")
    assert (dialogue["first"], dialogue["second"]) == ("equivalence", "negation")
    assert numbers(dialogue) == pytest.approx(expected(HIGH, LOW), rel=1e-6)
    assert (embedding["first"], embedding["second"]) == ("negation", "equivalence")
    assert numbers(embedding) == pytest.approx(expected(LOW, HIGH), rel=1e-6)
    assert embedding["presentation"] == "english"


def test_negation_claim_needs_scores_for_both_ends() -> None:
    def claimed(*found: Series) -> int:
        return sum(row["claim"].startswith("negation") for row in claims(found, []))

    equivalents, negations = (series("m", HIGH, metric=name) for name in ("equivalence", "negation"))
    assert claimed(equivalents, negations, series("m", LOW, metric="both")) == claimed(equivalents, negations) == 1
    assert claimed(equivalents) == claimed(equivalents, series("m", LOW, metric="both")) == claimed(negations) == 0
    translation = "logical_translation"
    assert claimed(series("m", HIGH, translation), series("m", LOW, translation, metric="negation")) == 0


def test_most_similar_claim_uses_items_shared_with_ranking() -> None:
    ranked = series("m", LOW[:9], metric="equivalence"), series("m", HIGH)
    found = claims([series("m", HIGH, "most_similar"), *ranked], [])
    (row,) = found
    assert (row["claim"], row["first"], row["second"], row["items"]) == ("most_similar", "most_similar", "ranking", 9)
    assert (row["task"], row["metric"]) == (None, None)
    assert numbers(row) == pytest.approx(expected(HIGH[:9], LOW[:9]), rel=1e-6)


def test_kind_claim_averages_models_on_shared_items() -> None:
    other = [0, 1, 1, 0, 0, 1, 1, 1, 0]
    found = claims([series("m", HIGH), series("n", other), series("e", LOW)], [])
    (row,) = (row for row in found if row["claim"] == "dialogue")
    mean = [(one + two) / 2 for one, two in zip(HIGH, other, strict=False)]
    assert numbers(row) == pytest.approx(expected(mean, LOW[:9]), rel=1e-6)
    assert (row["first"], row["second"], row["items"]) == ("dialogue models (2)", "embedding models (1)", 9)


@pytest.mark.parametrize("places", [range(4), range(7)])
def test_kind_claim_refuses_items_shown_differently_within_side(places: Sequence[int]) -> None:
    """Neither what the first model was shown nor what the second was stands for both."""

    def arm(model: str, text: str) -> Series:
        one = series(model, HIGH)
        changed = [{**dict.fromkeys(COMPONENTS), "text": text if place in places else "same"} for place in range(10)]
        shown = pl.Series("shown", changed, one.answers.schema["shown"])
        return replace(one, answers=one.answers.with_columns(shown))

    for of_embedding in ("one", "other"):
        found = claims([arm("m", "one"), arm("n", "other"), arm("e", of_embedding)], [])
        (row,) = (row for row in found if row["claim"] == "dialogue")
        assert (row["items"], row["refused"], row["refusal"]) == (10 - len(places), len(places), "text")
        assert (row["data"] == "unpaired") == (len(places) > 5)


def test_protocol_claim_compares_published_with_own_protocol() -> None:
    published = series("m", HIGH)
    published = replace(published, source=replace(published.source, task="published", protocol="paper"))
    found = claims([series("m", LOW), published], [])
    (row,) = (row for row in found if row["claim"] == "protocol")
    assert (row["first"], row["second"]) == ("published", "ranking")
    assert numbers(row) == pytest.approx(expected(HIGH, LOW), rel=1e-6)
    # Tasks of two protocols are not held against one another.
    assert {row["claim"] for row in found} == {"protocol"}


def test_chance_claim_uses_item_chances() -> None:
    """Chance of each item is known; of translations it is nothing, and nothing is tested."""
    chances = [1 / 2, 1 / 3, 1 / 4, 1 / 4, 1 / 9, 1 / 2, 1 / 3, 1 / 4, 1 / 4, 1 / 9]
    guessed = [series("chance", chances), series("chance", [0] * 10, "logical_translation")]
    found = claims([series("m", HIGH), series("m", HIGH, "logical_translation"), *guessed], [])
    (row,) = (row for row in found if row["claim"] == "chance")
    mean, low, high = above(nested(HIGH), nested(chances))
    assert low is not None
    assert high is not None
    left = 1 - sum(chances) / 10
    p = halved(lambda tail: above(nested(HIGH), nested(chances), tail))
    assert numbers(row) == pytest.approx([mean * left, low * left, high * left, p], rel=1e-6)
    assert (row["first"], row["second"], row["model"]) == ("m", "chance", None)


def test_chance_claim_baseline_depends_on_model_kind() -> None:
    quarters = [1.0, 0, 0, 0, 1.0, 0, 0, 0, 0.5, 0]
    models = [series(model, quarters) for model in ("m", "e")]
    guessers = [series("chance", [0.0025] * 10), series("reasoner", [0.25] * 10)]
    found = claims([*models, *guessers], [])
    against = {row["first"]: (row["second"], row["difference"]) for row in found if row["claim"] == "chance"}
    assert against == {"m": ("reasoner", pytest.approx(0)), "e": ("chance", pytest.approx(0.2475))}
    # Equal scores are not equally far above what each has without reading.
    (kinds,) = (row for row in found if row["claim"] == "dialogue")
    assert (kinds["compared"], kinds["raw"], kinds["difference"] < 0) == ("above_chance", 0, True)


def test_constant_yes_verifier_scores_at_chance() -> None:
    """Pairs of both kinds are one question."""
    given = [
        series(model, [score] * 10, "verification", presentation=shown)
        for model, shown, score in (
            ("m", "equivalent", 1),
            ("m", "perturbation", 0),
            ("chance", "equivalent", 0.5),
            ("chance", "perturbation", 0.5),
        )
    ]
    (row,) = claims(given, [])
    assert (row["claim"], row["presentation"], row["difference"], row["p"]) == ("chance", "", 0, 1)


def test_thinking_claim_keeps_adjustment_from_comparisons() -> None:
    """Among all differences, of which there are three here; claims of chance are adjusted for themselves."""
    thinks: dict[str, Any] = {"thinking": True, "apart_from_thinking": "w"}
    plain: dict[str, Any] = {"thinking": False, "apart_from_thinking": "w"}
    third = series("n", LOW)
    third = replace(third, source=replace(third.source, model="third"))
    found = [series("m", HIGH, **thinks), series("n", LOW, **plain), third]
    compared = comparisons(found)
    thought = thinking(found, compared)
    (row,) = (row for row in claims(found, thought) if row["claim"] == "thinking")
    (same,) = (one for one in compared if {one["first"], one["second"]} == {"m", "n"})
    assert len(compared) == 3
    assert (row["first"], row["second"], row["adjusted"]) == ("m", "n", same["adjusted"])
    assert numbers(row) == pytest.approx(expected(HIGH, LOW), rel=1e-6)
    assert row["p"] < row["adjusted"]


@pytest.mark.parametrize(("cut_off", "data"), [(0, "holds"), (2, "holds"), (8, "open")])
def test_thinking_claim_is_open_where_it_rests_on_unread_answers(cut_off: int, data: str) -> None:
    """An entry that is cut off where it would have been right is no worse than the one with more tokens."""
    thinks = series("m", [1.0] * 10, thinking=True, apart_from_thinking="w")
    plain = series("n", [0.0] * 10, thinking=False, apart_from_thinking="w")
    unread = pl.int_range(pl.len()) < cut_off
    found = [thinks, replace(plain, answers=plain.answers.with_columns(unread=unread))]
    thought = thinking(found, comparisons(found))
    ends = [thought[0]["difference"], thought[0]["at_least"], thought[0]["at_most"]]
    assert ends == pytest.approx([1, 1 - cut_off / 10, 1])
    (row,) = (row for row in claims(found, thought) if row["claim"] == "thinking")
    assert row["data"] == data


def test_claim_rows_are_adjusted_as_single_family() -> None:
    sides = [(model, name, scores) for model, scores in (("m", HIGH), ("n", LOW)) for name in ("english", "formula")]
    given = [series(model, scores, "most_similar", presentation=name) for model, name, scores in sides]
    given += [series(model, LOW, metric="equivalence", presentation=name) for model, name, _ in sides]
    found = claims(given, [])
    of_claim = [row for row in found if row["claim"] == "most_similar"]
    assert len(of_claim) == 4
    assert [row["adjusted"] for row in of_claim] == holm([row["p"] for row in of_claim])


@pytest.mark.parametrize(("first", "data"), [(HIGH, "holds"), (LOW, "contradicted"), ([0.5] * 10, "open")])
def test_claim_verdict_follows_difference(first: list[float], data: str) -> None:
    second = {"holds": [0.0] * 10, "contradicted": [1.0] * 10, "open": [0.5] * 10}[data]
    (row,) = claims([series("m", first, "most_similar"), series("m", second, metric="equivalence")], [])
    assert row["data"] == data
    assert (row["adjusted"] < 0.05) == (data != "open")


def test_claim_needs_both_sides() -> None:
    assert claims([series("m", HIGH), series("m", HIGH, "logical_translation", presentation="")], []) == []
    assert claims([series("m", HIGH), series("e", HIGH, "most_similar")], []) == []
    assert claims([], []) == []


def test_claims_keep_type_i_error() -> None:
    """A tenth of the benchmark; the draws are fixed, so this cannot fail by chance."""
    found = claim_rates(0.0, 0.1, 20)
    assert found.keys() == {*WORDS} - {"thinking", "protocol", WORDING, DISPERSION, SIZE, *HELPS.values()}
    rates = [any_of for _, any_of in found.values()]
    assert sum(rates) / len(rates) <= 0.06


def test_guessing_keeps_most_similar_claim_error_low() -> None:
    """Sets of 2 to 9 for the one task, of orders for the other: as raw scores nine tenths of guessers "held"."""
    (_, any_of) = claim_rates(0.0, 0.0, 40, ("accuracy", "equivalence"))["most_similar"]
    assert any_of <= 0.1


def test_claim_sides_with_unequal_chance_compare_above_chance() -> None:
    """Right half of the time of two, and one in four of four: both guess."""
    guessed = [series("chance", [0.5] * 10, "most_similar"), series("chance", [0.25] * 10, metric="equivalence")]
    halves, quarters = [1.0, 0.0] * 5, [1.0, 0, 0, 0, 1.0, 0, 0, 0, 0.5, 0]
    found = claims([series("m", halves, "most_similar"), series("m", quarters, metric="equivalence"), *guessed], [])
    (row,) = (row for row in found if row["claim"] == "most_similar")
    assert (row["compared"], row["raw"], row["difference"], row["p"]) == ("above_chance", 0.25, 0, 1)
    assert row["low"] < 0 < row["high"]
    same = [series("chance", [0.5] * 10, "most_similar"), series("chance", [0.5] * 10, metric="equivalence")]
    (row,) = (
        r
        for r in claims([series("m", HIGH, "most_similar"), series("m", LOW, metric="equivalence"), *same], [])
        if r["claim"] == "most_similar"
    )
    assert (row["compared"], row["raw"]) == ("score", row["difference"])
