"""Headlines: rankings that a guesser, a copy, unequal groups and models with few items must not lead."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.stored import ranks_of, stored

from nlfol.results.analyses.findings import leader
from nlfol.results.analyses.verification import VERIFICATIONS
from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.tables.headlines import Question, closing_lines, headlines, own_errors, standings
from nlfol.store.files import write
from nlfol.store.schemas import CELLS
from nlfol.tasks.registry import TASKS


def cell(task: str, metric: str, model: str, mean: float | None, **other: Any) -> dict[str, Any]:
    about = {"dataset": "toy", "task": task, "task_kind": task if task in TASKS else "most_similar", "kind": "chat"}
    sizes = {"items": 80, "available": 80, "stories": 20, "answered": 80}
    ends = {} if mean is None else {"low": max(0.0, mean - 0.1), "high": min(1.0, mean + 0.1)}
    return stored(CELLS, **{**about, **sizes, **ends, "metric": metric, "model": model, "mean": mean, **other})


def asked(*models: tuple[str, float] | dict[str, Any], possible: tuple[str, ...] = (), other: str = "") -> Question:
    """Return a question in which all models, or only some, are possibly best, and one was asked other items."""
    rows = [each if isinstance(each, dict) else cell("most_similar", "accuracy", *each) for each in models]
    ranked = [row for row in rows if row["low"] is not None and row["model"] != other]
    (question,) = standings(rows, ranks_of(ranked, *possible))
    return question


def places(question: Question) -> dict[str, str]:
    return {row["model"]: place for row, place in question.models}


def floor(question: Question, model: str) -> str | None:
    found = question.floor_of(next(row for row, _ in question.models if row["model"] == model))
    return None if found is None else str(found["model"])


def test_headline_best_model_alone_is_possibly_best() -> None:
    found = asked(("two", 0.6), ("one", 0.7), ("three", 0.4), possible=("one",))
    assert places(found) == {"one": "best", "two": "behind", "three": "behind"}
    assert [found.rank_of(name) for name in ("one", "two")] == ["1 of 3", "2–3 of 3"]
    assert found.finding() == "one is best: 0.700 [0.600, 0.800] before two with 0.600 [0.500, 0.700] (80 items)"


def test_headline_ties_possibly_best_despite_intermediate() -> None:
    found = asked(("one", 0.7), ("between", 0.6), ("wide", 0.5), possible=("one", "wide"))
    assert places(found) == {"one": "tied", "between": "behind", "wide": "tied"}
    assert found.finding() == ("one is tied with wide: 0.700 [0.600, 0.800], wide with 0.500 [0.400, 0.600] (80 items)")


def test_headline_excludes_models_with_few_items() -> None:
    lucky = cell("most_similar", "accuracy", "lucky", 1.0, items=2, available=80, stories=2, low=None, high=None)
    wide = cell("most_similar", "accuracy", "wide", 1.0, items=6, available=80, low=0.5, high=1.0)
    found = asked(lucky, wide, ("one", 0.25))
    assert places(found) == {"one": "only model", "lucky": "too few items", "wide": "too few items"}
    assert found.finding() == "one has 0.250 [0.150, 0.350] (80 items)"


def test_headline_says_how_many_items_count_where_one_story_holds_most() -> None:
    """Many items are too few where one story holds most of them: the number asked is not the reason."""
    scores, stories = [1.0] * 60 + [0.0] * 40, ["one"] * 60 + [str(number) for number in range(40)]
    mean = clustered_mean(scores, stories)
    ends = {"low": mean.low, "high": mean.high, "effective": mean.effective}
    found = asked(cell("most_similar", "accuracy", "m", mean.mean, items=100, available=100, stories=41, **ends))
    assert mean.effective is not None
    assert mean.effective < 10
    assert f"over 100 items that count as {mean.effective:.0f}; " in found.finding()
    alike = clustered_mean([1.0, 0.0] * 50, [str(number) for number in range(100)])
    assert alike.effective is not None
    assert alike.effective > 90


def test_headline_excludes_models_with_other_items() -> None:
    fewer = cell("most_similar", "accuracy", "fewer", 0.9, items=50)
    found = asked(fewer, ("one", 0.5), ("two", 0.4), other="fewer")
    assert places(found) == {"one": "tied", "two": "tied", "fewer": "other items"}


@pytest.mark.parametrize(("high", "place"), [(0.25, "only model"), (0.55, "not above")])
def test_headline_requires_best_model_to_beat_reference(high: float, place: str) -> None:
    surface = cell("most_similar", "accuracy", "surface", 0.2, kind="surface", low=0.18, high=high)
    chance = cell("most_similar", "accuracy", "chance", 0.1, kind="chance")
    reader = cell("most_similar", "accuracy", "reader", 1.0, kind="reader")
    found = asked(("one", 0.5), surface, chance, reader)
    assert places(found) == {"one": place}
    assert floor(found, "one") == "surface"
    assert ("does not beat" in found.finding()) == (place == "not above")


def test_headline_floor_ignores_reference_with_few_items() -> None:
    medoid = cell("most_similar", "accuracy", "medoid", 1.0, kind="medoid", low=0.4, high=1.0)
    chance = cell("most_similar", "accuracy", "chance", 0.1, kind="chance")
    found = asked(("one", 0.5), medoid, chance)
    assert floor(found, "one") == "chance"


def test_one_of_ten_guessers_is_rarely_above_floor() -> None:
    """Each by itself is in one of 40, so one of ten would be in a fifth."""
    draw = np.random.default_rng(10)
    stories = [str(number // 8) for number in range(208)]
    chance = cell("most_similar", "accuracy", "chance", 0.25, kind="chance", items=208)
    above = 0
    for _ in range(100):
        means = [clustered_mean((draw.random(208) < 0.25).astype(float).tolist(), stories) for _ in range(10)]
        rows = [
            cell("most_similar", "accuracy", f"m{place}", m.mean, low=m.low, high=m.high, items=208, stories=26)
            for place, m in enumerate(means)
        ]
        above += set(places(asked(*rows, chance)).values()) != {"not above"}
    assert above <= 8


def test_headline_leaves_models_below_floor_unranked() -> None:
    chance = cell("most_similar", "accuracy", "chance", 0.45, kind="chance")
    found = asked(("one", 0.5), ("two", 0.3), chance, possible=("one",))
    assert set(places(found).values()) == {"not above"}


def test_headline_tie_excludes_models_below_floor() -> None:
    chance = cell("most_similar", "accuracy", "chance", 0.35, kind="chance")
    found = asked(("one", 0.5), ("two", 0.4), chance)
    assert places(found) == {"one": "tied", "two": "not above"}
    assert found.finding().startswith("one is tied with two: 0.500 [0.400, 0.600], two with 0.400 ")
    assert leader([found], "Scores") == "one reaches .50, apart from no other, chance .35: most similar on toy"


def of_ranking(*models: tuple[str, float, str]) -> Question:
    guessers = [
        cell("ranking", "both", name, mean, kind=name) for name, mean in (("chance", 0.002), ("reasoner", 0.25))
    ]
    found = [cell("ranking", "both", name, mean, kind=kind) for name, mean, kind in models]
    return asked(*found, *guessers)


def test_headline_floor_depends_on_model_kind() -> None:
    found = of_ranking(("talker", 0.4, "chat"), ("vectors", 0.2, "embedding"))
    assert (floor(found, "talker"), floor(found, "vectors")) == ("reasoner", "chance")
    assert places(found) == {"talker": "tied", "vectors": "tied"}
    guessing = of_ranking(("talker", 0.3, "chat"), ("vectors", 0.2, "embedding"), ("fine", 0.21, "embedding"))
    assert places(guessing) == {"talker": "not above", "fine": "behind", "vectors": "behind"}
    assert guessing.finding().startswith("talker does not beat reasoner: 0.300 [0.200, 0.400] against 0.250 (")
    assert leader([guessing], "Scores") == "No model is above reasoner .25: ranking on toy"
    assert set(places(of_ranking(("vectors", 0.05, "embedding"))).values()) == {"not above"}


def test_headline_needs_several_stories() -> None:
    found = asked(cell("most_similar", "accuracy", "one", 0.5, stories=1, low=None, high=None))
    assert places(found) == {"one": "too few stories"}
    assert "5 stories are needed for an interval" in found.finding()


def test_headline_scores_verifier_by_balanced_accuracy() -> None:
    kinds = ("equivalent", "perturbation")
    cells = [
        cell("verification", "right", "yes", mean, presentation=kind) for mean, kind in zip((1, 0), kinds, strict=True)
    ]
    ends = {"balanced_accuracy": 0.5, "balanced_accuracy_low": 0.4, "balanced_accuracy_high": 0.6}
    counts = {"items": 80, "stories": 20, "pairs": 160, "unread": 0}
    about = {"dataset": "toy", "task": "verification", "task_kind": "verification", "model": "yes", "group": "all"}
    ranks = ranks_of([cells[0] | {"presentation": ""}])
    (found,) = standings(cells, ranks, [stored(VERIFICATIONS, **about, **ends, **counts)])
    assert found.about["metric"] == "balanced_accuracy"
    assert headlines([found]) == ["verification on toy: yes has 0.500 [0.400, 0.600] (80 items)"]


def test_headline_treats_presentations_as_separate_questions() -> None:
    cells = [cell("ranking", "both", "one", 0.5, presentation=way) for way in ("formula", "english")]
    cells += [cell("ranking", "equivalence", "one", 0.9, presentation="formula")]
    told = headlines(standings(cells, ranks_of(cells)))
    assert told == [
        f"ranking on toy ({way}): one has 0.500 [0.400, 0.600] (80 items)" for way in ("formula", "english")
    ]


def test_headline_omits_unmeasured_cells() -> None:
    cells = [cell("translation", "", "none", None), cell("ranking", "both", "chance", 0.5, kind="chance")]
    assert headlines(standings(cells, ranks_of(cells))) == []


def test_headline_reports_unreadable_answers() -> None:
    silent = cell("ranking", "both", "silent", 0.0, answered=0, empty=3, unparsable=1)
    (told,) = headlines(standings([silent], ranks_of([silent])))
    assert told.endswith("(80 items); no answer could be read: 1 unparsable, 3 empty")


def test_closing_lines_report_judging_failures_as_internal_errors(tmp_path: Path) -> None:
    ways, lost = ("formula", "english"), {"internal_error": 1}
    cells = [
        *(cell("ranking", "both", "m", 0.5, presentation=way, **lost) for way in ways),
        *(cell("ranking", "equivalence", "m", 0.5, **lost), cell("ranking", "both", "other", 0.5)),
    ]
    (tmp_path / "tables").mkdir()
    write(tmp_path / "tables/cells.arrow", CELLS, cells, {})
    told = closing_lines(tmp_path)[-1]
    assert told.startswith("nlfol failed to judge 2 answers of m (ranking on toy): an error of nlfol, not of the model")
    assert told.endswith(f"Please report it with the traceback in {tmp_path}/logs/*/toy/ranking/m.log")
    assert own_errors(cells[2:]) == []


def test_headlines_limit_lines_and_group_unranked() -> None:
    few = [cell(f"few-{number}", "accuracy", "one", 0.5, items=2, low=None, high=None) for number in range(2)]
    cells = [*few, *(cell(f"task-{number}", "accuracy", "one", 0.5) for number in range(5))]
    told = headlines(standings(cells, ranks_of(cells[2:])), most=3)
    assert [line[:6] for line in told[:4]] == ["task-0", "task-1", "task-2", "and 2 "]
    assert told[4:] == ["too few items for a rank: few-0 on toy; few-1 on toy"]
    assert [line[:5] for line in headlines(standings(few, []))] == ["few-0", "few-1"]
