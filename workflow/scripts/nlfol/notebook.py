"""Names for notebooks: formulas as models write them, comparisons that show themselves, boards, results of a run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from nlfol.installed import needed_by
from nlfol.logic import (
    Formula,
    Outcome,
    RelationKind,
    Signature,
    Structure,
    Verdict,
    equivalence,
    read_decided,
    relation,
    tell_apart,
)
from nlfol.logic import parse as read_strictly

if TYPE_CHECKING:
    import polars as pl

    from nlfol.logic.distance import Distance


@dataclass(frozen=True, slots=True)
class Board:
    """A structure as blocks on a board; shown as SVG."""

    structure: Structure
    drawing: str

    def _repr_svg_(self) -> str:
        return self.drawing

    def __repr__(self) -> str:
        return f"Board({self.structure.describe()})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of a candidate with a reference; shown with a counter-model, and its board if it is a blocks world."""

    reference: Formula
    candidate: Formula
    verdict: Verdict
    relation: RelationKind | None

    @property
    def counter_model(self) -> Structure | None:
        """A structure in which exactly one of the two is true."""
        return self.verdict.counter_model

    def _repr_html_(self) -> str:
        formulas = "".join(
            f"<tr><td>{role}</td><td>{formula._repr_latex_()}</td></tr>"
            for role, formula in (("reference", self.reference), ("candidate", self.candidate))
        )
        remark = "" if self.relation is None else f"<p>the candidate is <b>{escape(self.relation)}</b></p>"
        drawing = ""
        if self.counter_model is not None:
            with suppress(ValueError):  # nothing that a board can show: the sets stand alone
                drawing = board(self.counter_model).drawing
        return f"<table>{formulas}</table>{self.verdict._repr_html_()}{remark}{drawing}"


def parse(
    text: str, *, strict: bool = False, signature: Signature | None = None, propositions: bool = False
) -> Formula:
    """Read a formula as models write it, like the command; with ``strict`` in nlfol's own notation alone.

    Raises ``FormulaSyntaxError`` if the text cannot be read, ``AmbiguousFormulaError`` (one of these) if its readings
    differ in meaning, or with ``strict`` ``SignatureError``, too.
    """
    if strict:
        return read_strictly(text, signature=signature, propositions=propositions)
    return read_decided(text, signature=signature, propositions=propositions).formula


def compare(reference: Formula | str, candidate: Formula | str) -> Comparison:
    """Compare two formulas, or texts as models write them; raises ``LogicError`` if a text cannot be read."""
    first, second = (parse(side) if isinstance(side, str) else side for side in (reference, candidate))
    verdict = equivalence(first, second)
    if verdict.counter_model is not None:
        counter_model = tell_apart(first, second) or verdict.counter_model
        verdict = Verdict(verdict.outcome, verdict.means, counter_model, verdict.reason)
    kind = relation(first, second).kind if verdict.outcome is Outcome.NOT_EQUIVALENT else None
    return Comparison(first, second, verdict, kind)


def distance(gold: Formula | str, answer: Formula | str, *, within: int = 2) -> Distance:
    """Return the fewest typed edits from a gold formula to an answer, with ``edits``, ``path`` and a ``credit``.

    Formulas are closed; texts are read as models write them. Up to three edits are searched for, as ``within`` says.
    Raises ``LogicError`` if a text cannot be read.
    """
    from nlfol.logic import distance as module

    first, second = (parse(side) if isinstance(side, str) else side for side in (gold, answer))
    return module.distance(first, second, within=within)


def board(structure: Structure) -> Board:
    """Draw a structure as blocks on a board; raises ``ValueError`` if it is no blocks world, or no board."""
    from nlfol.logic.boards import MAX_BLOCKS
    from nlfol.logic.boards import board as blocks_of
    from nlfol.report.boards import svg

    blocks = blocks_of(structure)
    if blocks is None:
        raise ValueError(f"no board with up to {MAX_BLOCKS} blocks shows just this: {structure.describe()}")
    return Board(structure, svg(blocks))


def read_results(folder: Path | str = "results", name: str = "cells") -> pl.DataFrame:
    """Return results of a run as a table of Polars; raises ``FileNotFoundError`` with the names that there are.

    ``name`` is ``cells`` (a score with its interval a row) or another of ``tables/*.arrow``; a stage with a file for
    each dataset, task and model: ``scores`` (a judged answer a row, with its evidence), ``responses`` or ``items``; or
    a finished table such as ``dialogue``.
    """
    with needed_by("nlfol.read_results"):
        import polars as pl

    root = Path(folder)
    table = root / "tables" / f"{name}.arrow"
    paths = [table] if table.is_file() else sorted((root / name).rglob("*.arrow"))
    frames = [pl.read_ipc(path) for path in paths]
    if name == "scores":
        from nlfol.store.evidence import with_evidence

        explained = [root / "evidence" / path.relative_to(root / name).parent.with_suffix(".arrow") for path in paths]
        frames = [
            with_evidence(frame, evidence if evidence.is_file() else None) if "pair" in frame.columns else frame
            for frame, evidence in zip(frames, explained, strict=True)
        ]
    if frames:
        return pl.concat(frames, how="diagonal_relaxed")
    if (finished := root / "tables" / f"{name}.csv").is_file():
        return pl.read_csv(finished, infer_schema_length=None)
    there = {path.stem for path in (root / "tables").glob("*.*")} | {path.name for path in root.glob("*/")}
    known = get_close_matches(name, there, n=5, cutoff=0.5) or sorted(there) or ["nothing"]
    raise FileNotFoundError(f"{folder}: no results called {name!r}; there is {', '.join(known)}")
