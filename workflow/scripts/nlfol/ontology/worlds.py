"""A finite structure told in the words of an ontology."""

from __future__ import annotations

from itertools import product

from nlfol.logic.structures import Structure
from nlfol.ontology.ontology import Ontology, Predicate
from nlfol.ontology.phrases import fill

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def describe_world(structure: Structure, ontology: Ontology) -> str:
    """Say what there is and what holds; what is not said does not hold.

    Things are called by the meaning of a constant that denotes them, or else by a number. Of a relation that holds
    everywhere only that is said. Propositional letters are told last, true or false; where there is nothing else, no
    things are counted.

    Args:
        structure: over symbols of the ontology, any part of them.
        ontology: the glosses.
    """
    letters = [name for name in sorted(structure.predicates) if not ontology.predicate[name].arity]
    told = [_letter(ontology.predicate[name], () in structure.predicates[name]) for name in letters]
    if letters and not structure.constants and not structure.functions and len(letters) == len(structure.predicates):
        return f"a world in which {'; '.join(told)}"
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
    parts += told
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
