"""``nlfol parse``: texts to formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.cli.lines import LineError, text_of
from nlfol.logic import (
    Formula,
    FormulaSyntaxError,
    LogicError,
    read_tolerantly,
    to_latex,
    to_smtlib,
    to_tptp,
    to_unicode,
)

_WRITERS: Mapping[str, Callable[[Formula], str]] = {
    "unicode": to_unicode,
    "latex": to_latex,
    "tptp": to_tptp,
    "smtlib": to_smtlib,
}


@dataclass(frozen=True, slots=True)
class Parsing:
    """How to read and write.

    Attributes:
        notation: to write: ``unicode``, ``latex``, ``tptp`` or ``smtlib``.
        propositions: whether names that stand alone are propositional letters.
    """

    notation: str = "unicode"
    propositions: bool = False


def parsed(record: dict[str, Any] | LineError, parsing: Parsing) -> dict[str, Any]:
    """The row for one record ``{"id", "text"}``."""
    row: dict[str, Any] = {
        "id": None if isinstance(record, LineError) else record.get("id"),
        "ok": False,
        "formula": None,
        "dialect": None,
        "repairs": [],
        "ambiguous": False,
        "error": None,
    }
    try:
        if isinstance(record, LineError):
            raise record
        reading = read_tolerantly(text_of(record, "text"), propositions=parsing.propositions)
        formula = _WRITERS[parsing.notation](reading.formula)
    except (LineError, LogicError) as error:
        return row | {"error": _error(error)}
    row |= {
        "ok": True,
        "formula": formula,
        "dialect": reading.dialect,
        "repairs": list(reading.repairs),
        "ambiguous": reading.ambiguous,
    }
    if reading.ambiguities:
        row["ambiguities"] = [{"kind": each.kind, "detail": each.detail} for each in reading.ambiguities]
    return row


def _error(error: LineError | LogicError) -> dict[str, Any]:
    if isinstance(error, FormulaSyntaxError):
        return {"message": error.problem, "line": error.line, "column": error.column}
    return {"message": str(error), "line": None, "column": None}
