"""``nlfol compare``: how a candidate stands to a reference. ``nlfol entails``: what follows from premises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from nlfol import regular
from nlfol.cli.lines import LineError, text_of
from nlfol.logic import Formula, Label, LogicError, Outcome, entails, equivalence, read_tolerantly, relation
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.measuring import bound_variables, free_variables
from nlfol.logic.naming import valid_name
from nlfol.logic.syntax import Constant


@dataclass(frozen=True, slots=True)
class Judging:
    """How to judge.

    Attributes:
        engines: further engines, by name.
        budget: Z3's ``rlimit`` for each question.
        propositions: whether names that stand alone are propositional letters.
    """

    engines: tuple[str, ...] = ()
    budget: int = DEFAULT_BUDGET
    propositions: bool = False


def compared(record: dict[str, Any] | LineError, judging: Judging) -> dict[str, Any]:
    """The row for one record ``{"id", "reference", "candidate"}``."""
    start = perf_counter()
    row: dict[str, Any] = {
        "id": None if isinstance(record, LineError) else record.get("id"),
        "verdict": Outcome.INVALID.value,
        "relation": None,
        "stage": None,
        "counter_model": None,
        "seconds": 0.0,
        "error": None,
    }
    try:
        first, second = (_formula(record, key, judging.propositions) for key in ("reference", "candidate"))
        verdict = equivalence(first, second, budget=judging.budget, engines=judging.engines)
        row |= {"verdict": verdict.outcome.value, "stage": verdict.means, "error": verdict.reason}
        if verdict.outcome is Outcome.NOT_EQUIVALENT:
            stands = relation(first, second, budget=judging.budget, engines=judging.engines)
            row |= {"relation": stands.kind.value, "error": None}
            if verdict.counter_model is not None:
                row["counter_model"] = verdict.counter_model.as_data()
            else:
                row["counter_model"] = verdict.reason
    except (LineError, LogicError) as error:
        row["error"] = str(error)
    return row | {"seconds": round(perf_counter() - start, 6)}


def compared_regular(record: dict[str, Any] | LineError) -> dict[str, Any]:
    """The row for one record ``{"id", "reference", "candidate"}`` of regular expressions."""
    start = perf_counter()
    row: dict[str, Any] = {
        "id": None if isinstance(record, LineError) else record.get("id"),
        "verdict": Outcome.INVALID.value,
        "relation": None,
        "stage": None,
        "counter_model": None,
        "word": None,
        "seconds": 0.0,
        "error": None,
    }
    try:
        first, second = (_expression(record, key) for key in ("reference", "candidate"))
        verdict = regular.equivalence(first, second)
        row |= {
            "verdict": verdict.outcome.value,
            "stage": verdict.means,
            "word": verdict.word,
            "error": verdict.reason,
        }
    except LineError as error:
        row["error"] = str(error)
    return row | {"seconds": round(perf_counter() - start, 6)}


def _expression(record: dict[str, Any] | LineError, key: str) -> regular.Expression:
    if isinstance(record, LineError):
        raise record
    text = text_of(record, key)
    try:
        return regular.read_tolerantly(text, regular.Dialect.FULL).expression
    except regular.RegularError as error:
        raise LineError(f"{key}: {error}") from error


def entailed(record: dict[str, Any] | LineError, judging: Judging) -> dict[str, Any]:
    """The row for one record ``{"id", "premises", "conclusion"}``; what cannot be read is ``unknown`` with an error.

    A free name that no quantifier of the problem binds is taken for a constant, and ``notes`` of the row say so.
    """
    start = perf_counter()
    row: dict[str, Any] = {
        "id": None if isinstance(record, LineError) else record.get("id"),
        "label": Label.UNKNOWN.value,
        "inconsistent": False,
        "seconds": 0.0,
        "error": None,
    }
    try:
        read = _premises(record, judging.propositions)
        read["conclusion"] = _formula(record, "conclusion", judging.propositions)
        notes = _take_for_constants(read)
        if notes:
            row["notes"] = notes
        *premises, conclusion = read.values()
        found = entails(premises, conclusion, budget=judging.budget, engines=judging.engines)
        row |= {"label": found.label.value, "inconsistent": found.inconsistent}
    except (LineError, LogicError) as error:
        row["error"] = str(error)
    return row | {"seconds": round(perf_counter() - start, 6)}


def _formula(record: dict[str, Any] | LineError, key: str, propositions: bool) -> Formula:
    if isinstance(record, LineError):
        raise record
    return _read(key, text_of(record, key), propositions)


def _premises(record: dict[str, Any] | LineError, propositions: bool) -> dict[str, Formula]:
    if isinstance(record, LineError):
        raise record
    premises = record.get("premises")
    if not isinstance(premises, list):
        raise LineError("'premises' must be a list of texts")
    numbered: Mapping[str, Any] = {f"premises[{number}]": text for number, text in enumerate(premises)}
    return {name: _read(name, text_of({name: text}, name), propositions) for name, text in numbered.items()}


def _take_for_constants(formulas: dict[str, Formula]) -> list[str]:
    """Give each free name a constant that no quantifier of any of the formulas binds; what was done, by formula."""
    bound = {variable.name for formula in formulas.values() for variable in bound_variables(formula)}
    notes: list[str] = []
    for place, formula in formulas.items():
        names = sorted({variable.name for variable in free_variables(formula)} - bound)
        for name in names:
            constant = valid_name(name, constant=True)
            formulas[place] = substituted(formulas[place], name, Constant(constant))
            notes.append(f"{place}: no quantifier binds {name}; taken for the constant {constant}")
    return notes


def _read(name: str, text: str, propositions: bool) -> Formula:
    try:
        return read_tolerantly(text, propositions=propositions).formula
    except LogicError as error:
        raise LineError(f"{name}: {error}") from error
