"""Which option says what: options are texts such as ``A) True``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from nlfol.programs.outcome import Execution, Outcome, Repair

DEFAULT = ("A) True", "B) False", "C) Unknown")
"""The options of a question that states none."""

_OPTION = re.compile(r"\s*\(?([A-Za-z0-9])\s*[).:]\s*(.*)", re.DOTALL)


class Truth(StrEnum):
    """What a program says of a statement."""

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
    """Texts of options by their letters.

    Raises:
        OptionsError: if one has no letter, or two have the same.
    """
    found: dict[str, str] = {}
    for option in options:
        match = _OPTION.fullmatch(option)
        if match is None:
            raise OptionsError(f"option {option[:80]!r} has no letter; write it as 'A) …'")
        if match[1] in found:
            raise OptionsError(f"two options have the letter {match[1]}")
        found[match[1]] = match[2].strip()
    return found


def by_truth(options: Sequence[str]) -> dict[Truth, str]:
    """Letters of options by what they say of a statement.

    Raises:
        OptionsError: if an option says nothing known, two say the same, or none says true or none false.
    """
    found: dict[Truth, str] = {}
    for letter, text in by_letter(options or DEFAULT).items():
        truth = _WORDS.get(text.lower().strip(" ."))
        if truth is None:
            raise OptionsError(f"option {letter} is {text[:80]!r}; needed is one of {', '.join(_WORDS)}")
        if truth in found:
            raise OptionsError(f"options {found[truth]} and {letter} both say {truth}")
        found[truth] = letter
    for truth in (Truth.TRUE, Truth.FALSE):
        if truth not in found:
            raise OptionsError(f"no option says {truth}")
    return found


def answered(
    truth: Truth, letters: Mapping[Truth, str], trace: dict[str, object], repairs: tuple[Repair, ...]
) -> Execution:
    """The execution that ends in a truth value; without an answer where no option says it."""
    letter = letters.get(truth)
    if letter is None:
        return Execution(Outcome.NO_ANSWER, None, trace, repairs, f"the statement is {truth}, which no option says")
    return Execution(Outcome.ANSWERED, letter, trace, repairs)
