"""Liberties that are taken with an answer's envelope: whatever stands around what was asked for."""

from enum import StrEnum


class Liberty(StrEnum):
    """A liberty, as scores list it."""

    THOUGHT = "thought"
    """A thought before the answer was dropped."""
    TOKEN = "special_token"
    """A model's special token was dropped."""
    FENCE = "fence"
    """The answer stood in a code fence."""
    PROSE = "prose"
    """Words before or after the answer were dropped."""
    SYNTAX = "syntax"
    """JSON with quotes, commas, comments or newlines that it does not have."""
    BACKSLASH = "backslash"
    """Single backslashes in a string, as of LaTeX, were taken for themselves."""
    KEY = "key"
    """Keys were spelled otherwise, or more than asked for."""
    REASONING = "reasoning"
    """The reasoning was missing, or no text."""
    VALUE = "value"
    """A value was written otherwise, such as a number as text or a word with a capital."""
    NESTED = "nested"
    """The object stood within another one."""
    REPEATED = "repeated"
    """The same answer was given several times."""
    EXAMPLE = "example"
    """An example of the prompt was repeated before the answer."""
    PLAIN = "plain"
    """The answer was plain text where an object was asked for."""


class ContradictionError(ValueError):
    """Two different answers in one."""


class MisfitError(ValueError):
    """Text that is no answer of the required form."""
