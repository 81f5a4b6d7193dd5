"""The certificate of a problem in other words: they are read back, in one way, as the same program.

What is preserved is the meaning up to the synonymies of the lexicon, which are its only premise.
"""

from __future__ import annotations

from typing import Any

from nlfol.problems.deriving import derived
from nlfol.problems.dialects.diversified import Dialect
from nlfol.problems.errors import DialectError
from nlfol.problems.problem import Problem, Reason, Statement


def certified(original: Problem, texts: list[str], dialect: Dialect) -> Problem:
    """The problem in other words, its program read from them and its answer derived again; or refused.

    Args:
        original: has the program.
        texts: the statements in other words.
        dialect: reads them.
    """
    if len(texts) != len(original.statements):
        counts = f"{len(original.statements)} statements, in other words {len(texts)}"
        return original.refused(Reason.NOT_READ_BACK, counts)
    try:
        statements: list[Statement] = []
        topic: str | None = None
        for text, gold in zip(texts, original.statements, strict=True):
            if gold.line is None:
                statements.append(gold)
                topic = None
                continue
            sentence, statement = read_back(text, gold, dialect, topic)
            statements.append(statement)
            topic = dialect.topic(sentence)
        question = _question(original.question, dialect)
        options = tuple(_question(option, dialect) for option in original.options)
    except DialectError as error:
        return original.refused(Reason.NOT_READ_BACK, str(error))
    return derived(_with(original, tuple(statements), question, options))


def read_back(text: str, gold: Statement, dialect: Dialect, topic: str | None) -> tuple[Any, Statement]:
    """The one reading of a sentence, which must say the same as another: its tree, and the statement.

    Raises:
        DialectError: if it has none, or several, or says something else.
    """
    found = dialect.readings(text, topic)
    if len(found) > 1:
        lines = " and as ".join(statement.line or "" for _, statement in found)
        raise DialectError(text, 0, f"reads as {lines}")
    sentence, statement = found[0]
    if statement.line != gold.line:
        raise DialectError(text, 0, f"reads as {statement.line} in place of {gold.line}")
    return sentence, statement


def _question(asked: Statement, dialect: Dialect) -> Statement:
    """The question, or an option, read behind its opening."""
    if asked.line is None:
        return asked
    opening, blank, text = asked.text.rpartition("? ")
    return read_back(text, asked, dialect, None)[1].after(opening + blank)


def _with(
    original: Problem, statements: tuple[Statement, ...], question: Statement, options: tuple[Statement, ...]
) -> Problem:
    return Problem(
        original.name,
        original.family,
        original.language,
        statements,
        question,
        options,
        original.answer,
    )
