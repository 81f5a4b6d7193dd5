"""The result of a program: its outcome, its answer and how both came about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypedDict

from nlfol.mappings import JsonObject

MAX_PRINTED = 500
"""Lines of a printed tree."""

MAX_INDENT = 40
"""Levels of a printed tree that are indented further than those before."""


class Outcome(StrEnum):
    """The result of reading and executing a program."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    UNPARSABLE = "unparsable"
    FAILED = "failed"


class Failure(StrEnum):
    """Reasons why a program that was read was not executed to an end, or gives one answer in no reading alone."""

    UNDEFINED_SYMBOL = "undefined_symbol"
    ARITY = "arity"
    OPEN = "open"
    CONTRADICTORY = "contradictory"
    AMBIGUOUS = "ambiguous"
    BUDGET = "budget"


class RepairKind(StrEnum):
    """The liberties that a reader takes.

    ``fence``, ``heading``, ``section`` (one is missing, repeated or ignored) and ``numbering`` are about the text as a
    whole; ``misplaced`` is a rule among facts or a fact among rules. ``truth_value`` (none, or in other letters),
    ``placeholder`` (``bool`` or ``unknown`` in a query), ``negation``, ``name``, ``connective`` and ``variable`` are
    about the notation of a line. ``open_fact`` is a fact with a variable, left out; ``query`` is the first of several.
    ``free_variable`` is about formulas; ``formula`` and ``ambiguity`` come from their tolerant reader.

    What strict reading never forgives is the form of the whole: ``markup`` (emphasis, code spans, mathematics),
    ``gloss`` (behind another sign than ``:::``), ``synonym`` (a heading of another language), ``separator`` (a rule of
    dashes, a heading ``Problem``, and another problem behind it), ``json`` (sections as keys), ``block`` (programs
    besides the first).
    """

    FENCE = "fence"
    HEADING = "heading"
    SECTION = "section"
    NUMBERING = "numbering"
    MISPLACED = "misplaced"
    TRUTH_VALUE = "truth_value"
    PLACEHOLDER = "placeholder"
    NEGATION = "negation"
    NAME = "name"
    CONNECTIVE = "connective"
    VARIABLE = "variable"
    OPEN_FACT = "open_fact"
    FREE_VARIABLE = "free_variable"
    FORMULA = "formula"
    AMBIGUITY = "ambiguity"
    QUERY = "query"
    MARKUP = "markup"
    GLOSS = "gloss"
    SYNONYM = "synonym"
    SEPARATOR = "separator"
    JSON = "json"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Repair:
    """A liberty that a reader took; ``line`` is that of the program, from 1, or None for the whole."""

    kind: RepairKind
    line: int | None
    detail: str

    def __str__(self) -> str:
        return self.detail if self.line is None else f"line {self.line}: {self.detail}"


class ProgramError(ValueError):
    """A text that is no program of its language.

    ``reason`` leaves out the line of the program, from 1, which is None if the whole is wrong; ``repairs`` are the
    liberties taken before.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        self.repairs: tuple[Repair, ...] = ()
        super().__init__(reason if line is None else f"line {line}: {reason}")


class ExecutionError(ValueError):
    """A program that was read, and cannot be executed to an end; ``trace`` is what was found until then."""

    def __init__(self, kind: Failure, reason: str, *, line: int | None = None, trace: JsonObject | None = None) -> None:
        self.kind = kind
        self.line = line
        self.trace: JsonObject = trace or {}
        super().__init__(reason if line is None else f"line {line}: {reason}")


DerivedStep = TypedDict(
    "DerivedStep", {"literal": str, "line": int, "rule": str | None, "depth": int, "from": list[int]}
)
"""A step of a derivation, see ``clauses.chaining.derivation``."""


@dataclass(frozen=True, slots=True)
class Execution:
    """The result of a program: its outcome, and the letter of the option that follows or why there is none.

    ``no_answer`` is the outcome if none or several of the options follow. The trace says how the answer came about, as
    JSON values; its keys depend on the language. ``failure`` and ``line`` are those of the error.
    """

    outcome: Outcome
    answer: str | None = None
    trace: JsonObject = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    error: str | None = None
    failure: Failure | None = None
    line: int | None = None


def traced(trace: JsonObject) -> str:
    """Return a trace for people, derivations as trees, one thing a line."""
    trees = [tree(trace[key]) for key in ("derivation", "opposite") if trace.get(key)]
    rest = (f"{key}: {value}" for key, value in trace.items() if key not in ("derivation", "opposite"))
    return "\n".join([*trees, *rest])


def tree(steps: Sequence[DerivedStep]) -> str:
    """Return a derivation as an indented tree, the literal derived on top; a step is unfolded once."""
    lines: list[str] = []
    shown: set[int] = set()
    stack = [(len(steps) - 1, 0)] if steps else []
    while stack:
        if len(lines) == MAX_PRINTED:
            lines.append("…")
            break
        index, level = stack.pop()
        step = steps[index]
        source = f"fact, line {step['line']}" if step["rule"] is None else f"line {step['line']}: {step['rule']}"
        again = " (derived above)" if index in shown and step["from"] else ""
        lines.append(f"{'  ' * min(level, MAX_INDENT)}{step['literal']}  [{source}]{again}")
        if index not in shown:
            shown.add(index)
            stack.extend((premise, level + 1) for premise in reversed(step["from"]))
    return "\n".join(lines)


DEFAULT = ("A) True", "B) False", "C) Unknown")
"""The options of a question that states none."""

_OPTION = re.compile(r"\s*\(?([A-Za-z0-9])\s*[).:]\s*(.*)", re.DOTALL)


class Truth(StrEnum):
    """The truth of a statement, by a program."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


_WORDS: Mapping[str, Truth] = {
    **dict.fromkeys(("true", "yes", "correct", "entailed", "entailment"), Truth.TRUE),
    **dict.fromkeys(("false", "no", "incorrect", "contradicted", "contradiction"), Truth.FALSE),
    **dict.fromkeys(("unknown", "uncertain", "undetermined", "neither", "neutral", "cannot say"), Truth.UNKNOWN),
}


class OptionsError(ValueError):
    """Options that are not of the form needed."""


def by_letter(options: Sequence[str]) -> dict[str, str]:
    """Return the texts of options by letter; raises ``OptionsError`` if one has no letter, or two have the same."""
    texts: dict[str, str] = {}
    for option in options:
        match = _OPTION.fullmatch(option)
        if match is None:
            raise OptionsError(f"option {option[:80]!r} has no letter; write it as 'A) …'")
        if match[1] in texts:
            raise OptionsError(f"two options have the letter {match[1]}")
        texts[match[1]] = match[2].strip()
    return texts


def by_truth(options: Sequence[str]) -> dict[Truth, str]:
    """Return the letters of options by truth value; ``OptionsError`` unless each says one, true and false included."""
    letters: dict[Truth, str] = {}
    for letter, text in by_letter(options or DEFAULT).items():
        truth = _WORDS.get(text.lower().strip(" ."))
        if truth is None:
            raise OptionsError(f"option {letter} is {text[:80]!r}; needed is one of {', '.join(_WORDS)}")
        if truth in letters:
            raise OptionsError(f"options {letters[truth]} and {letter} both say {truth}")
        letters[truth] = letter
    for truth in (Truth.TRUE, Truth.FALSE):
        if truth not in letters:
            raise OptionsError(f"no option says {truth}")
    return letters


def answered(truth: Truth, letters: Mapping[Truth, str], trace: JsonObject, repairs: tuple[Repair, ...]) -> Execution:
    """Return the execution that ends in a truth value; without an answer if no option has it."""
    letter = letters.get(truth)
    if letter is None:
        return Execution(Outcome.NO_ANSWER, None, trace, repairs, f"the statement is {truth}, which no option says")
    return Execution(Outcome.ANSWERED, letter, trace, repairs)
