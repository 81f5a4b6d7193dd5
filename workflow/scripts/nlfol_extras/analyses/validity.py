"""Validity: whether tasks that should rank models alike do so, and more than a criterion that asks for something else.

Each question (dataset, task, presentation; by its leading metric) is compared with each other one, and with published
criteria, over the dialogue models that both have: Spearman's rank correlation ρ. Errors of scores draw it towards 0, so
it stands beside the reliabilities of both, the share of the variance over models that is not error::

    r = 1 - (mean of error²) / (variance of the means over models)

and beside ρ / sqrt(r * r'), the correlation of scores without error (Spearman, "The Proof and Measurement of
Association between Two Things", 1904). A task is valid if it correlates with tasks of the same kind (convergent), and
less with others (divergent: Campbell and Fiske, "Convergent and Discriminant Validation by the Multitrait-Multimethod
Matrix", 1959).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import atanh, sqrt, tanh
from statistics import fmean, variance
from typing import TypedDict, cast

from nlfol.facts import FACTS, ZERO_SHOT
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import row_schema
from nlfol.store.schemas import CellRow

DIVERGENT = ("code", "humaneval"), ("question_answering", "bbh")
"""Published criteria that ask for something else, by task and dataset: programs, and questions of all kinds."""

Figure = Mapping[str, str | float | None]
"""A row of ``resources/published``."""

LEAST_MODELS, LEAST_FOR_INTERVAL = 4, 8
LEAST_RELIABLE = 0.25
"""Scores that are less reliable are mostly error: nothing is said of a correlation without it."""


class ValidityRow(TypedDict):
    """One row a pair of questions, or of a question and a criterion, with so many dialogue models in common."""

    first: str  # dataset, task and presentation, or paper, table, dataset and task
    second: str
    criterion: str  # convergent, divergent
    models: int
    rho: float | None  # null where all models are alike in one of the two
    rho_low: float | None  # interval at 95 %, null for fewer than eight models
    rho_high: float | None
    reliability_first: float | None  # null of published scores, whose errors are not known
    reliability_second: float | None
    disattenuated: float | None  # null where one is hardly reliable; unknown reliabilities count as 1


VALIDITY = row_schema("validity", 1, ValidityRow)


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of models and their standard errors by name; errors are not known of published ones."""

    name: str
    means: Mapping[str, float]
    errors: Mapping[str, float | None]


def validity(cells: Iterable[CellRow], figures: Iterable[Figure]) -> Iterator[ValidityRow]:
    """Yield the rows of ``VALIDITY`` from rows of CELLS and of published figures."""
    ours, published = list(_measured(cells)), list(_published(figures))
    convergent = (("convergent", *both) for both in combinations(ours, 2))
    divergent = (("divergent", *both) for both in product(ours, published))
    for criterion, first, second in chain(convergent, divergent):
        models = [model for model in first.means if model in second.means]
        if len(models) >= LEAST_MODELS:
            yield _row(criterion, first, second, models)


def _measured(cells: Iterable[CellRow]) -> Iterator[Scores]:
    by_question: dict[str, list[CellRow]] = {}
    for row in cells:
        leads = row["metric"] in FACTS[row["task_kind"]].metrics[:1]
        if leads and row["kind"] == "chat":
            shown = "" if row["presentation"] == ZERO_SHOT else row["presentation"]
            name = " · ".join(filter(None, (row["dataset"], row["task"], shown)))
            by_question.setdefault(name, []).append(row)
    for name, rows in by_question.items():
        means = {row["model"]: row["mean"] for row in rows if row["mean"] is not None}
        yield Scores(name, means, {row["model"]: row["error"] for row in rows})


def _published(figures: Iterable[Figure]) -> Iterator[Scores]:
    by_criterion: dict[str, dict[str, float]] = {}
    for row in figures:
        if (row["task"], row["dataset"]) in DIVERGENT and row["model"] and not row["second"]:
            name = f"{row['dataset']} ({row['paper']} {row['table']}, {row['metric']})"
            by_criterion.setdefault(name, {})[str(row["model"])] = float(row["mean"] or 0)
    for name, means in by_criterion.items():
        yield Scores(name, means, {})


def _row(criterion: str, first: Scores, second: Scores, models: list[str]) -> ValidityRow:
    from scipy.stats import spearmanr

    x, y = ([side.means[model] for model in models] for side in (first, second))
    is_flat = len({*x}) == 1 or len({*y}) == 1
    rho = None if is_flat else float(spearmanr(x, y).statistic)
    low, high = (None, None) if rho is None else _interval(rho, len(models))
    reliabilities = [reliability(side, models) for side in (first, second)]
    counted = [1.0 if known is None else known for known in reliabilities]
    is_known = rho is not None and min(counted) >= LEAST_RELIABLE
    return {
        "first": first.name,
        "second": second.name,
        "criterion": criterion,
        "models": len(models),
        "rho": rho,
        "rho_low": low,
        "rho_high": high,
        "reliability_first": reliabilities[0],
        "reliability_second": reliabilities[1],
        "disattenuated": rho / sqrt(counted[0] * counted[1]) if rho is not None and is_known else None,
    }


def reliability(scores: Scores, models: Iterable[str]) -> float | None:
    """Return the share of the variance over models that is not error, in [0, 1]; None where an error is not known."""
    listed = list(models)
    errors = [error for model in listed if (error := scores.errors.get(model)) is not None]
    spread = variance(scores.means[model] for model in listed)
    if len(errors) < len(listed):
        return None
    return max(0.0, 1 - fmean(error**2 for error in errors) / spread) if spread else 0.0


def _interval(rho: float, models: int) -> tuple[float | None, float | None]:
    """Bonett and Wright, "Sample Size Requirements for Estimating Pearson, Kendall and Spearman Correlations", 2000."""
    if models < LEAST_FOR_INTERVAL or abs(rho) == 1:
        return None, None
    half = 1.96 * sqrt((1 + rho**2 / 2) / (models - 3))
    return tanh(atanh(rho) - half), tanh(atanh(rho) + half)


def _of_experiment(given: Given) -> list[ValidityRow]:
    cells, figures = (given.frame(name).to_dicts() for name in ("cells", "figures"))
    return list(validity(cast("list[CellRow]", cells), figures))


TABLE = TableForm(
    "validity",
    "Do the tasks rank models alike?",
    "Rank correlation of the scores of dialogue models in two questions, or in a question and a published criterion "
    "that asks for something else.",
    (
        *columns.texts("first", "second", "criterion"),
        columns.count("models"),
        columns.interval("rho", "Rank correlation"),
        columns.share("reliability_first", "Reliability"),
        columns.share("reliability_second", "Reliability of the second"),
        columns.share("disattenuated", "Without error"),
    ),
    (
        f"From {LEAST_MODELS} models on; interval at 95 % (Fisher's transform) from {LEAST_FOR_INTERVAL} on.",
        "Models of one family are no independent draws.",
        "Reliability: share of the variance over models that is not error of their scores; – of published scores.",
        "Without error: correlation over the root of both reliabilities, where they are known; it may be above 1.",
        f"– where a reliability is below {LEAST_RELIABLE:g}.",
        "A divergent criterion that correlates as well shows that the ranks are no evidence of translating.",
    ),
    ("validity",),
    opens=nothing,
    nothing=f"No two questions have {LEAST_MODELS} dialogue models in common.",
)

ANALYSIS = Analysis(rows=(Rows(VALIDITY, _of_experiment),), tables=(TABLE,))
