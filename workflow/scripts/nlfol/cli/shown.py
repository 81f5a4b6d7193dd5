"""Answers on single formulas, in words: what goes to standard output, and the notes for standard error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nlfol import regular
from nlfol.logic import Structure, holds, read_tolerantly

Row = Mapping[str, Any]

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


def shown_reading(record: Row, row: Row) -> tuple[str, str]:
    """The formula; and how it was read, if not as it stands."""
    if row["error"] is not None:
        return "", _marked(record["text"], row["error"])
    notes = [f"repaired: {repair}" for repair in row["repairs"]]
    notes += [f"ambiguous: {each['detail']}" for each in row.get("ambiguities", ())]
    return row["formula"], "\n".join(notes)


def shown_comparison(record: Row, row: Row, *, propositions: bool) -> tuple[str, str]:
    """The verdict, how the two stand to each other, and what tells them apart."""
    verdict = row["verdict"].replace("_", " ")
    if row["error"]:
        return verdict, f"error: {row['error']}"
    lines = [f"{verdict} (by {row['stage'].replace('_', ' ')})"]
    if row["relation"] in _RELATIONS:
        lines.append(_RELATIONS[row["relation"]])
    if row.get("word") is not None:
        reading = regular.read_tolerantly(record["reference"], regular.Dialect.FULL)
        where = "reference" if regular.matches(reading.expression, row["word"]) else "candidate"
        lines.append(f"the shortest word that only one of them has, the {where}: {row['word']!r}")
    model = row["counter_model"]
    if isinstance(model, str):
        lines.append(f"counter-model: {model}")
    elif model is not None:
        structure = Structure.from_json(json.dumps(model))
        lines.append(f"counter-model: {structure.describe()}")
        for key in ("reference", "candidate"):
            formula = read_tolerantly(record[key], propositions=propositions).formula
            lines.append(f"  {key} is {str(holds(formula, structure)).lower()}: {formula}")
    return "\n".join(lines), ""


def shown_entailment(_record: Row, row: Row) -> tuple[str, str]:
    """The label in words; and what was taken for a constant."""
    if row["error"]:
        return row["label"], f"error: {row['error']}"
    notes = list(row.get("notes", ()))
    if row["inconsistent"]:
        notes.append("the premises contradict one another, so they entail everything")
    return _LABELS[row["label"]], "\n".join(notes)


def _marked(text: str, error: Row) -> str:
    """An error with the line that it is about, and its column marked."""
    said = f"error: {error['message']}"
    if error["column"] is None:
        return said
    line = text.split("\n")[error["line"] - 1]
    return f"{said}\n  {line}\n  {' ' * (error['column'] - 1)}^"
