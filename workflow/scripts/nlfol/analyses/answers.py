"""Answers to problems: by label and by depth."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.asked_problems import depths, items_of
from nlfol.statistics.classification import classification
from nlfol.store.problem_schemas import CLASSIFICATION, DEPTHS
from nlfol.tables import problems
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(CLASSIFICATION, lambda given: classification(given.loaded(), items_of(given.files["problem_items"]))),
        Rows(DEPTHS, lambda given: depths(given.series(), items_of(given.files["problem_items"]))),
    ),
    tables=(
        DrawnForm("question_answering", ("classification",), problems.question_answering),
        DrawnForm("question_answering_depths", ("classification",), problems.question_answering_depths),
        DrawnForm("depths", ("depths",), problems.depths),
    ),
)
