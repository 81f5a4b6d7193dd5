"""``nlfol solve``: programs for solvers, to answers with their traces."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypedDict

from nlfol.cli.lines import Line, LineError, id_of, text_of, usable
from nlfol.mappings import JsonObject
from nlfol.problems.programs import LANGUAGES, Outcome, Policy, SolverLanguage, traced
from nlfol.problems.programs.outcome import OptionsError


class _Repair(TypedDict):
    kind: str
    line: int | None
    detail: str


class _Error(TypedDict):
    kind: str
    line: int | None
    message: str | None


class SolvedRow(TypedDict):
    """A row of ``solve``; the keys of its trace depend on the language."""

    id: Any
    outcome: str | None
    answer: str | None
    trace: JsonObject
    repairs: list[_Repair]
    error: _Error | None


def solved(record: Line, policy: Policy) -> SolvedRow:
    """Return the row for ``{"id", "language", "program", "options", "examples"}``.

    The outcome of an unusable record is null. What its ``examples`` ask is no answer, nor what those of the policy ask.
    """
    row: SolvedRow = {"id": id_of(record), "outcome": None, "answer": None, "trace": {}, "repairs": [], "error": None}
    try:
        record = usable(record)
        policy = replace(policy, examples=(*policy.examples, *texts_of(record, "examples", "'Is Bob sad?'")))
        options = texts_of(record, "options", "'A) True'")
        execution = language_of(record).execute(text_of(record, "program"), options, policy)
    except (LineError, OptionsError) as error:
        row["error"] = {"kind": "unusable", "line": None, "message": str(error)}
        return row
    if execution.outcome is not Outcome.ANSWERED:
        kind = execution.failure or execution.outcome
        row["error"] = {"kind": kind.value, "line": execution.line, "message": execution.error}
    row |= {"outcome": execution.outcome.value, "answer": execution.answer, "trace": execution.trace}
    row["repairs"] = [
        {"kind": repair.kind.value, "line": repair.line, "detail": repair.detail} for repair in execution.repairs
    ]
    return row


def shown(row: SolvedRow) -> str:
    """Return an answer for people, with repairs and, for clauses, the derivation as a tree."""
    lines = [f"answer {row['answer'] or '-'}: {row['outcome']}"]
    if row["error"] is not None:
        lines.append(f"error: {row['error']['message']}")
    for repair in row["repairs"]:
        location = "" if repair["line"] is None else f"line {repair['line']}: "
        lines.append(f"repair: {location}{repair['detail']}")
    return "\n".join([*lines, *filter(None, [traced(row["trace"])])]) + "\n"


def language_of(record: JsonObject) -> SolverLanguage:
    """Return the language of a record's program; raises ``LineError`` if it is missing, or unknown."""
    name = text_of(record, "language")
    if name not in LANGUAGES:
        raise LineError(f"'language' is {name[:80]!r}; it must be one of {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


def texts_of(record: JsonObject, name: str, example: str) -> Sequence[str]:
    """Return the texts of a key of a record, if any; raises ``LineError`` if they are no list of texts."""
    texts = record.get(name)
    if texts is None:
        return ()
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise LineError(f"{name!r} must be a list of texts such as {example}")
    return texts
