"""Problems of a family's English, from their texts alone: the gold program is read, and the answer derived."""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.problems.deriving import derived
from nlfol.problems.dialects import order
from nlfol.problems.dialects.diversified import CONTROLLED, Dialect
from nlfol.problems.dialects.diversified.order import Order
from nlfol.problems.dialects.diversified.proofs import Proofs
from nlfol.problems.dialects.diversified.rules import Rules
from nlfol.problems.dialects.diversified.taxonomy import Taxonomy
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem, Statement, plain

_LANGUAGES = {"rules": "clauses", "taxonomy": "clauses", "order": "constraints", "proofs": "formulas"}


def read_original(problem: Problem, lexicon: Lexicon) -> Problem:
    """The problem with its gold program; refused if its answer does not follow.

    Args:
        problem: its family and texts count. What stands before the introduction of things in a row is kept as it is.
        lexicon: of base forms.

    Raises:
        DialectError: if it is of no family, or a sentence is not in the family's English, or can be read in two ways.
    """
    if problem.family not in CONTROLLED:
        families = ", ".join(CONTROLLED)
        raise DialectError(problem.context, 0, f"the English of {problem.family!r}; expected is one of {families}")
    texts = [statement.text for statement in problem.statements]
    before: list[str] = []
    dialect: Dialect
    match problem.family:
        case "rules":
            dialect = Rules(lexicon)
        case "taxonomy":
            dialect = Taxonomy(lexicon)
        case "proofs":
            dialect = Proofs.of(lexicon)
        case _:
            before, texts, dialect = _introduced(texts, lexicon)
    opening, blank, asked = problem.question.text.rpartition("? ")
    question, options = problem.question, problem.options
    if problem.family == "order":
        options = tuple(_read(option.text, dialect) for option in options)
    else:
        question = _read(asked, dialect).after(opening + blank)
    statements = (*plain(before), *(_read(text, dialect) for text in texts))
    language = _LANGUAGES[problem.family]
    return derived(Problem(problem.name, problem.family, language, statements, question, options, problem.answer))


def _introduced(texts: Sequence[str], lexicon: Lexicon) -> tuple[list[str], list[str], Dialect]:
    """What stands before the introduction, the rest, and the English of the things introduced.

    Raises:
        DialectError: if nothing is introduced.
    """
    for place, text in enumerate(texts):
        try:
            scene, introduction, _ = order.read_introduction(text, lexicon)
        except DialectError:
            continue  # a sentence before the introduction, as published problems have them
        return list(texts[:place]), list(texts[place:]), Order(lexicon, scene, len(introduction.things))
    raise DialectError(" ".join(texts), 0, "no sentence says which things there are")


def _read(text: str, dialect: Dialect) -> Statement:
    found = dialect.readings(text, None)
    if len(found) > 1:
        raise DialectError(text, 0, f"reads as {' and as '.join(statement.line or '' for _, statement in found)}")
    return found[0][1]
