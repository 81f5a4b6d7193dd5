"""How much a dataset repeats itself, and how much of what is wrong with an answer its items let an equivalence see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.statistics.clusters import ratio
from nlfol.store import analysis_schemas, files, schemas

Rows = Sequence[Mapping[str, Any]]


def diversity(dataset: str, triples: Path, measures: Path) -> dict[str, Any]:
    """The row of ``analysis_schemas.DIVERSITY`` for a dataset.

    A tree is a generated item's derivation tree without its vocabulary (∀uto∃∨∧L, arXiv 2410.08437, appendix M).

    Raises:
        StoreError: if a file is missing or of another schema, or the two are not of the same items.
    """
    rows = files.rows(triples, schemas.TRIPLES)
    usable = [row for row in rows if row["status"] == "usable"]
    measured = files.rows(measures, analysis_schemas.MEASURES)
    if [row["item"] for row in usable] != [row["item"] for row in measured]:
        raise files.StoreError(f"{measures}: of other items than {triples}; delete it and run again")
    operators = [row["operators"] for row in measured]
    return {
        "dataset": dataset,
        "items": len(usable),
        "refused": len(rows) - len(usable),
        "formulas": len({row["formula"] for row in usable}),
        **_trees(usable),
        "constant": sum(row["constant"] is True for row in measured),
        "constant_unknown": sum(row["constant"] is None for row in measured),
        **_sensitivity(measured),
        "operators": fmean(operators) if operators else None,
    }


def _trees(usable: Rows) -> dict[str, Any]:
    formulas: dict[str, set[str]] = {}
    for row in usable:
        if row["tree"] is not None:
            formulas.setdefault(row["tree"], set()).add(row["formula"])
    if not formulas:
        return dict.fromkeys(("trees", "trees_share", "sharing"))
    return {
        "trees": len(formulas),
        "trees_share": len(formulas) / len(usable),
        "sharing": sum(row["tree"] is not None and len(formulas[row["tree"]]) > 1 for row in usable),
    }


def _sensitivity(measured: Rows) -> dict[str, Any]:
    edits = [row["edits"] for row in measured]
    found = {"edits": sum(edits), "undecided": sum(row["undecided"] for row in measured)}
    if not found["edits"]:
        return found | dict.fromkeys(("sensitivity", "sensitivity_low", "sensitivity_high"))
    detected = ratio([row["detected"] for row in measured], edits, [row["story"] for row in measured])
    return found | {
        "sensitivity": detected.mean,
        "sensitivity_low": detected.low,
        "sensitivity_high": detected.high,
    }
