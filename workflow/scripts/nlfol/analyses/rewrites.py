"""Rewrites: proposed, kept and chosen, and their similarity."""

from __future__ import annotations

from pathlib import Path

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.rewrites import Diversified, rewrites, similarity
from nlfol.store.rewrite_schemas import REWRITES, SIMILARITY
from nlfol.tables import rewrites as tables
from nlfol.tables.forms import DrawnForm


def _diversified(given: Given) -> list[Diversified]:
    """Return the files of each diversified dataset."""
    found = []
    for name, said in given.settings["diversified"].items():
        wordings = {model: Path(path) for model, path in said["wordings"].items()}
        proposals, similarities = (Path(said[key]) if key in said else None for key in ("proposals", "similarities"))
        problems, audit = Path(said["problems"]), Path(said["audit"])
        found.append(Diversified(name, said["protocol"], problems, audit, proposals, similarities, wordings))
    return found


ANALYSIS = Analysis(
    rows=(
        Rows(REWRITES, lambda given: rewrites(_diversified(given))),
        Rows(SIMILARITY, lambda given: similarity(_diversified(given))),
    ),
    tables=(
        DrawnForm("rewrites", ("rewrites",), tables.rewrites),
        DrawnForm("similarity", ("similarity",), tables.similarity),
    ),
)
