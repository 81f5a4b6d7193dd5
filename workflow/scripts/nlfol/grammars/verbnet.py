"""Verbs from a user's folder of VerbNet 3 files: https://verbs.colorado.edu/verbnet. None of it is shipped.

A member of a class is a predicate of one argument where the class has the frame ``NP V``, and of two where it has
``NP V NP``; a subclass has its own frames and those of the classes around it. Names of several words are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from nlfol.grammars.errors import GrammarError

_ARITIES = {"NP V": 1, "NP V NP": 2}
_VERB = re.compile(r"[a-z]{2,20}")


def read_verbnet(folder: Path) -> list[tuple[str, int]]:
    """Each verb with an arity that it can have, sorted.

    Raises:
        GrammarError: if the folder has no class, or a file is damaged or declares entities.
    """
    found: set[tuple[str, int]] = set()
    for path in sorted(folder.glob("*.xml")):
        found |= _of_file(path)
    if not found:
        raise GrammarError(f"{folder}: no VerbNet class with the frame 'NP V' or 'NP V NP' is in it; the key 'verbnet' "
                           "names the folder of its .xml files")  # fmt: skip
    return sorted(found)


def _of_file(path: Path) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    classes: list[tuple[set[str], set[int]]] = []  # members and arities, from the outermost class inwards
    parser = expat.ParserCreate()

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag in ("VNCLASS", "VNSUBCLASS"):
            classes.append((set(), set(classes[-1][1]) if classes else set()))
        elif tag == "MEMBER" and classes and _VERB.fullmatch(attributes.get("name", "")):
            classes[-1][0].add(attributes["name"])
        elif tag == "DESCRIPTION" and classes and attributes.get("primary") in _ARITIES:
            classes[-1][1].add(_ARITIES[attributes["primary"]])

    def end(tag: str) -> None:
        if tag in ("VNCLASS", "VNSUBCLASS"):
            members, arities = classes.pop()
            found.update((member, arity) for member in members for arity in arities)

    def refuse(*_: object) -> NoReturn:
        raise GrammarError(f"{path}: it declares entities, which VerbNet does not; take the file from its publisher")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begin, end, refuse
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        raise GrammarError(f"{path}: not XML ({error}); take the file from its publisher") from error
    except OSError as error:
        raise GrammarError(f"{path}: cannot be read ({error.strerror})") from error
    return found
