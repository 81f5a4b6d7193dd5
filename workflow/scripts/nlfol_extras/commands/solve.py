"""``nlfol solve``: programs for solvers, to answers with their traces."""

from collections.abc import Sequence
from dataclasses import replace

from nlfol.cli.lines import LineError, id_of, text_of, usable
from nlfol.mappings import JsonDict
from nlfol.problems.programs import LANGUAGES, Execution, Outcome, Policy, SolverLanguage, traced
from nlfol.problems.programs.outcome import OptionsError


def solved(record: JsonDict | LineError, policy: Policy) -> JsonDict:
    """Return the row for ``{"id", "language", "program", "options", "examples"}``.

    The outcome of an unusable record is null. What its ``examples`` ask is no answer, nor what those of the policy ask.
    """
    row: JsonDict = {
        "id": id_of(record),
        "outcome": None,
        "answer": None,
        "trace": {},
        "repairs": [],
        "error": None,
    }
    try:
        record = usable(record)
        policy = replace(policy, examples=(*policy.examples, *texts_of(record, "examples", "'Is Bob sad?'")))
        options = texts_of(record, "options", "'A) True'")
        execution = language_of(record).execute(text_of(record, "program"), options, policy)
    except (LineError, OptionsError) as error:
        return row | {"error": {"kind": "unusable", "line": None, "message": str(error)}}
    return row | _as_row(execution)


def shown(row: JsonDict) -> str:
    """Return an answer for people, with repairs and, for clauses, the derivation as a tree."""
    lines = [f"answer {row['answer'] or '-'}: {row['outcome']}"]
    if row["error"] is not None:
        lines.append(f"error: {row['error']['message']}")
    for repair in row["repairs"]:
        location = "" if repair["line"] is None else f"line {repair['line']}: "
        lines.append(f"repair: {location}{repair['detail']}")
    return "\n".join([*lines, *filter(None, [traced(row["trace"])])]) + "\n"


def language_of(record: JsonDict) -> SolverLanguage:
    """Return the language of a record's program; raises ``LineError`` if it is missing, or unknown."""
    name = text_of(record, "language")
    if name not in LANGUAGES:
        raise LineError(f"'language' is {name[:80]!r}; it must be one of {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


def texts_of(record: JsonDict, name: str, example: str) -> Sequence[str]:
    """Return the texts of a key of a record, if any; raises ``LineError`` if they are no list of texts."""
    texts = record.get(name)
    if texts is None:
        return ()
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise LineError(f"{name!r} must be a list of texts such as {example}")
    return texts


def _as_row(execution: Execution) -> JsonDict:
    error = None
    if execution.outcome is not Outcome.ANSWERED:
        kind = execution.failure or execution.outcome
        error = {"kind": kind.value, "line": execution.line, "message": execution.error}
    return {
        "outcome": execution.outcome.value,
        "answer": execution.answer,
        "trace": execution.trace,
        "repairs": [
            {"kind": repair.kind.value, "line": repair.line, "detail": repair.detail} for repair in execution.repairs
        ],
        "error": error,
    }
