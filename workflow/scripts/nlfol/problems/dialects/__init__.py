"""The controlled English of each family: sentences as trees, written and read.

``write`` returns the statement of a tree with its mentions; what is read is written again and must be the same text.
``rules`` is ProofWriter's English, ``taxonomy`` ProntoQA's, ``order`` that of BIG-bench's logical deduction. A
``Dialect`` takes all forms and returns all readings; ``read`` takes the syntax of the published sets alone. ``proofs``
is the unambiguous English of ``nlfol.logic.english``, ``premises`` says the same formulas as people would.
"""

import re

from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.premises import Premises
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem

CONTROLLED = ("rules", "taxonomy", "order", "proofs", "premises")
"""Families whose English can be read."""

_SYMBOL = re.compile(r"[A-Za-z]\w*")


def concepts_of(problem: Problem, lexicon: Lexicon) -> list[str]:
    """Return the symbols of a problem's gold program that the lexicon has, in the order of their first use."""
    symbols = (symbol for sentence in problem.sentences for symbol in _SYMBOL.findall(sentence.line or ""))
    return [symbol for symbol in dict.fromkeys(symbols) if symbol in lexicon.concepts]


def dialect_of(problem: Problem, lexicon: Lexicon) -> Dialect:
    """Return a problem's dialect with its own concepts; raises ``DialectError`` if it is in no family's English."""
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
        case "premises":
            return Premises(lexicon)
        case _:
            families = ", ".join(CONTROLLED)
            raise DialectError(problem.context, 0, f"the English of {problem.family!r}; expected is one of {families}")
