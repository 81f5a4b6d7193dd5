"""Titles of figures say what their data carry, and no more."""

from typing import Any

from nlfol.results.analyses.findings import difference, leader, trend
from nlfol.results.tables.headlines import BEHIND, BEST, FEW_ITEMS, NOT_ABOVE, TIED, Question


def mark(model: str, number: str, mean: float, half: float | None, panel: str = "p") -> dict[str, Any]:
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return {"panel": panel, "model": model, "number": number, "mean": mean, "low": low, "high": high}


def test_trend_title_needs_disjoint_end_intervals() -> None:
    falls = [mark("a", "0", 0.75, 0.125), mark("a", "1", 0.5, 0.5), mark("a", "5+", 0.25, 0.125)]
    rises = [mark("b", "0", 0.0, 0.0, "q"), mark("b", "5+", 1.0, 0.0, "q")]
    assert trend(falls, "number", "operators", "Neutral") == "a falls from .75 to .25 with operators (p)"
    assert trend(falls + rises, "number", "operators", "Neutral").startswith("b rises from .00 to 1.00")
    # Not where intervals overlap or miss.
    wide = [mark("a", "0", 0.75, 0.25), mark("a", "1", 0.25, 0.25)]
    assert trend(wide, "number", "operators", "Neutral") == "Neutral"
    assert trend([mark("a", "0", 1.0, None), mark("a", "1", 0.0, 0.0)], "number", "o", "Neutral") == "Neutral"


def test_difference_title_names_largest_significant_difference() -> None:
    def row(first: str, value: float, adjusted: float | None) -> dict[str, Any]:
        said = {"second": "z", "task": "ranking", "metric": "both"}
        return {"first": first, "difference": value, "adjusted": adjusted, **said}

    rows = [row("a", 0.75, 0.05), row("b", 0.25, 0.01), row("c", -0.5, 0.049), row("d", 1.0, None)]
    assert difference(rows, "Neutral") == "z scores .50 above c (ranking: both)"
    assert difference(rows[:1], "Neutral") == "Neutral"


def test_leader_title_follows_rank() -> None:
    about = {"task": "ranking", "dataset": "d", "presentation": "english"}
    floor = {"model": "chance", "kind": "chance", "mean": 0.25}

    def told(*places: str) -> str:
        models = [
            ({"model": name, "kind": "chat", "mean": 0.5}, place) for name, place in zip("abc", places, strict=False)
        ]
        return leader([Question(about, models, [], [floor], None)], "Scores in ranking")

    assert told(BEST, BEHIND) == "a is best with .50, chance .25: ranking on d (english)"
    assert told(TIED, TIED, BEHIND) == "a, b are tied, chance .25: ranking on d (english)"
    assert told(NOT_ABOVE) == "No model is above chance .25: ranking on d (english)"
    assert told(FEW_ITEMS) == "Scores in ranking"
