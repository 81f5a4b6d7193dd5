"""Reading ontologies: the project's YAML form, and the form in which the NL-FOL-LT paper's ontologies are published.

The YAML form is::

    predicates:
      Loves: {arity: 2, positive: "{} loves {}", negative: "{} does not love {}"}
    functions:
      mother: {arity: 1, meaning: "the mother of {}"}
    constants:
      john: John
    noun: person    # what things are called; "thing" by default

for one ontology that holds for a whole dataset, or the same below ``stories: {<story>: ...}`` for one each story. Every
scalar is read as text, so that names such as ``on``, ``no`` or ``1984`` stay what they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from nlfol.ontology.errors import OntologyError
from nlfol.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.ontology.published import is_published, read_published
from nlfol.ontology.yaml_text import TextLoader
from nlfol.validation import describe_faults, read_bytes


@dataclass(frozen=True)
class Ontologies:
    """The ontologies of one dataset: one for all its stories, or one for each.

    Attributes:
        digest: SHA-256 of the files they were read from.
        shared: the one that holds for every story, if there is such a one.
        by_story: else the ontologies by story.
    """

    digest: str
    shared: Ontology | None = None
    by_story: Mapping[str, Ontology] = field(default_factory=dict)

    def of(self, story: str) -> Ontology | None:
        """The ontology that holds for a story, or None where it has none."""
        return self.shared if self.shared is not None else self.by_story.get(story)


def read_ontologies(path: Path) -> Ontologies:
    """Read a YAML file, or a folder or JSON file as ``published`` describes.

    Raises:
        OntologyError: if the path is missing, damaged or of another form, or breaks a rule of ontologies.
    """
    if is_published(path):
        by_story, sources = read_published(path)
        return Ontologies(_digest(sources), by_story=by_story)
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise OntologyError(f"{path}: not an ontology file; expected a .yaml file, or the published folder or .json")
    try:
        content = read_bytes(path)
    except OSError as error:
        raise OntologyError(f"{path}: cannot be read ({error.strerror}); correct the key 'ontology'") from error
    source = _parsed(path, content)
    digest = hashlib.sha256(content).hexdigest()
    if source.stories is None:
        return Ontologies(digest, _built(f"{path}", source))
    stories = {name: _built(f"{path}: story {name!r}", part) for name, part in source.stories.items()}
    return Ontologies(digest, by_story=stories)


def _digest(sources: list[Path]) -> str:
    digest = hashlib.sha256()
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _PredicateEntry(_Entry):
    arity: int
    positive: str
    negative: str


class _FunctionEntry(_Entry):
    arity: int
    meaning: str


class _StoryEntry(_Entry):
    predicates: dict[str, _PredicateEntry] = {}
    functions: dict[str, _FunctionEntry] = {}
    constants: dict[str, str] = {}
    noun: str = "thing"


class _File(_StoryEntry):
    stories: dict[str, _StoryEntry] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> _File:
        if self.stories is not None and self.model_fields_set != {"stories"}:
            raise ValueError("'stories' and a noun or symbols for all stories are both given; keep one of them")
        if self.stories is None and not (self.predicates or self.functions or self.constants):
            raise ValueError("no symbols; add 'predicates', 'functions' and 'constants', or 'stories'")
        return self


def _parsed(path: Path, content: bytes) -> _File:
    try:
        loaded = TextLoader(content.decode("utf-8")).get_single_data()
    except UnicodeDecodeError as error:
        raise OntologyError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except yaml.YAMLError as error:
        hint = "a gloss, which holds {}, stands in quotation marks"
        raise OntologyError(f"{path}: not valid YAML ({hint}): {error}") from error
    except RecursionError as error:
        raise OntologyError(f"{path}: not valid YAML: nested too deep") from error
    if not isinstance(loaded, dict):
        raise OntologyError(f"{path}: not a mapping; expected the keys 'predicates', 'functions' and 'constants'")
    try:
        return _File.model_validate(_without_nulls(loaded))
    except ValidationError as error:
        raise OntologyError(f"{path}: {describe_faults(error, 'file')}") from error


def _without_nulls(loaded: dict[str, Any]) -> dict[str, Any]:
    """Sections that are there but empty count as absent."""
    kept = {key: value for key, value in loaded.items() if value is not None}
    stories = kept.get("stories")
    if isinstance(stories, dict):
        kept["stories"] = {
            name: {key: value for key, value in part.items() if value is not None} if isinstance(part, dict) else part
            for name, part in stories.items()
        }
    return kept


def _built(place: str, source: _StoryEntry) -> Ontology:
    try:
        return Ontology(
            tuple(
                Predicate(n, e.arity, _one_line(e.positive), _one_line(e.negative))
                for n, e in source.predicates.items()
            ),
            tuple(FunctionSymbol(n, e.arity, _one_line(e.meaning)) for n, e in source.functions.items()),
            tuple(ConstantSymbol(n, _one_line(meaning)) for n, meaning in source.constants.items()),
            noun=_one_line(source.noun),
        )
    except OntologyError as error:
        raise OntologyError(f"{place}: {error}") from error


def _one_line(text: str) -> str:
    """A YAML block ends with a line break and may hold others; a sentence of candidates stands on one line."""
    return " ".join(text.split())
