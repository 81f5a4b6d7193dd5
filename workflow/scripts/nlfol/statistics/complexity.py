"""How complex the formulas of a dataset are (the paper's appendix F)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.store import analysis_schemas, files

_CONNECTIVES = ("negations", "conjunctions", "disjunctions", "exclusive_disjunctions", "implications", "equivalences")
_QUANTIFIERS = ("universal", "existential")


def complexity(dataset: str, measures: Path) -> dict[str, Any]:
    """The row of ``analysis_schemas.COMPLEXITY`` for the usable triples of a dataset.

    Operators and quantifiers are counted as the language counts them, see ``Language.measures``; where it has no
    quantifiers, all about them is None. A formula is atomic where it has no operator and no quantifier. Kinds are the
    paper's count: of a formula with three ∧ and a ∀ they are two.

    Raises:
        StoreError: if the file is missing or no MEASURES file.
    """
    rows = files.rows(measures, analysis_schemas.MEASURES)
    operators = [row["operators"] for row in rows]
    quantifiers = [row["quantifiers"] for row in rows if row["quantifiers"] is not None]

    kinds = [_kinds(row, (*_CONNECTIVES, *_QUANTIFIERS)) for row in rows if row["negations"] is not None]
    bound = [_kinds(row, _QUANTIFIERS) for row in rows if row["quantifiers"] is not None]

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
        "kinds": fmean(kinds) if kinds else None,
        **{f"kinds_{least}": share([count >= least for count in kinds]) for least in (3, 4, 5)},
        **{f"quantifier_kinds_{number}": share([count == number for count in bound]) for number in (1, 2)},
    }


def _kinds(row: Mapping[str, float | None], names: Sequence[str]) -> int:
    return sum(1 for name in names if row[name])
