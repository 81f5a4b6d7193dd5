"""Round trips: scores by round, why chains end, and the effect of solved examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.contrasts import adjust, paired
from nlfol.statistics.series import TASK as OF_TASK
from nlfol.statistics.series import Series
from nlfol.statistics.stops import stops
from nlfol.statistics.summary import COMPARED
from nlfol.store.columns import TASK, contrast, schema, texts
from nlfol.store.round_trip_schemas import STOPS
from nlfol.tables import columns, round_trip
from nlfol.tables.forms import DrawnForm, TableForm

FEW_SHOT = schema("few_shot", 2, [*TASK, *texts("metric", "model"), *contrast("score", "score_zero_shot")])
"""One row a dataset, task, metric and model that was asked with solved examples and without."""

WITH, WITHOUT = "few_shot", "zero_shot"
"""The presentations that are compared."""


def few_shot(series: Iterable[Series]) -> list[dict[str, Any]]:
    """Return the rows of ``FEW_SHOT``, in the order of the series; their p-values are one family (figure 16).

    Args:
        series: the scores.
    """
    asked: dict[tuple[str, ...], dict[str, Series]] = {}
    for one in series:
        if one.source.kind in COMPARED and one.presentation in (WITH, WITHOUT):
            source = one.source
            asked.setdefault((source.dataset, source.task, one.metric, source.model), {})[one.presentation] = one
    rows = [
        {**shown[WITH].named(*OF_TASK, "model", "metric"), **found}
        for shown in asked.values()
        if len(shown) == 2 and (found := paired(shown[WITH], shown[WITHOUT], ("score", "score_zero_shot"))) is not None
    ]
    adjust(rows)
    return rows


FEW_SHOT_TABLE = TableForm(
    "few_shot",
    "With and without solved examples",
    "Mean scores on common items with solved examples in the prompt (few shot) and without (zero shot), and their "
    "difference with the interval at 95 % (clusters: stories).",
    (
        *columns.texts("dataset", "task", "metric", "model"),
        columns.sample(),
        columns.share("score", "Few shot"),
        columns.share("score_zero_shot", "Zero shot"),
        *columns.contrast(header="Few less zero shot"),
    ),
    (
        f"{columns.TEST} Adjusted: by Holm over all rows of this table.",
        "Bold: adjusted p below 0.05. Detectable: as in the table of differences.",
    ),
    ("few_shot",),
)

ANALYSIS = Analysis(
    rows=(
        Rows(STOPS, lambda given: stops(given.loaded())),
        Rows(FEW_SHOT, lambda given: few_shot(given.series())),
    ),
    tables=(
        DrawnForm("round_trip", ("cells", "bounded", "stops", "figures", "best"), round_trip.round_trip),
        FEW_SHOT_TABLE,
    ),
)
