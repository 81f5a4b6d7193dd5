"""The ontologies that the NL-FOL-LT paper's authors wrote for FOLIO, in the two forms in which they may lie at hand.

Published (repository dslab-uniud/NL-FOL-LT, commit bf7b1432039f729869340ab553d97c582165355f, folder
"perturbations and translations") are two pickles of plain dicts: ``{story: {"dict_pos": {predicate: gloss}, "dict_neg":
{predicate: gloss}}}`` and ``{story: {constant: meaning}}``. They are read with an unpickler that knows no class and no
function, so that a pickle can build containers, strings and numbers and do nothing else. ``ontologies.json`` holds the
same as ``{story: {"predicates": {name: {"positive": gloss, "negative": gloss}}, "constants": {name: meaning}}}``.

Names that formulas cannot carry are made valid by ``nlfol.logic.naming.valid_name``, as the FOLIO reader does in
formulas. The arity of a predicate is the number of slots in its glosses.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from nlfol.logic.errors import FormulaError
from nlfol.logic.naming import valid_name
from nlfol.ontology.errors import OntologyError
from nlfol.ontology.ontology import SLOT, ConstantSymbol, Ontology, Predicate

PICKLED_PREDICATES = "Relational_meaning_FOLIO.pkl"
PICKLED_CONSTANTS = "Constant_meaning_FOLIO.pkl"
JSON_FILE = "ontologies.json"


class _RestrictedUnpickler(pickle.Unpickler):
    """Builds builtin containers, strings and numbers; whatever names a class or function is refused unexecuted."""

    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it names {module_name}.{global_name}, and may hold only dicts and strings")

    def persistent_load(self, pid: Any) -> NoReturn:
        raise pickle.UnpicklingError(f"it refers to {pid!r} outside itself, and may hold only dicts and strings")


def is_published(path: Path) -> bool:
    """Whether a path is to be read by ``read_published``: a folder, or a JSON file."""
    return path.is_dir() or path.suffix.lower() == ".json"


def read_published(path: Path) -> tuple[dict[str, Ontology], list[Path]]:
    """The ontologies by story, and the files they came from.

    Args:
        path: a folder with the two pickles or else ``ontologies.json``, or a JSON file.

    Raises:
        OntologyError: if files are missing or not of the form described, naming file, story and symbol.
    """
    if not path.is_dir():
        return _from_json(path), [path]
    pickles = [path / PICKLED_PREDICATES, path / PICKLED_CONSTANTS]
    if all(file.exists() for file in pickles):
        return _from_pickles(*pickles), pickles
    if (path / JSON_FILE).exists():
        return _from_json(path / JSON_FILE), [path / JSON_FILE]
    raise OntologyError(f"{path}: it holds neither {PICKLED_PREDICATES} with {PICKLED_CONSTANTS} nor {JSON_FILE}")


def _from_pickles(predicates: Path, constants: Path) -> dict[str, Ontology]:
    relational, individual = _unpickled(predicates), _unpickled(constants)
    stories: dict[str, Ontology] = {}
    for story, glosses in relational.items():
        place = f"{predicates}: story {story}"
        positive = _texts(place, _member(place, glosses, "dict_pos"))
        negative = _texts(place, _member(place, glosses, "dict_neg"))
        if positive.keys() != negative.keys():
            raise OntologyError(f"{place}: glossed on one side only: {sorted(positive.keys() ^ negative.keys())}")
        pairs = {name: (positive[name], negative[name]) for name in positive}
        meanings = _texts(f"{constants}: story {story}", individual.get(story, {}))
        stories[str(story)] = _ontology(place, pairs, meanings)
    without = sorted(str(story) for story in individual.keys() - relational.keys())
    if without:
        raise OntologyError(f"{predicates}: no predicates for the stories {without}, which {constants.name} has")
    return stories


def _from_json(path: Path) -> dict[str, Ontology]:
    try:
        loaded = json.loads(path.read_bytes(), object_pairs_hook=lambda pairs: _distinct(path, pairs))
    except OSError as error:
        raise OntologyError(f"{path}: cannot be read ({error.strerror}); correct the key 'ontology'") from error
    except (ValueError, RecursionError) as error:
        raise OntologyError(f"{path}: not valid JSON: {error}") from error
    stories: dict[str, Ontology] = {}
    for story, content in _mapping(f"{path}", loaded).items():
        place = f"{path}: story {story}"
        glosses = {
            name: _texts(f"{place}, predicate {name!r}", both)
            for name, both in _mapping(place, _member(place, content, "predicates")).items()
        }
        pairs = {
            name: (
                _member(f"{place}, predicate {name!r}", both, "positive"),
                _member(f"{place}, predicate {name!r}", both, "negative"),
            )
            for name, both in glosses.items()
        }
        stories[str(story)] = _ontology(place, pairs, _texts(place, _member(place, content, "constants")))
    return stories


def _ontology(place: str, glosses: Mapping[str, tuple[str, str]], meanings: Mapping[str, str]) -> Ontology:
    try:
        return Ontology(
            tuple(
                Predicate(valid_name(name), positive.count(SLOT), positive, negative)
                for name, (positive, negative) in glosses.items()
            ),
            (),
            tuple(ConstantSymbol(valid_name(name, constant=True), meaning) for name, meaning in meanings.items()),
        )
    except (FormulaError, OntologyError) as error:
        raise OntologyError(f"{place}: {error}") from error


def _unpickled(path: Path) -> Mapping[Any, Any]:
    try:
        with path.open("rb") as file:
            loaded = _RestrictedUnpickler(file).load()
    except OSError as error:
        raise OntologyError(f"{path}: cannot be read ({error.strerror}); correct the key 'ontology'") from error
    except Exception as error:
        # A damaged pickle fails in whatever operation its bytes happen to spell.
        raise OntologyError(f"{path}: not a pickle of plain dicts and strings: {error}; download it again") from error
    return _mapping(f"{path}", loaded)


def _mapping(place: str, value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, dict):
        raise OntologyError(f"{place}: expected a mapping, found {type(value).__name__}")
    return value


def _member(place: str, value: Any, key: str) -> Any:
    members = _mapping(place, value)
    if key not in members:
        raise OntologyError(f"{place}: no {key!r}; found {sorted(map(str, members))}")
    return members[key]


def _texts(place: str, value: Any) -> dict[str, str]:
    for name, text in _mapping(place, value).items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise OntologyError(f"{place}: {name!r}: {text!r} must be a text under a name")
    return dict(value)


def _distinct(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise OntologyError(f"{path}: the keys {twice} occur twice; keep one of each")
    return members
