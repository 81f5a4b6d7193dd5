"""How complex the formulas of a dataset are (the paper's appendix F)."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_operators, count_quantifiers
from nlfol.store import files, schemas


def complexity(dataset: str, triples: Path) -> dict[str, Any]:
    """The row of ``schemas.COMPLEXITY`` for the usable triples of a dataset.

    Operators are ¬ ∧ ∨ ⊕ → ↔; a formula is atomic where it has no operator and no quantifier.

    Raises:
        StoreError: if the file is missing or no TRIPLES file.
    """
    rows = [row for row in files.rows(triples, schemas.TRIPLES) if row["status"] == "usable"]
    formulas = [LANGUAGES[row["language"]].parse(row["formula"]) for row in rows]
    operators = [count_operators(formula) for formula in formulas]
    quantifiers = [count_quantifiers(formula) for formula in formulas]

    def share(cases: list[bool]) -> float | None:
        return fmean(cases) if cases else None

    return {
        "dataset": dataset,
        "stories": len({row["story"] for row in rows}),
        "sentences": len(rows),
        "operators": fmean(operators) if operators else None,
        "quantifiers": fmean(quantifiers) if quantifiers else None,
        "atomic": share([o == q == 0 for o, q in zip(operators, quantifiers, strict=True)]),
        **{f"operators_{least}": share([count >= least for count in operators]) for least in (3, 4, 5)},
        **{f"quantifiers_{number}": share([count == number for count in quantifiers]) for number in (0, 1, 2)},
        "quantifiers_3": share([count >= 3 for count in quantifiers]),
    }
