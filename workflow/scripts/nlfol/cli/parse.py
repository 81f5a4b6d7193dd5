"""``nlfol parse``: texts to formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nlfol.cli.lines import LineError, text_of
from nlfol.logic import FormulaSyntaxError, LogicError, read_tolerantly, to_unicode


def parsed(records: Iterable[dict[str, Any] | LineError], *, propositions: bool) -> Iterator[dict[str, Any]]:
    """One row a record ``{"id", "text"}``.

    Args:
        records: the input.
        propositions: whether names that stand alone are propositional letters.
    """
    for record in records:
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
            reading = read_tolerantly(text_of(record, "text"), propositions=propositions)
            formula = to_unicode(reading.formula)
        except (LineError, LogicError) as error:
            row["error"] = _error(error)
        else:
            row |= {
                "ok": True,
                "formula": formula,
                "dialect": reading.dialect,
                "repairs": list(reading.repairs),
                "ambiguous": reading.ambiguous,
            }
            if reading.ambiguities:
                row["ambiguities"] = [{"kind": each.kind, "detail": each.detail} for each in reading.ambiguities]
        yield row


def _error(error: LineError | LogicError) -> dict[str, Any]:
    if isinstance(error, FormulaSyntaxError):
        return {"message": error.problem, "line": error.line, "column": error.column}
    return {"message": str(error), "line": None, "column": None}
