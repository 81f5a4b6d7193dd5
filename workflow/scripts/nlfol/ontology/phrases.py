"""What terms denote, in the words of an ontology.

Meanings are put into slots; the text of a gloss is never searched for names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from nlfol.logic.syntax import Constant, Function, Term, Variable
from nlfol.ontology.ontology import SLOT, Ontology


def phrase(term: Term, ontology: Ontology, *, variable: Callable[[str], str] = str) -> str:
    """What a term denotes, inner terms first on a stack of its own: terms can be as deep as formulas.

    Args:
        term: over the symbols of the ontology.
        ontology: what they mean.
        variable: what a variable is called, from its name.
    """
    done: dict[Term, str] = {}
    stack: list[Term] = [term]
    while stack:
        node = stack[-1]
        match node:
            case Variable(name):
                done[node] = variable(name)
            case Constant(name):
                done[node] = ontology.constant[name].meaning
            case Function(name, arguments):
                missing = [argument for argument in arguments if argument not in done]
                if missing:
                    stack.extend(missing)
                    continue
                done[node] = fill(ontology.function[name].meaning, [done[argument] for argument in arguments])
            case _:
                assert_never(node)
        stack.pop()
    return done[term]


def fill(gloss: str, arguments: list[str]) -> str:
    """A gloss or meaning with its slots filled from left to right; nothing else in it is touched."""
    first, *following = gloss.split(SLOT)
    return first + "".join(argument + text for argument, text in zip(arguments, following, strict=True))
