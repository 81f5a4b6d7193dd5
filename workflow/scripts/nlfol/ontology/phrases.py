"""Terms and finite structures in the words of an ontology.

Meanings are put into slots; the text of a gloss is never searched for names.
"""

from collections.abc import Callable
from itertools import product
from typing import assert_never

from nlfol.logic.structures import Structure
from nlfol.logic.syntax import Constant, Function, Term, Variable
from nlfol.ontology.ontology import SLOT, Ontology, Predicate

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def phrase(term: Term, ontology: Ontology, *, variable: Callable[[str], str] = str) -> str:
    """Return the meaning of a term; ``variable`` turns a variable's name into its phrase."""
    # Inner terms first on a stack: terms can be as deep as formulas.
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
    """Fill the slots of a gloss or meaning from left to right."""
    first, *following = gloss.split(SLOT)
    return first + "".join(argument + text for argument, text in zip(arguments, following, strict=True))


def describe_world(structure: Structure, ontology: Ontology) -> str:
    """Describe what there is in a structure and what holds; whatever is left out does not hold.

    Things are called by the meaning of a constant that denotes them, or else by a number. A relation that holds
    everywhere is said so at once. Propositional letters come last, true or false; where there is nothing else, no
    things are counted.
    """
    letters = [name for name in sorted(structure.predicates) if not ontology.predicate[name].arity]
    stated = [_letter(ontology.predicate[name], () in structure.predicates[name]) for name in letters]
    if letters and not structure.constants and not structure.functions and len(letters) == len(structure.predicates):
        return f"a world in which {'; '.join(stated)}"
    called = _names(structure, ontology)
    size = structure.size
    count = _NUMBERS[size] if size < len(_NUMBERS) else str(size)
    parts = [f"{', '.join(called[element] for element in range(size))}"]
    for name, table in sorted(structure.functions.items()):
        meaning = ontology.function[name].meaning
        parts += [
            f"{fill(meaning, [called[e] for e in row])} is {called[value]}" for row, value in sorted(table.items())
        ]
    for name, extension in sorted(structure.predicates.items()):
        predicate = ontology.predicate[name]
        if not predicate.arity:
            continue
        if len(extension) == size**predicate.arity and size > 1:
            everything = ["everything", *["everything"] * (predicate.arity - 1)]
            parts.append(fill(predicate.positive, everything))
            continue
        rows = (row for row in product(range(size), repeat=predicate.arity) if row in extension)
        parts += [fill(predicate.positive, [called[e] for e in row]) for row in rows]
    if len(parts) == 1 and len(letters) < len(structure.predicates):
        parts.append("none of the predicates holds of anything")
    parts += stated
    return f"a world of {count} thing{'s' if size != 1 else ''} ({parts[0]}): {'; '.join(parts[1:])}"


def _letter(predicate: Predicate, true: bool) -> str:
    return predicate.positive if true else predicate.negative


def _names(structure: Structure, ontology: Ontology) -> dict[int, str]:
    denoting: dict[int, list[str]] = {}
    for constant, element in sorted(structure.constants.items()):
        denoting.setdefault(element, []).append(ontology.constant[constant].meaning)
    return {
        element: " = ".join(denoting[element]) if element in denoting else f"thing {element + 1}"
        for element in range(structure.size)
    }
