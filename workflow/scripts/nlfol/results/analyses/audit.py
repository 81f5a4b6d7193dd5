"""Faults that an audit finds in candidate sets, by check; checks without a fault included."""

from nlfol.results.analyses.analysis import Analysis
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import TableForm


def _items(number: Number) -> Filter:
    asked: Filter = {"status": "usable"} if number.column == "sets" else {"check": number.row["check"]}
    return number.named("dataset", "task") | asked


TABLE = TableForm(
    "audit",
    "Audit of the candidate sets",
    "Candidate sets with a fault of each kind, and the faults found in them.",
    (
        *columns.texts("dataset", "task"),
        columns.count("sets"),
        columns.text("check"),
        columns.count("items", "Sets with it"),
        columns.count("pairs", "Pairs or members"),
    ),
    (
        "Decided from the formulas alone, whatever their certificates say; docs/auditing.md describes each check.",
        "distractor_negates_gold: a distractor that means ¬φ, in a set without a negation, where that is no fault.",
        "unknown: pairs that were not decided, which count as neither right nor wrong.",
    ),
    ("audits",),
    opens=_items,
)

ANALYSIS = Analysis(tables=(TABLE,))
