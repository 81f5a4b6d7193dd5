"""Agreement of a model's answers to two tasks: most similar against ranking (the paper's table 8)."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TypedDict

from nlfol.facts import ACCURACY, EQUIVALENCE, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.agreement import Agreement
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Pairing, row_schema


class _TaskAgreement(TypedDict):
    dataset: str
    protocol: str | None
    model: str
    presentation: str
    most_similar: str  # names of the two entries
    ranking: str
    items: int
    available: int  # that the dataset offers for both tasks


class TaskAgreementRow(_TaskAgreement, Pairing, Agreement):
    """One row a model, presentation and pair of a most similar and a ranking task of one protocol."""


TASK_AGREEMENTS = row_schema("task_agreements", 4, TaskAgreementRow)

_METRICS = (ACCURACY, EQUIVALENCE)
"""The metrics of the paper's table: that of ranking is not its leading one."""


def task_agreements(series: Iterable[Series]) -> Iterator[TaskAgreementRow]:
    """Yield the rows of ``TASK_AGREEMENTS``: items in both tasks, each under each of its common seeds."""
    for chosen, ranked in choices_and_orders(series):
        made = pairs(chosen, ranked, COMPARISONS["tasks"])
        yield {
            "dataset": chosen.source.dataset,
            "protocol": chosen.source.protocol,
            "model": chosen.source.model,
            "presentation": chosen.presentation,
            "most_similar": chosen.source.task,
            "ranking": ranked.source.task,
            "items": made.kept["item"].n_unique(),
            "available": min(chosen.source.available, ranked.source.available),
            **made.counts,
            **made.agreement,
        }


def choices_and_orders(series: Iterable[Series]) -> Iterator[tuple[Series, Series]]:
    """Yield the pairs of a model's answers to a most similar and a ranking task of one protocol, by ``_METRICS``."""
    candidates = (one for one in series if one.source.asked.has_candidates and one.metric in _METRICS)
    for of_model in grouped(candidates, "dataset", "protocol", "model", "presentation"):
        forms = (AnswerForm.CHOICE, AnswerForm.ORDER)
        yield from product(*([one for one in of_model if one.source.asked.form is form] for form in forms))


def _opens(number: Number) -> Filter:
    tasks = [number.row["most_similar"], number.row["ranking"]]
    return number.named("dataset", "model", "presentation") | {"task": tasks, "common": "task"}


ANALYSIS = Analysis(
    rows=(Rows(TASK_AGREEMENTS, lambda given: task_agreements(given.series())),),
    tables=(
        TableForm(
            "task_agreement",
            "Most similar against ranking",
            "How often a model solves both, one or neither of most similar (first) and ranking: equivalence (second).",
            (
                *columns.texts("dataset", "protocol", "model", "presentation", "most_similar", "ranking"),
                columns.sample(),
                *columns.AGREEMENT,
                *columns.pairing("most similar", "ranking"),
            ),
            (
                columns.AGREEMENT_NOTE,
                columns.PAIRING,
                COMPARISONS["tasks"].note,
                "Items that both tasks asked; those refused by one are left out.",
            ),
            ("task_agreements",),
            opens=_opens,
        ),
    ),
)
