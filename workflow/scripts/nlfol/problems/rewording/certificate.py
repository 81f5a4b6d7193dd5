"""Certificates of rewritten problems.

A rewritten problem must be read back, in one way, as the same program. So its meaning is preserved up to the synonyms
of the lexicon, which are its only premise.
"""

from collections.abc import Sequence
from typing import Any

from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.gold import derived
from nlfol.problems.problem import Problem, Reason, Statement


def certified(original: Problem, texts: list[str], dialect: Dialect) -> Problem:
    """Read the rewritten statements of a problem and derive its answer again, or refuse it."""
    if len(texts) != len(original.statements):
        counts = f"{len(original.statements)} statements, in other words {len(texts)}"
        return original.refused(Reason.NOT_READ_BACK, counts)
    try:
        statements: list[Statement] = []
        named: Sequence[str] = ()
        for text, gold in zip(texts, original.statements, strict=True):
            if gold.line is None:
                statements.append(gold)
                named = ()
                continue
            sentence, statement = read_back(text, gold, dialect, named)
            statements.append(statement)
            named = dialect.named(sentence)
        question = _question(original.question, dialect)
        options = tuple(_question(option, dialect) for option in original.options)
    except DialectError as error:
        return original.refused(Reason.NOT_READ_BACK, str(error))
    return derived(
        Problem(
            original.name, original.family, original.language, tuple(statements), question, options, original.answer
        )
    )


def read_back(text: str, gold: Statement, dialect: Dialect, before: Sequence[str]) -> tuple[Any, Statement]:
    """Return the tree and the statement of a text; raises `DialectError` unless its one reading is that of ``gold``."""
    readings = dialect.readings(text, before)
    if len(readings) > 1:
        raise DialectError(text, 0, f"reads as {' and as '.join(statement.line or '' for _, statement in readings)}")
    sentence, statement = readings[0]
    if statement.line != gold.line:
        raise DialectError(text, 0, f"reads as {statement.line} in place of {gold.line}")
    return sentence, statement


def _question(asked: Statement, dialect: Dialect) -> Statement:
    if asked.line is None:
        return asked
    opening, blank, text = asked.text.rpartition("? ")
    return read_back(text, asked, dialect, ())[1].after(opening + blank)
