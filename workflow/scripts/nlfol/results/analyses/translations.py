"""Scores of logical translation."""

from collections.abc import Iterator, Sequence

from nlfol.facts import AMBIGUOUS, BOARD_SIDE, EQUIVALENCE, ON_BOARDS, TRANSLATION, VERDICTS
from nlfol.results.analyses.analysis import Analysis
from nlfol.results.analyses.choices import LOST, blocks, remarks, scored
from nlfol.results.analyses.scores import DENOMINATOR, READ, SPREAD
from nlfol.results.statistics.summary import OPENED, REPAIRED
from nlfol.results.tables import columns
from nlfol.results.tables.opening import counted, opens
from nlfol.results.tables.table import Kind, Row, TableForm

_COUNTS = (
    "The counts from “equivalent” on are of answers (items × seeds): what the verdict on an answered one was, and why "
    "the others have none. Unknown: not decided within the budget; invalid: not a formula over the ontology. Both "
    "count as wrong. Repaired: answers that were read with a repair; the files of scores hold each with what it was "
    "read as. Ambiguous: unparsable answers whose readings differ in meaning."
)
_BOARDS = (
    "On boards: share of sentences whose translation is proven to be true on the same boards as the gold formula, of "
    f"all boards of {BOARD_SIDE} × {BOARD_SIDE} squares. The surplus over equivalence is wrong by logic alone."
)
_REFERENCE = "{models}: answers that are a reference, not a model's, such as formulas of who read the sentences again."
_NO_CHANCE = "Chance is below 10 to the power of -80, shown as 0: a text drawn uniformly is no formula."


def references(shown: Sequence[Row], *_: object) -> Iterator[str]:
    """Say which answers are a reference."""
    if models := dict.fromkeys(block["model"] for block in shown if block["kind"] == "answers"):
        yield _REFERENCE.format(models=", ".join(models))


TABLE = TableForm(
    "logical_translation",
    "Logical translation",
    "Share of sentences whose translation is logically equivalent to the gold formula.",
    (
        *columns.texts("dataset", "model", "task", "presentation"),
        columns.sample(),
        columns.asked("seeds"),
        columns.column(EQUIVALENCE, None, Kind.SCORE, lambda block: scored(block, TRANSLATION.kind, EQUIVALENCE)),
        columns.column(ON_BOARDS, None, Kind.SCORE, lambda block: scored(block, TRANSLATION.kind, ON_BOARDS)),
        *map(columns.asked, (*VERDICTS, *LOST, REPAIRED, AMBIGUOUS, OPENED)),
    ),
    (
        SPREAD,
        DENOMINATOR,
        _COUNTS,
        READ,
        lambda shown, *_: [_NO_CHANCE] if any(block["kind"] == "chance" for block in shown) else [],
        lambda shown, *_: [_BOARDS] if any((TRANSLATION.kind, ON_BOARDS) in block["cells"] for block in shown) else [],
        references,
        remarks,
    ),
    ("cells", "best"),
    lambda cells, best=frozenset(): blocks(cells, [TRANSLATION.kind], ("chat", "written", "answers"), best),
    lambda number: opens(
        number, metric=ON_BOARDS if number.column == ON_BOARDS else EQUIVALENCE, **counted(number.column)
    ),
)

ANALYSIS = Analysis(tables=(TABLE,))
