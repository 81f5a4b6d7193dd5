"""How complex the formulas of a dataset are (the paper's appendix F)."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.store import analysis_schemas, files


def complexity(dataset: str, measures: Path) -> dict[str, Any]:
    """The row of ``analysis_schemas.COMPLEXITY`` for the usable triples of a dataset.

    Operators and quantifiers are counted as the language counts them, see ``Language.measures``; where it has no
    quantifiers, all about them is None. A formula is atomic where it has no operator and no quantifier.

    Raises:
        StoreError: if the file is missing or no MEASURES file.
    """
    rows = files.rows(measures, analysis_schemas.MEASURES)
    operators = [row["operators"] for row in rows]
    quantifiers = [row["quantifiers"] for row in rows if row["quantifiers"] is not None]

    def share(cases: list[bool]) -> float | None:
        return fmean(cases) if cases else None

    return {
        "dataset": dataset,
        "stories": len({row["story"] for row in rows}),
        "sentences": len(rows),
        "operators": fmean(operators) if operators else None,
        "quantifiers": fmean(quantifiers) if quantifiers else None,
        "atomic": share([not row["operators"] and not row["quantifiers"] for row in rows]),
        **{f"operators_{least}": share([count >= least for count in operators]) for least in (3, 4, 5)},
        **{f"quantifiers_{number}": share([count == number for count in quantifiers]) for number in (0, 1, 2)},
        "quantifiers_3": share([count >= 3 for count in quantifiers]),
    }
