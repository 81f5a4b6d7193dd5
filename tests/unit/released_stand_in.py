"""Stand-ins for the candidate sets that the authors of NL-FOL-LT released, which are not at hand."""

import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class FOLFormula:
    """In place of the published class."""

    def __init__(self, formula: str) -> None:
        self.formula, self.subformulas = formula, formula.split()


def stand_in_for_released(
    folder: Path,
    kind: str,
    sets: Mapping[int, Sequence[Sequence[str]]],
    english: Mapping[int, Sequence[Sequence[str]]],
    record: type[Any] = FOLFormula,
) -> Path:
    """Write sets of formulas and their English, by story, as the authors' code does."""
    folder.mkdir(exist_ok=True)
    formulas = {story: [[record(text) for text in members] for members in made] for story, made in sets.items()}
    for name, content in {"modifications": formulas, "translations": dict(english)}.items():
        (folder / f"list_{name}_{kind}_FOLIO.pkl").write_bytes(pickle.dumps(content))
    return folder
