"""Programs for problems and what became of them."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.asked_problems import items_of
from nlfol.statistics.solvers import solvers
from nlfol.store.problem_schemas import SOLVERS
from nlfol.tables import problems
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(SOLVERS, lambda given: solvers(given.loaded(), items_of(given.files["problem_items"]))),),
    tables=(DrawnForm("solvers", ("solvers",), problems.solvers),),
)
