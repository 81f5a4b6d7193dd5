"""Transitions of answers between two tasks, problems and the same in other words, or a model before and after training.

Answers make pairs as for a difference (``statistics.pairing``): others, which differ in more than the strategy, the
wording or the model, are refused and counted. A model with an adapter is compared with its base as in the table
``training``: on the same task, and on the first of the base in its language.

Changes are the classes of figure 7 of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across
Linguistically Diversified Texts?", and one more. An answer is wrong *without consistency* if one symbol for each
concept would make it right (causes ``drift`` and ``drift_and_collision``), else *otherwise*.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypedDict

import polars as pl

from nlfol.facts import CAUSES as ALL_CAUSES
from nlfol.facts import DRIFTS, RIGHT
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.aligned import Aligned, Entries
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Pairing, row_schema

CHANGES = (
    "fixed_by_consistency",
    "fixed_otherwise",
    "remaining_otherwise",
    "newly_introduced_otherwise",
    "remaining_without_consistency",
    "newly_introduced_without_consistency",
)
"""The last one is not in the paper."""

TASKS, DATASETS, MODELS = "tasks", "datasets", "models"


class _Transition(TypedDict):
    # tasks (of one dataset and language), datasets (an original and the same in other words), or models
    between: str
    first_dataset: str
    first_task: str
    first_strategy: str
    second_dataset: str
    second_task: str
    second_strategy: str
    model: str
    kind: str
    base: str | None  # the model before it was trained; null where one model gave both answers
    # causes of the answers of a pair; null where all pairs are refused
    before: str | None
    after: str | None
    change: str | None  # null if both are right
    answers: int


class TransitionRow(_Transition, Pairing):
    """One row a pair of tasks, datasets or models, model, and pair of causes that some answers have."""


TRANSITIONS = row_schema("transitions", 3, TransitionRow)

_COMPARISONS = {TASKS: "strategies", DATASETS: "wording", MODELS: "training"}


def change(before: str, after: str) -> str | None:
    """Return the class of a transition from one cause to another; None if both answers are right."""
    if after == RIGHT:
        consistency = "by_consistency" if before in DRIFTS else "otherwise"
        return None if before == RIGHT else f"fixed_{consistency}"
    new = "newly_introduced" if before == RIGHT else "remaining"
    return f"{new}_{'without_consistency' if after in DRIFTS else 'otherwise'}"


def transitions(
    series: Iterable[Series], loaded: Sequence[Aligned], entries: Entries, origins: Mapping[str, Sequence[str]]
) -> list[TransitionRow]:
    """Return the rows of ``TRANSITIONS``: pairs of tasks first, of models last, each in the order of the files.

    ``origins`` names the training and the base of each model with a trained adapter.
    """
    asked = {(one.source.dataset, one.source.task, one.source.model): one for one in series if one.metric == RIGHT}
    # A dataset of which every problem is refused has no answers.
    answered = [one for one in loaded if (one.about["dataset"], one.about["task"], one.about["model"]) in asked]
    return [row for way, *sides in _pairs(answered, entries, origins) for row in _between(way, sides, asked)]


def _pairs(
    loaded: Sequence[Aligned], entries: Entries, origins: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Aligned, Aligned]]:
    by_model: dict[tuple[str, str], dict[str, Aligned]] = {}
    for job in loaded:
        by_model.setdefault((job.about["dataset"], job.about["model"]), {})[job.about["task"]] = job
    for tasks in by_model.values():
        for first, second in combinations(tasks.values(), 2):
            if first.languages == second.languages:
                yield TASKS, first, second
    for (dataset, model), tasks in by_model.items():
        originals = by_model.get((entries[dataset].get("of", ""), model), {})
        for task, job in tasks.items():
            if task in originals:
                yield DATASETS, originals[task], job
    for (dataset, model), tasks in by_model.items():
        of_base = by_model.get((dataset, origins[model][1]), {}) if model in origins else {}
        for task, job in tasks.items():
            alike = [name for name, other in of_base.items() if other.languages == job.languages]
            yield from ((MODELS, of_base[name], job) for name in alike if name in (task, alike[0]))


def _between(between: str, sides: Sequence[Aligned], asked: Mapping[Any, Series]) -> Iterator[TransitionRow]:
    first, second = sides
    before, after = (asked[tuple(job.about[name] for name in ("dataset", "task", "model"))] for job in sides)
    same_task = first.about["task"] == second.about["task"]
    comparison = "training_strategy" if between == MODELS and not same_task else _COMPARISONS[between]
    made = pairs(before, after, COMPARISONS[comparison])
    causes = [{(row["item"], row["seed"]): row["cause"] for row in job.rows} for job in sides]
    counted = Counter(tuple(of_side[key] for of_side in causes) for key in made.kept.select("item", "seed").iter_rows())
    row: TransitionRow = {
        "first_dataset": first.about["dataset"],
        "first_task": first.about["task"],
        "first_strategy": first.about["strategy"],
        "second_dataset": second.about["dataset"],
        "second_task": second.about["task"],
        "second_strategy": second.about["strategy"],
        "between": between,
        "model": second.about["model"],
        "kind": second.about["kind"],
        "base": first.about["model"] if between == MODELS else None,
        "before": None,
        "after": None,
        "change": None,
        "answers": 0,
        **made.counts,
    }
    for one, other in product(ALL_CAUSES, repeat=2):
        if counted[one, other]:
            yield {**row, "before": one, "after": other, "change": change(one, other), "answers": counted[one, other]}
    if made.refused and not counted:
        yield row


_COMPARED = ("first_dataset", "second_dataset", "first_task", "second_task", "model", "base")
_PAIRING = list(Pairing.__annotations__)


def _by_change(rows: pl.DataFrame) -> Iterable[AnyRow]:
    by_key: dict[tuple[str, ...], JsonDict] = {}
    for row in rows.to_dicts():
        who = tuple(row[name] for name in _COMPARED)
        about = {name: row[name] for name in (*_COMPARED, *_PAIRING)}
        shown = by_key.setdefault(who, {**dict.fromkeys(("answers", "right", *CHANGES), 0), **about})
        for name in ("answers", row["change"] or "right"):
            shown[name] += row["answers"]
    return by_key.values()


TABLE = TableForm(
    "transitions",
    "What becomes of answers",
    "Answers by what became of them from one task to another, to the same problems in other words, or by training.",
    (
        columns.text("first_dataset", "Dataset before"),
        columns.text("second_dataset", "Dataset after"),
        columns.text("first_task", "Task before"),
        columns.text("second_task", "Task after"),
        *columns.texts("model", "base"),
        columns.count("answers"),
        columns.count("right", "Right in both"),
        *columns.counts(*CHANGES),
        *columns.pairing("before", "after")[1:],
    ),
    (
        "Answers: pairs of them.",
        columns.PAIRING,
        "Base: the model without the adapter, which gave the answers before; – where one model gave both.",
        *(COMPARISONS[name].note for name in (*_COMPARISONS.values(), "training_strategy")),
        "Without consistency: the cause is drift, alone or with collision; otherwise: any other.",
        "The last class is not in the paper's figure 7.",
    ),
    ("transitions",),
    _by_change,
    opens=nothing,  # the explorer compares no two models over two tasks
    nothing="No model answered problems in both wordings: nothing to compare.",
)

# Distinguishable without colour vision (Okabe and Ito), fixed answers in the green of right ones.
_COLOURS = dict(zip(CHANGES, ("#009e73", "#56b4e9", "#e69f00", "#f0e442", "#d55e00", "#cc79a7"), strict=True))


def _passage(row: AnyRow) -> str:
    """Return two tasks on a dataset, two datasets in a task, or two models, in words."""
    if row["base"] is not None:
        return f"{row['second_dataset']}, {row['second_task']}: {row['base']}, {row['first_task']} → trained"
    name, common = ("task", "dataset") if row["between"] == "tasks" else ("dataset", "task")
    return f"{row[f'second_{common}']}: {row[f'first_{name}']} → {row[f'second_{name}']}"


def transitions_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw what becomes of answers that are wrong before or after (SoLT, figure 7)."""
    from nlfol.results.analyses.charts import figure, stacked

    counts: dict[tuple[str, str, str], int] = {}
    for row in rows.to_dicts():
        if row["change"] is not None:
            key = _passage(row), row["model"], row["change"]
            counts[key] = counts.get(key, 0) + row["answers"]
    drawn = [
        {
            "panel": panel,
            "model": model,
            "case": change.replace("_", " "),
            "order": CHANGES.index(change),
            "answers": answers,
            "opens": None,
        }
        for (panel, model, change), answers in counts.items()
    ]
    return figure(
        drawn,
        "transitions",
        "What becomes of wrong answers",
        "Of answers that are wrong in one of two tasks, wordings or models: whether they are fixed, remain or are new, "
        "and whether one symbol for each concept would make them right.",
        stacked(drawn, _COLOURS, "Share of answers that are wrong before or after"),
    )


ANALYSIS = Analysis(
    rows=(
        Rows(
            TRANSITIONS,
            lambda given: transitions(
                given.series("problem_scores"), given.programs(), given.setting("wordings"), given.setting("origins")
            ),
        ),
    ),
    tables=(TABLE,),
    figures=((("transitions",), transitions_figure),),
)
