"""The dialect of a problem, by its family."""

import re

from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem

CONTROLLED = ("rules", "taxonomy", "order", "proofs")
"""Families whose English can be read."""

_SYMBOL = re.compile(r"[A-Za-z]\w*")


def concepts_of(problem: Problem, lexicon: Lexicon) -> list[str]:
    """Return the symbols of a problem's gold program that the lexicon has, in the order of their first use."""
    sentences = (*problem.statements, problem.question, *problem.options)
    symbols = (symbol for each in sentences for symbol in _SYMBOL.findall(each.line or ""))
    return [symbol for symbol in dict.fromkeys(symbols) if symbol in lexicon.concepts]


def dialect_of(problem: Problem, lexicon: Lexicon) -> Dialect:
    """Return the dialect of a problem, with its own concepts alone.

    Raises ``DialectError`` if the problem is not in the English of a family, or its things are of no scene.
    """
    match problem.family:
        case "rules":
            return Rules(lexicon)
        case "taxonomy":
            return Taxonomy(lexicon)
        case "order":
            things = concepts_of(problem, lexicon)
            for scene in lexicon.scenes.values():
                if things and set(things) <= set(scene.items):
                    return Order(lexicon, scene, len(things))
            raise DialectError(problem.context, 0, f"{', '.join(things) or 'nothing'} are the things of no scene")
        case "proofs":
            return Proofs.of(lexicon)
        case _:
            raise DialectError(
                problem.context, 0, f"the English of no family; expected is one of {', '.join(CONTROLLED)}"
            )
