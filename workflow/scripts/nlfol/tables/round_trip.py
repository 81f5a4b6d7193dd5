"""Tables of round trips: scores by round, what solved examples change, and which half breaks the chains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

import polars as pl

from nlfol.statistics.benchmarks import bounded_name
from nlfol.statistics.bounded import LIMITS
from nlfol.statistics.summary import COMPARED, KINDS, OUTCOMES
from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table
from nlfol.tasks.chains import COMPLETED
from nlfol.tasks.chains import COPIED as STOPPED_BY_COPIES
from nlfol.tasks.registry import TASKS
from nlfol.tasks.round_trip import COMPLIANCE, COPIED, TRUTH, TRUTH_UNCOPIED, RoundTrip
from nlfol.tasks.task import AnswerForm

CALIBRATED, CALIBRATION = "k_sat", 0.95
"""The dataset on which the best model is to reach this truth, or else the prompts are in doubt (∀uto∃∨∧L, figure 7)."""

STOPS = (COMPLETED, "not_equivalent", "unknown", "invalid", "unparsable", STOPPED_BY_COPIES)
"""Why chains end; the other reasons are outcomes of requests that gave no answer."""

_CHAINS = [kind for kind, task in TASKS.items() if task.form is AnswerForm.CHAIN]
_METRICS = (TRUTH_UNCOPIED, TRUTH, COMPLIANCE, COPIED)
_SMALL = tuple(bounded_name({"metric": TRUTH, "measure": measure, "most": most}) for measure, most in LIMITS)
_TITLES = dict(
    zip(_SMALL, ("Truth, at most 6 operators", "Truth, at most 30 operators", "Truth, depth at most 7"), strict=True)
)

_Row = dict[str, Any]
Best = Set[tuple[str, str, str, str, str]]
"""As ``comparisons.significantly_best`` names them."""


def round_trip(
    cells: pl.DataFrame, bounded: pl.DataFrame, stops: pl.DataFrame, figures: pl.DataFrame, best: Best = frozenset()
) -> Table:
    """What is left of the meaning after each round, the best model first; published scores of the same dataset below.

    Args:
        cells: rows of ``schemas.CELLS``.
        bounded: rows of ``round_trip_schemas.BOUNDED``.
        stops: rows of ``round_trip_schemas.STOPS``.
        figures: the columns of ``resources/published``.
        best: the scores that are significantly the best of their column.
    """
    groups: dict[tuple[str, str, str], dict[str, dict[str, _Row]]] = {}
    for cell in cells.filter(pl.col("task_kind").is_in(_CHAINS)).to_dicts():
        key = cell["dataset"], cell["task"], cell["presentation"]
        groups.setdefault(key, {}).setdefault(cell["model"], {})[cell["metric"]] = cell
    for row in bounded.filter(pl.col("task_kind").is_in(_CHAINS), pl.col("metric") == TRUTH).to_dicts():
        groups[row["dataset"], row["task"], row["presentation"]][row["model"]][bounded_name(row)] = row
    ended = {
        tuple(row[name] for name in ("dataset", "task", "presentation", "model", "stop")): row["count"]
        for row in stops.to_dicts()
    }
    calibrated = _calibrated(groups)
    drawn: list[tuple[Cell, ...]] = []
    shown: set[tuple[str, str]] = set()
    for (dataset, task, presentation), models in groups.items():
        for model, metrics in sorted(models.items(), key=_place):
            counted = {
                stop: count for (*asked, stop), count in ended.items() if asked == [dataset, task, presentation, model]
            }
            said = calibrated.get((dataset, task, presentation, model))
            for number in sorted({RoundTrip.round_of(metric) for metric in metrics}):
                of_first = number == 1
                drawn.append(
                    (
                        *(dataset, task, model, presentation or None, "here"),
                        *_ours(metrics, number, best),
                        *_counts(counted if of_first else {}),
                        said if of_first else None,
                    )
                )
        if (dataset, presentation) not in shown:
            shown.add((dataset, presentation))
            drawn += _published(figures, dataset, presentation)
    return Table(
        "round_trip",
        "Round trips",
        "Share of formulas that keep their meaning when a model puts them into English and, in a fresh context, its "
        "English back into a formula; by round.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in ("dataset", "task", "model")),
            Column("presentation", "Shown as", Kind.TEXT),
            Column("source", "Source", Kind.TEXT),
            Column("round", "Round", Kind.COUNT),
            Column("items", "Items", Kind.SAMPLE),
            Column("seeds", "Seeds", Kind.COUNT),
            Column(TRUTH_UNCOPIED, "Truth, uncopied", Kind.SCORE),
            Column(TRUTH, "Truth", Kind.SCORE),
            Column(COMPLIANCE, "Compliance", Kind.SCORE),
            Column(COPIED, "Copied", Kind.SCORE),
            *(Column(name, _TITLES[name], Kind.SCORE) for name in _SMALL),
            *(Column(f"stop_{name}", name.replace("_", " ").capitalize(), Kind.COUNT) for name in STOPS),
            Column("stop_lost", "No answer", Kind.COUNT),
            Column("calibration", "Calibration", Kind.TEXT),
        ),
        tuple(drawn),
        (
            "Truth: the formula after the round is proven equivalent to the first; a round not reached counts as lost.",
            "Compliance: it could be read, is closed and within the vocabulary.",
            "Copied: the English holds a piece of the notation. “Truth, uncopied” counts it as lost and ranks models.",
            "Scores: mean ± sample standard deviation over seeds, interval at 95 % over stories; chance has none.",
            "At most 6 or 30 operators: ¬ directly before an atom does not count, as published.",
            "From “completed” on: why the chains (items × seeds) ended, in the row of the first round.",
            f"Calibration: whether the best on {CALIBRATED} reaches a truth of {CALIBRATION} (∀uto∃∨∧L, figure 7).",
            "Published: ∀uto∃∨∧L, whose tables 8 and 9 print the same scores under two captions.",
            "Its tables 9 and 12 print others for one quantity: the first is shown.",
        ),
    )


def _place(named: tuple[str, Mapping[str, _Row]]) -> tuple[int, float]:
    """Models before references, the best first."""
    cell = next(iter(named[1].values()))
    kind, first = KINDS.index(cell["kind"]), named[1].get(TRUTH_UNCOPIED)
    return kind, -first["mean"] if first is not None and cell["kind"] in COMPARED else 0.0


def _ours(metrics: Mapping[str, _Row], number: int, best: Best) -> Iterator[Cell]:
    cell = next(iter(metrics.values()))
    yield from (number, Sample(cell["items"], cell["available"]), None if cell["kind"] == "chance" else cell["seeds"])
    for name in (*_METRICS, *_SMALL):
        # Of later rounds there are no scores up to a size.
        found = metrics.get(name if number == 1 else f"{name}@{number}")
        yield None if found is None or found["mean"] is None else _score(found, best)


def _score(row: _Row, best: Best) -> Score:
    leads = tuple(row[name] for name in ("dataset", "task", "metric", "presentation", "model")) in best
    # Chance is known exactly for the items: it has no interval.
    low, high = (None, None) if row["kind"] == "chance" else (row["low"], row["high"])
    return Score(row["mean"], row["deviation"], low, high, leads and "most" not in row)


def _counts(counted: Mapping[str, int]) -> list[int | None]:
    if not counted:
        return [None] * (len(STOPS) + 1)
    lost = sum(counted.get(outcome, 0) for outcome in OUTCOMES if outcome not in STOPS)
    return [*(counted.get(stop, 0) for stop in STOPS), lost]


def _calibrated(groups: Mapping[tuple[str, str, str], Mapping[str, Mapping[str, _Row]]]) -> dict[tuple[str, ...], str]:
    """Where the best model on the dataset of calibration stands, and what to say there."""
    found = {
        (*key, model): metrics[TRUTH]["mean"]
        for key, models in groups.items()
        if key[0] == CALIBRATED
        for model, metrics in models.items()
        if TRUTH in metrics and metrics[TRUTH]["kind"] in COMPARED and metrics[TRUTH]["mean"] is not None
    }
    if not found:
        return {}
    place = max(found, key=found.__getitem__)
    return {place: f"best: {'reaches' if found[place] >= CALIBRATION else 'below'} {CALIBRATION}"}


def _published(figures: pl.DataFrame, dataset: str, presentation: str) -> list[tuple[Cell, ...]]:
    chosen = figures.filter(
        pl.col("dataset") == dataset,
        pl.col("task").is_in(_CHAINS),
        pl.col("presentation") == presentation,
        pl.col("metric").is_in(_SMALL),
    )
    models: dict[str, dict[str, float]] = {}
    for row in chosen.to_dicts():
        models.setdefault(row["model"], {}).setdefault(row["metric"], row["mean"])
    return [
        (
            *(dataset, None, model, presentation, "published", 1),
            *[None] * (2 + len(_METRICS)),
            *(Score(found[name]) if name in found else None for name in _SMALL),
            *[None] * (len(STOPS) + 2),
        )
        for model, found in models.items()
    ]


def attribution(rows: pl.DataFrame) -> Table:
    """Which half of the first round broke the chains, and what that says of each half."""
    names = ("dataset", "task", "formalized", "model", "presentation")
    counts = ("items", "chains", "broken", "no_english", "informalization", "formalization")
    return Table(
        "attribution",
        "Which half breaks round trips",
        "Broken chains by the half that they are charged to: informalization where the model formalizes the certified "
        "English of the same item rightly, or gave no English; else formalization.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in names[:2]),
            Column("formalized", "Formalized as", Kind.TEXT),
            Column("model", "Model", Kind.TEXT),
            Column("presentation", "Shown as", Kind.TEXT),
            *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in counts),
            Column("share", "Share of informalization", Kind.SCORE),
            Column("truth", "Truth", Kind.SCORE),
            Column("p_a", "p_A", Kind.SCORE),
            Column("p_h", "p_H", Kind.SCORE),
            Column("p_i", "p_I", Kind.SCORE),
            Column("p_i_least", "p_I at least", Kind.SCORE),
            Column("p_i_most", "p_I at most", Kind.SCORE),
            Column("rounds", "Rounds", Kind.COUNT),
            Column("truth_last", "Truth after all rounds", Kind.SHARE),
            Column("bound", "False positives at most", Kind.SHARE),
        ),
        tuple(
            (
                *(row[name] for name in (*names, *counts)),
                *(_interval(row, name) for name in ("share", "truth", "p_a", "p_h", "p_i", "p_i_least", "p_i_most")),
                *(row[name] for name in ("rounds", "truth_last", "bound")),
            )
            for row in rows.to_dicts()
        ),
        (
            "Chains: items × seeds that both tasks asked. All but the last two columns are of the first round.",
            "Intervals at 95 % over stories.",
            "p_A: share of the certified English that is formalized rightly.",
            "p_I, the share of formulas put into English rightly, is bounded: at least (truth - (1 - p_A)) / p_A,",
            "and at most truth / p_A where the halves fail independently or on the same items.",
            "p_H: of wrong formalizations of the English of edited formulas, the share that say the formula before.",
            "p_I follows from it, if wrong English is off by one edit.",
            "False positives at most: (1 - p_I)(1 - p_A) p_H to the power of the rounds (∀uto∃∨∧L, section 3).",
            "Where p_H is not measured, it is 1 there, and p_I at its least.",
        ),
    )


def crossed(rows: pl.DataFrame) -> Table:
    """How many formulas keep their meaning by who put them into English and who formalized that."""
    names = ("dataset", "task", "informalizer", "formalizer")
    return Table(
        "crossed",
        "Informalizer and formalizer",
        "Share of formulas that keep their meaning when one model puts them into English and another formalizes that.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in names),
            Column("items", "Items", Kind.SAMPLE),
            Column("seeds", "Seeds", Kind.COUNT),
            Column("score", "Equivalent", Kind.SCORE),
        ),
        tuple(
            (
                *(row[name] for name in names),
                Sample(row["items"], row["available"]),
                None if row["kind"] == "chance" else row["seeds"],
                Score(row["mean"]) if row["kind"] == "chance" else Score(row["mean"], None, row["low"], row["high"]),
            )
            for row in rows.to_dicts()
        ),
        (
            "Items: of those that the first model put into English at all, under its first presentation and seed.",
            "The formalizer is asked as in logical translation. Interval at 95 % over stories.",
        ),
    )


def _interval(row: _Row, name: str) -> Score | None:
    return None if row[name] is None else Score(row[name], None, row[f"{name}_low"], row[f"{name}_high"])
