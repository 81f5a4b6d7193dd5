"""Agreement of a model's answers to two tasks."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.task_agreement import task_agreements
from nlfol.store.analysis_schemas import TASK_AGREEMENTS
from nlfol.tables import comparisons
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(TASK_AGREEMENTS, lambda given: task_agreements(given.series())),),
    tables=(DrawnForm("task_agreement", ("task_agreements",), comparisons.task_agreement),),
)
