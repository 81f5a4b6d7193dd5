"""The scores that a run ends with on the terminal, and that its report begins with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlfol.statistics.summary import COMPARED, OUTCOMES
from nlfol.store import files, schemas
from nlfol.tables.table import Sample, Score, shown
from nlfol.tasks.registry import TASKS


@dataclass(frozen=True, slots=True)
class Headline:
    """The best model of a task on a dataset: by its first metric and, of several ways to show candidates, in the first.

    Models are ranked that were asked at least half of the items that most were; if there is one alone, it is not the
    best but the only one. Its row of ``schemas.CELLS`` is that of its weakest score in a task where that counts.
    """

    best: Mapping[str, Any]
    chance: float | None
    ranked: int = 1


def headlines(cells: Iterable[Mapping[str, Any]], most: int = 9) -> list[str]:
    """Return a line for each of ``best_scores``; of more than ``most`` one more says how many are left out."""
    lines = [
        f"{found.best['task']} on {found.best['dataset']}: {_score(found)}"
        + ("" if found.chance is None else f"; chance {shown(found.chance)}")
        + _unread(found.best)
        for found in best_scores(cells)
    ]
    left = len(lines) - most
    return [*lines[:most], *([f"and {left} more"] if left > 0 else [])]


def closing_lines(results: Path) -> list[str]:
    """Return what a run ends with: where its tables are, and the best scores."""
    found = headlines(files.rows(results / "tables/cells.arrow", schemas.CELLS))
    return [f"Tables: {results}/tables", *(found or ["No model was asked: scores.csv has references alone."])]


def best_scores(cells: Iterable[Mapping[str, Any]]) -> list[Headline]:
    """Return the best model of each dataset and task in which something is right or wrong, by rows of CELLS."""
    rows = [cell for cell in cells if cell["mean"] is not None]
    found = []
    for dataset, task in dict.fromkeys((cell["dataset"], cell["task"]) for cell in rows):
        asked = [cell for cell in rows if (cell["dataset"], cell["task"]) == (dataset, task)]
        if not TASKS[asked[0]["task_kind"]].metrics:
            # Nothing in it is right or wrong, so nobody is best.
            continue
        of_models = [c for c in asked if c["kind"] in COMPARED and c["metric"] == asked[0]["metric"]]
        if of_models and not TASKS[asked[0]["task_kind"]].weakest_counts:
            of_models = [c for c in of_models if c["presentation"] == of_models[0]["presentation"]]
        elif of_models:
            models = dict.fromkeys(cell["model"] for cell in of_models)
            of_models = [min((c for c in of_models if c["model"] == model), key=_mean) for model in models]
        if of_models:
            most = max(cell["items"] for cell in of_models)
            ranked = [cell for cell in of_models if 2 * cell["items"] >= most]
            best = max(ranked, key=_mean)
            found.append(Headline(best, _chance(best, asked), len(ranked)))
    return found


def _mean(cell: Mapping[str, Any]) -> float:
    return float(cell["mean"])


def _score(found: Headline) -> str:
    best = found.best
    measured = ", ".join(filter(None, (best["metric"], best["presentation"])))
    score = Score(best["mean"], None, best["low"], best["high"])
    sample = shown(Sample(best["items"], best["available"]))
    rank = f"best of {found.ranked} is {best['model']}" if found.ranked > 1 else best["model"]
    return f"{rank} with {shown(score)} ({measured}; {sample} items)"


def _unread(best: Mapping[str, Any]) -> str:
    """Return the outcomes of answers if none could be read."""
    lost = ", ".join(f"{best[name]:,} {name.replace('_', ' ')}" for name in OUTCOMES[1:] if best[name])
    return f"; no answer could be read: {lost}" if lost and not best["answered"] else ""


def _chance(best: Mapping[str, Any], asked: Iterable[Mapping[str, Any]]) -> float | None:
    """Return the chance score of the best score's question."""
    same = ("metric", "presentation")
    return next((c["mean"] for c in asked if c["kind"] == "chance" and all(c[key] == best[key] for key in same)), None)
