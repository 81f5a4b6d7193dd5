"""Rows of the commands on formulas: ``parse``, ``compare`` and ``entails``, as JSON and in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, cast

from nlfol import logic
from nlfol.cli.lines import Line, LineError, id_of, text_of, usable
from nlfol.logic.boards import board, in_words, is_blocks_world
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.measuring import bound_variables, signature
from nlfol.logic.naming import valid_name
from nlfol.logic.syntax import Constant
from nlfol.mappings import JsonObject

if TYPE_CHECKING:
    from nlfol.logic.reading import TolerantReading
    from nlfol.logic.regular import Expression

_WRITERS: Mapping[str, Callable[[logic.Formula], str]] = {
    "unicode": logic.to_unicode,
    "latex": logic.to_latex,
    "tptp": logic.to_tptp,
    "smtlib": logic.to_smtlib,
}


class ReadingError(TypedDict):
    """The reason why a text is no formula, and where; null where it is no text."""

    message: str
    line: int | None
    column: int | None


class ReadingRow(TypedDict):
    """A row of ``parse``."""

    id: Any
    ok: bool
    formula: str | None
    dialect: str | None
    repairs: list[str]
    ambiguous: bool
    error: ReadingError | None
    ambiguities: NotRequired[list[dict[str, str]]]


class ComparisonRow(TypedDict):
    """A row of ``compare``; of regular expressions with ``word``, the shortest that only one of them has."""

    id: Any
    verdict: str
    relation: str | None
    stage: str | None
    counter_model: object
    word: NotRequired[str | None]
    seconds: float
    error: str | None
    notes: NotRequired[list[str]]


class EntailmentRow(TypedDict):
    """A row of ``entails``."""

    id: Any
    label: str
    inconsistent: bool | None
    seconds: float
    error: str | None
    notes: NotRequired[list[str]]


def parsed(record: Line, notation: str, propositions: bool) -> ReadingRow:
    """Return the row for a record ``{"id", "text"}``; with ``propositions``, names that stand alone are letters."""
    row: ReadingRow = {
        "id": id_of(record),
        "ok": False,
        "formula": None,
        "dialect": None,
        "repairs": [],
        "ambiguous": False,
        "error": None,
    }
    try:
        reading = logic.read_tolerantly(text_of(usable(record), "text"), propositions=propositions)
        formula = _WRITERS[notation](reading.formula)
    except (LineError, logic.LogicError) as error:
        row["error"] = _error(error)
        return row
    row |= {
        "ok": True,
        "formula": formula,
        "dialect": reading.dialect,
        "repairs": list(reading.repairs),
        "ambiguous": reading.ambiguous,
    }
    if reading.ambiguities:
        row["ambiguities"] = [{"kind": ambiguity.kind, "detail": ambiguity.detail} for ambiguity in reading.ambiguities]
    return row


def _error(error: LineError | logic.LogicError) -> ReadingError:
    if isinstance(error, logic.FormulaSyntaxError):
        return {"message": error.problem, "line": error.line, "column": error.column}
    return {"message": str(error), "line": None, "column": None}


@dataclass(frozen=True, slots=True)
class Judging:
    """Options of ``compare`` and ``entails``; ``budget`` is Z3's ``rlimit`` for each question."""

    budget: int = DEFAULT_BUDGET
    propositions: bool = False


def _comparison(record: Line, *more: str) -> ComparisonRow:
    """Return the row of what is not compared yet."""
    unknown = dict.fromkeys(("relation", "stage", "counter_model", *more))
    row = {"id": id_of(record), "verdict": logic.Outcome.INVALID.value, **unknown, "seconds": 0.0, "error": None}
    return cast("ComparisonRow", row)


def compared(record: Line, judging: Judging) -> ComparisonRow:
    """Return the row for ``{"id", "reference", "candidate"}``; ``notes`` list free names that became constants."""
    start = perf_counter()
    row = _comparison(record)
    try:
        first, second, notes = _pair(record, judging.propositions)
        if notes:
            row["notes"] = notes
        verdict = logic.equivalence(first, second, budget=judging.budget)
        row |= {"verdict": verdict.outcome.value, "stage": verdict.means, "error": verdict.reason}
        if verdict.outcome is logic.Outcome.NOT_EQUIVALENT:
            stands = logic.relation(first, second, budget=judging.budget)
            row |= {"relation": stands.kind.value, "error": None}
            counter_model = verdict.counter_model
            if counter_model is not None:  # where none is known, a search for the smallest would take long, and in vain
                counter_model = logic.tell_apart(first, second, budget=judging.budget) or counter_model
            row["counter_model"] = verdict.reason if counter_model is None else counter_model.as_data()
    except (LineError, logic.LogicError) as error:
        row["error"] = str(error)
    row["seconds"] = round(perf_counter() - start, 6)
    return row


def compared_regular(record: Line) -> ComparisonRow:
    """Return the row for a record ``{"id", "reference", "candidate"}`` of regular expressions."""
    from nlfol.logic import regular

    start = perf_counter()
    row = _comparison(record, "word")
    try:
        first, second = (_expression(record, key) for key in ("reference", "candidate"))
        verdict = regular.equivalence(first, second)
        row |= {"verdict": verdict.outcome.value, "stage": verdict.means, "word": verdict.word, "error": verdict.reason}
    except LineError as error:
        row["error"] = str(error)
    row["seconds"] = round(perf_counter() - start, 6)
    return row


def _expression(record: Line, key: str) -> Expression:
    from nlfol.logic import regular

    text = text_of(usable(record), key)
    try:
        return regular.read_tolerantly(text, regular.Dialect.FULL).expression
    except regular.RegularError as error:
        raise LineError(f"{key}: {error}") from error


def entailed(record: Line, judging: Judging) -> EntailmentRow:
    """Return the row for ``{"id", "premises", "conclusion"}``, ``unknown`` if unreadable; free names are constants."""
    start = perf_counter()
    row: EntailmentRow = {
        "id": id_of(record),
        "label": logic.Label.UNKNOWN.value,
        "inconsistent": None,
        "seconds": 0.0,
        "error": None,
    }
    try:
        readings = _premises(record, judging.propositions)
        conclusion = text_of(usable(record), "conclusion")
        readings["conclusion"] = _read("conclusion", conclusion, judging.propositions)
        names = tuple(readings)
        entailment, notes = _entailment(names, [reading.formula for reading in readings.values()], judging)
        if notes:
            row["notes"] = notes
        for variant in logic.variants(list(readings.values())):
            other, _ = _entailment(names, variant.formulas, judging)
            if (other.label, other.inconsistent) != (entailment.label, entailment.inconsistent):
                raise LineError(f"{names[variant.place]}: ambiguous: {variant.detail}")
        row |= {"label": entailment.label.value, "inconsistent": entailment.inconsistent}
    except (LineError, logic.LogicError) as error:
        row["error"] = str(error)
    row["seconds"] = round(perf_counter() - start, 6)
    return row


def _entailment(
    names: Sequence[str], formulas: Sequence[logic.Formula], judging: Judging
) -> tuple[logic.Entailment, list[str]]:
    """Return what premises entail of the last formula, with a note for each name taken for a constant."""
    read = dict(zip(names, formulas, strict=True))
    notes = _take_for_constants(read)
    *premises, conclusion = read.values()
    return logic.entails(premises, conclusion, budget=judging.budget), notes


def _pair(record: Line, propositions: bool) -> tuple[logic.Formula, logic.Formula, list[str]]:
    """Return reference and candidate, with a note for each name free in both, which is taken for a constant."""
    texts = {key: text_of(usable(record), key) for key in ("reference", "candidate")}
    read = {key: _read(key, text, propositions, decided=True).formula for key, text in texts.items()}
    notes = _take_for_constants(read, read["reference"].profile.free & read["candidate"].profile.free)
    return read["reference"], read["candidate"], notes


def _premises(record: Line, propositions: bool) -> dict[str, TolerantReading]:
    premises = usable(record).get("premises")
    if not isinstance(premises, list):
        raise LineError("'premises' must be a list of texts")
    numbered = {f"premises[{number}]": text for number, text in enumerate(premises)}
    return {name: _read(name, text_of({name: text}, name), propositions) for name, text in numbered.items()}


def _take_for_constants(formulas: dict[str, logic.Formula], only: frozenset[str] | None = None) -> list[str]:
    """Replace free names, or some of them, that no quantifier of any formula binds by constants; note each."""
    bound = {variable.name for formula in formulas.values() for variable in bound_variables(formula)}
    notes: list[str] = []
    for location, formula in formulas.items():
        free = formula.profile.free if only is None else formula.profile.free & only
        names = sorted(free - bound)
        for name in names:
            constant = valid_name(name, constant=True)
            formulas[location] = substituted(formulas[location], name, Constant(constant))
            notes.append(f"{location}: no quantifier binds {name}; taken for the constant {constant}")
    return notes


def _read(name: str, text: str, propositions: bool, *, decided: bool = False) -> TolerantReading:
    """Read a formula; ``decided`` if an ambiguous one is an error."""
    read = logic.read_decided if decided else logic.read_tolerantly
    try:
        return read(text, propositions=propositions)
    except logic.LogicError as error:
        raise LineError(f"{name}: {error}") from error


_LABELS = {
    "true": "true: the premises entail the conclusion",
    "false": "false: the premises entail the negation of the conclusion",
    "uncertain": "uncertain: the premises entail neither the conclusion nor its negation",
    "unknown": "unknown: not decided within the budget (--rlimit)",
}
_RELATIONS = {
    "stronger": "the candidate is stronger: it entails the reference",
    "weaker": "the candidate is weaker: the reference entails it",
    "contradictory": "the candidate contradicts the reference",
    "independent": "neither entails the other",
}


def shown_reading(record: JsonObject, row: ReadingRow) -> tuple[str, str]:
    """Return the formula, and notes on repairs and ambiguities."""
    if row["error"] is not None:
        return "", _marked(record["text"], row["error"])
    notes = [f"repaired: {repair}" for repair in row["repairs"]]
    notes += [f"ambiguous: {ambiguity['detail']}" for ambiguity in row.get("ambiguities", ())]
    return row["formula"] or "", "\n".join(notes)


def shown_comparison(record: JsonObject, row: ComparisonRow, *, propositions: bool) -> tuple[str, str]:
    """Return the verdict, the relation of the two and a counter-model; and an error, if any."""
    verdict = row["verdict"].replace("_", " ")
    if row["error"]:
        return verdict, f"error: {row['error']}"
    lines = [f"{verdict} (by {str(row['stage']).replace('_', ' ')})"]
    if row["relation"] in _RELATIONS:
        lines.append(_RELATIONS[row["relation"]])
    word = row.get("word")
    if word is not None:
        from nlfol.logic import regular

        reading = regular.read_tolerantly(record["reference"], regular.Dialect.FULL)
        where = "reference" if regular.matches(reading.expression, word) else "candidate"
        lines.append(f"the shortest word that only one of them has, the {where}: {word!r}")
    model = row["counter_model"]
    if isinstance(model, str):
        lines.append(f"counter-model: {model}")
    elif model is not None:
        structure = logic.Structure.from_json(json.dumps(model))
        lines.append(f"counter-model: {structure.describe()}")
        first, second, _ = _pair(dict(record), propositions)
        if is_blocks_world(signature(first, second)) and (blocks := board(structure)):
            lines.append(f"  board: {'; '.join(in_words(block.as_data()) for block in blocks)}")
        for key, formula in (("reference", first), ("candidate", second)):
            lines.append(f"  {key} is {str(logic.holds(formula, structure)).lower()}: {formula}")
    return "\n".join(lines), "\n".join(row.get("notes", ()))


def shown_entailment(_record: JsonObject, row: EntailmentRow) -> tuple[str, str]:
    """Return the label in words, and notes."""
    if row["error"]:
        return row["label"], f"error: {row['error']}"
    notes = list(row.get("notes", ()))
    if row["inconsistent"]:
        notes.append("the premises contradict one another, so they entail everything")
    return _LABELS[row["label"]], "\n".join(notes)


def _marked(text: str, error: ReadingError) -> str:
    """Return an error with its line of the input and a mark below its column."""
    message = f"error: {error['message']}"
    if error["line"] is None or error["column"] is None:
        return message
    line = text.split("\n")[error["line"] - 1]
    return f"{message}\n  {line}\n  {' ' * (error['column'] - 1)}^"
