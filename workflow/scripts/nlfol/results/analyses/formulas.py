"""Formulas of the datasets: their complexity, and gold formulas that patches correct."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TypedDict, cast

import polars as pl

from nlfol.logic.measuring import free_variables
from nlfol.logic.reading.strict import parse
from nlfol.logic.relations import relation
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.tables import columns
from nlfol.results.tables.opening import of_complexity
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store import files
from nlfol.store.columns import row_schema
from nlfol.store.schemas import MEASURES, TripleRow

_CONNECTIVES = ("negations", "conjunctions", "disjunctions", "exclusive_disjunctions", "implications", "equivalences")
_QUANTIFIERS = ("universal", "existential")


class ComplexityRow(TypedDict):
    """One row a dataset, over its usable sentences."""

    dataset: str
    stories: int
    sentences: int
    # Means and shares of formulas, null without one: operators and quantifiers of a formula; without either; with
    # at least so many operators; with exactly so many quantifiers (three: or more).
    operators: float | None
    quantifiers: float | None
    atomic: float | None
    operators_3: float | None
    operators_4: float | None
    operators_5: float | None
    quantifiers_0: float | None
    quantifiers_1: float | None
    quantifiers_2: float | None
    quantifiers_3: float | None
    # As the paper counts: distinct kinds of ¬ ∧ ∨ ⊕ → ↔ ∀ ∃, their mean, shares with at least so many, and with
    # one or both kinds of quantifiers; null if the language has none of them.
    kinds: float | None
    kinds_3: float | None
    kinds_4: float | None
    kinds_5: float | None
    quantifier_kinds_1: float | None
    quantifier_kinds_2: float | None


COMPLEXITY = row_schema("complexity", 2, ComplexityRow)


class _Relation(TypedDict):
    relation: str | None
    difference: str | None


class CorrectionRow(TypedDict):
    """One row a sentence whose gold formula a patch corrects."""

    dataset: str
    item: str
    kinds: str  # see data.patches.PatchKind
    published: str | None  # canonical notation; null if unreadable
    corrected: str
    # Relation of the corrected formula to the published one, and the smallest structure that shows it, null if that is
    # open or unread; the reason for which the sentence would be refused as published; and for which it is all the same.
    relation: str | None
    difference: str | None
    regained: str | None
    refused: str | None
    reason: str
    evidence: str


CORRECTIONS = row_schema("corrections", 2, CorrectionRow)


def complexity(dataset: str, measures: Path) -> ComplexityRow:
    """Return the row of ``COMPLEXITY`` for a dataset's triples (NL-FOL-LT, appendix F); ∧∧∧ and ∀ are two kinds."""
    rows = files.rows(measures, MEASURES)
    operators = [row["operators"] for row in rows]
    quantifiers = [row["quantifiers"] for row in rows if row["quantifiers"] is not None]
    kinds = [_kinds(row, (*_CONNECTIVES, *_QUANTIFIERS)) for row in rows if row["negations"] is not None]
    bound = [_kinds(row, _QUANTIFIERS) for row in rows if row["quantifiers"] is not None]

    def mean(values: Sequence[float]) -> float | None:
        return fmean(values) if values else None

    row = {
        "dataset": dataset,
        "stories": len({row["story"] for row in rows}),
        "sentences": len(rows),
        "operators": mean(operators),
        "quantifiers": mean(quantifiers),
        "atomic": mean([not row["operators"] and not row["quantifiers"] for row in rows]),
        **{f"operators_{least}": mean([count >= least for count in operators]) for least in (3, 4, 5)},
        **{f"quantifiers_{number}": mean([count == number for count in quantifiers]) for number in (0, 1, 2)},
        "quantifiers_3": mean([count >= 3 for count in quantifiers]),
        "kinds": mean(kinds),
        **{f"kinds_{least}": mean([count >= least for count in kinds]) for least in (3, 4, 5)},
        **{f"quantifier_kinds_{number}": mean([count == number for count in bound]) for number in (1, 2)},
    }
    return cast("ComplexityRow", row)


def _kinds(row: Mapping[str, float | None], names: Sequence[str]) -> int:
    return sum(1 for name in names if row[name])


def corrections(dataset: str, triples: Path) -> list[CorrectionRow]:
    """Return the rows of ``CORRECTIONS`` for one dataset, in its order."""
    return [
        {
            "dataset": dataset,
            "item": row["item"],
            "kinds": ", ".join(correction["kinds"]),
            "published": correction["published"],
            "corrected": formula,
            **_relation(correction["published"], formula),
            "regained": row["regained"],
            "refused": row["reason"],
            "reason": correction["reason"],
            "evidence": correction["evidence"],
        }
        for row in files.rows(triples, TripleRow)
        if (correction := row["correction"]) is not None and (formula := row["formula"]) is not None
    ]


def _relation(published: str | None, corrected: str) -> _Relation:
    unread: _Relation = {"relation": None, "difference": None}
    if published is None or free_variables(first := parse(published)):
        return unread
    second = parse(corrected)
    related = relation(first, second)
    difference = None
    for only, finding in (("published", related.forward), ("corrected", related.backward)):
        if (model := finding.model) is not None:
            difference = f"only the {only} formula is true with {model.describe()}"
            break
    return {"relation": related.kind.value, "difference": difference}


COMPLEXITY_TABLE = TableForm(
    "complexity",
    "Complexity of the formulas",
    "Mean numbers of operators (¬ ∧ ∨ ⊕ → ↔) and quantifiers of a gold formula, and shares of formulas.",
    (
        columns.text("dataset"),
        *columns.counts("stories", "sentences"),
        *map(columns.share, ("operators", "quantifiers", "atomic")),
        columns.share("operators_3", "≥ 3 operators"),
        columns.share("operators_4", "≥ 4"),
        columns.share("operators_5", "≥ 5"),
        columns.share("quantifiers_0", "0 quantifiers"),
        columns.share("quantifiers_1", "1"),
        columns.share("quantifiers_2", "2"),
        columns.share("quantifiers_3", "≥ 3"),
        columns.share("kinds"),
        columns.share("kinds_3", "≥ 3 kinds"),
        columns.share("kinds_4", "≥ 4"),
        columns.share("kinds_5", "≥ 5"),
        columns.share("quantifier_kinds_1", "∀ or ∃"),
        columns.share("quantifier_kinds_2", "∀ and ∃"),
    ),
    (
        "Atomic: without operator and quantifier. Over the usable sentences of each dataset.",
        "Kinds: distinct kinds of operators and quantifiers of a formula, as the paper counts.",
        "The paper's shares of atomic formulas and of quantifiers fit no count exactly.",
    ),
    ("complexity",),
    opens=of_complexity,
)


def _counted(_: object, rows: pl.DataFrame) -> Iterator[str]:
    for (dataset,), of_dataset in rows.group_by("dataset", maintain_order=True):
        exploded = of_dataset["kinds"].str.split(", ").explode()
        kinds = exploded.value_counts(parallel=False).sort("count", "kinds", descending=[True, False])
        listed = ", ".join(f"{kind} {count}" for kind, count in kinds.iter_rows())
        regained = of_dataset["regained"].count()
        yield f"{dataset}: {of_dataset.height} corrected ({listed}); {regained} of them would be refused as published."


CORRECTIONS_TABLE = TableForm(
    "corrections",
    "Corrected gold formulas",
    "Gold formulas that a reviewed patch corrects, with what was wrong.",
    (
        *columns.texts("dataset", "item", "kinds"),
        columns.column("published", None, Kind.PROSE),
        columns.column("corrected", None, Kind.PROSE),
        columns.text("relation"),
        columns.column("difference", None, Kind.PROSE),
        *columns.texts("regained", "refused"),
        columns.column("reason", None, Kind.PROSE),
    ),
    (
        _counted,
        "Published: –, where it could not be read. Relation: of the corrected formula to the published one.",
        "Difference: the smallest structure that shows the relation.",
        "Regained: why the sentence would be refused, as published. Refused: why it is refused all the same.",
    ),
    ("corrections",),
    nothing="No gold formula is corrected.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(
            COMPLEXITY, lambda given: given.of_datasets("measures", lambda dataset, path: [complexity(dataset, path)])
        ),
        Rows(CORRECTIONS, lambda given: given.of_datasets("triples", corrections)),
    ),
    tables=(COMPLEXITY_TABLE, CORRECTIONS_TABLE),
)
