"""Reading of problems in the English of a family: gold programs of originals, and certificates of rewritten problems.

A rewritten problem must be read back, in one way, as the same program. So its meaning is preserved up to the synonyms
of the lexicon, which are its only premise.
"""

from collections.abc import Sequence
from typing import Any

from nlfol.problems.dialects import dialect_of, order
from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem, Reason, Statement, plain

_LANGUAGES = {
    "rules": "clauses",
    "taxonomy": "clauses",
    "order": "constraints",
    "proofs": "formulas",
    "premises": "formulas",
}


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
    sentence, statement = _single(text, dialect, before)
    if statement.line != gold.line:
        raise DialectError(text, 0, f"reads as {statement.line} in place of {gold.line}")
    return sentence, statement


def _single(text: str, dialect: Dialect, before: Sequence[str]) -> tuple[Any, Statement]:
    readings = dialect.readings(text, before)
    if len(readings) > 1:
        raise DialectError(text, 0, f"reads as {' and as '.join(statement.line or '' for _, statement in readings)}")
    return readings[0]


def _question(asked: Statement, dialect: Dialect) -> Statement:
    if asked.line is None:
        return asked
    opening, blank, text = asked.text.rpartition("? ")
    return read_back(text, asked, dialect, ())[1].after(opening + blank)


def read_original(problem: Problem, lexicon: Lexicon) -> Problem:
    """Read the gold program of a problem from its texts, or refuse it if its answer does not follow.

    Texts before the introduction of things in a row are kept as they are. Raises `DialectError` if the problem is of no
    family, or a sentence is not in the family's English, or can be read in two ways.
    """
    texts = [statement.text for statement in problem.statements]
    before: list[str] = []
    opening, blank, asked = problem.question.text.rpartition("? ")
    question, options = problem.question, problem.options
    if problem.family == "order":
        before, texts, dialect = _introduced(texts, lexicon)
        options = tuple(_single(option.text, dialect, ())[1] for option in options)
    else:
        dialect = dialect_of(problem, lexicon)
        question = _single(asked, dialect, ())[1].after(opening + blank)
    statements = (*plain(before), *(_single(text, dialect, ())[1] for text in texts))
    language = _LANGUAGES[problem.family]
    return derived(Problem(problem.name, problem.family, language, statements, question, options, problem.answer))


def _introduced(texts: Sequence[str], lexicon: Lexicon) -> tuple[list[str], list[str], Dialect]:
    """Split texts at the introduction, and return the English of the things introduced, too."""
    for place, text in enumerate(texts):
        try:
            scene, introduction, _ = order.read_introduction(text, lexicon)
        except DialectError:
            continue  # a sentence before the introduction, as published problems have them
        return list(texts[:place]), list(texts[place:]), Order(lexicon, scene, len(introduction.things))
    raise DialectError(" ".join(texts), 0, "no sentence says which things there are")
