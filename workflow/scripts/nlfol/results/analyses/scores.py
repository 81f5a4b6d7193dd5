"""Means of all scores, with their intervals and outcomes, and scores above chance."""

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.cells import cells
from nlfol.results.statistics.summary import OPENED, OUTCOMES
from nlfol.results.tables import columns
from nlfol.results.tables.opening import but, counted, opens
from nlfol.results.tables.table import TableForm
from nlfol.store.schemas import CELLS

INTERVAL = "the 95 % interval (Wilson, clustered by story)."
SPREAD = f"Mean ± sample standard deviation over seeds, with no deviation where there is one seed, and {INTERVAL}"
DENOMINATOR = (
    "Every mean is over the items asked: unparsable, truncated, empty, blank, refused and failed answers count as "
    "wrong, and so does an answer that could not be judged (internal error)."
)
READ = (
    "Opened: answers that were read out of another envelope than the agreed one, such as a code fence; the files of "
    "scores list the liberties taken with each."
)
_NAMES = ("dataset", "task", "protocol", "metric", "presentation", "model")


_CHANCE = (
    "Chance: a random answer; of models that can prove which candidates say the same (not embedding models, surface "
    "and medoid) the reasoner, where the experiment has it."
)

SCORES = TableForm(
    "scores",
    "Every score",
    "The mean of each task, metric and model, and what became of its answers.",
    (
        *columns.texts(*_NAMES),
        columns.sample(),
        columns.asked("seeds"),
        columns.score(),
        *map(columns.asked, (*OUTCOMES, OPENED)),
    ),
    (SPREAD, DENOMINATOR, READ),
    ("cells", "best"),
    columns.marked,
    lambda number: opens(number, **counted(number.column)),
)

ABOVE_CHANCE = TableForm(
    "above_chance",
    "Scores above chance",
    "Scores adjusted for chance, that is, for the sizes of candidate sets: 0 is a guesser, 1 everything right.",
    (
        *columns.texts(*_NAMES),
        columns.sample(),
        columns.score(),
        columns.share("chance"),
        columns.interval("above", "Above chance"),
    ),
    (
        "Above chance: (score - chance) / (1 - chance), with the chance of the items asked.",
        _CHANCE,
        "Intervals at 95 % (clusters: stories), to which the p against chance in the table of claims belongs.",
        "Tasks where a random answer is never right, or of which the experiment has no chance, are left out.",
        columns.ASKED,
    ),
    ("cells",),
    lambda cells: cells.filter(pl.col("above").is_not_null()).to_dicts(),
    but("chance"),
)

ANALYSIS = Analysis(
    rows=(Rows(CELLS, lambda given: cells(given.files["scores"], given.files.get("evidence", ()))),),
    tables=(SCORES, ABOVE_CHANCE),
)
