"""Ontology files: the project's YAML form, and the published ontologies of the NL-FOL-LT paper's authors.

The YAML form is::

    predicates:
      Loves: {arity: 2, positive: "{} loves {}", negative: "{} does not love {}"}
    functions:
      mother: {arity: 1, meaning: "the mother of {}"}
    constants:
      john: John
    noun: person    # the word for a thing; "thing" by default

for one ontology that holds for a whole dataset, or the same below ``stories: {<story>: ...}`` for one each story. Every
scalar is read as text, so that names such as ``on``, ``no`` or ``1984`` stay what they are.

The authors' ontologies for FOLIO (repository dslab-uniud/NL-FOL-LT, commit bf7b1432039f729869340ab553d97c582165355f,
folder "perturbations and translations") are two pickles of plain dicts, read with an unpickler that knows no class and
no function. Names that formulas cannot carry are made valid by ``nlfol.logic.naming.valid_name``, as the FOLIO reader
does in formulas. The arity of a predicate is the number of slots in its glosses.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from pickle import UnpicklingError
from typing import Annotated, Any, Self, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, StrictStr, TypeAdapter, ValidationError, model_validator

from nlfol.logic.errors import FormulaError
from nlfol.logic.naming import valid_name
from nlfol.logic.ontology.ontology import SLOT, ConstantSymbol, FunctionSymbol, Ontology, OntologyError, Predicate
from nlfol.logic.ontology.pickles import unpickled
from nlfol.validation import TextLoader, describe_faults, read_bytes, yaml_fault

PICKLED_PREDICATES = "Relational_meaning_FOLIO.pkl"
PICKLED_CONSTANTS = "Constant_meaning_FOLIO.pkl"


@dataclass(frozen=True)
class Ontologies:
    """The ontologies of one dataset, one that all its stories share or one for each, with the digest of their files."""

    digest: str
    shared: Ontology | None = None
    by_story: Mapping[str, Ontology] = field(default_factory=dict)

    def of(self, story: str) -> Ontology | None:
        """Return the ontology of a story, or None if it has none."""
        return self.shared if self.shared is not None else self.by_story.get(story)


def read_ontologies(path: Path) -> Ontologies:
    """Read ontologies from a YAML file, or a folder with the published pickles; raises ``OntologyError``."""
    if path.is_dir():
        pickles = [path / PICKLED_PREDICATES, path / PICKLED_CONSTANTS]
        if not all(file.exists() for file in pickles):
            raise OntologyError(f"{path}: it does not hold {PICKLED_PREDICATES} with {PICKLED_CONSTANTS}")
        by_story = _from_pickles(*pickles)
        digests = (hashlib.sha256(source.read_bytes()).digest() for source in pickles)
        return Ontologies(hashlib.sha256(b"".join(digests)).hexdigest(), by_story=by_story)
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise OntologyError(f"{path}: not an ontology file; expected a .yaml file, or the published folder")
    content = _content(path)
    source = _parsed(path, content)
    digest = hashlib.sha256(content).hexdigest()
    if source.stories is None:
        return Ontologies(digest, _built(f"{path}", source))
    stories = {name: _built(f"{path}: story {name!r}", part) for name, part in source.stories.items()}
    return Ontologies(digest, by_story=stories)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise OntologyError(f"{path}: cannot be read ({error.strerror}); correct the key 'ontology'") from error


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


# A YAML block ends with a line break and may hold others; a sentence of candidates stands on one line.
_OneLine = Annotated[str, AfterValidator(lambda text: " ".join(text.split()))]


class _PredicateEntry(_Entry):
    arity: int
    positive: _OneLine
    negative: _OneLine


class _FunctionEntry(_Entry):
    arity: int
    meaning: _OneLine


class Symbols(_Entry):
    """The symbols of a story as the YAML form has them."""

    predicates: dict[str, _PredicateEntry] = {}
    functions: dict[str, _FunctionEntry] = {}
    constants: dict[str, _OneLine] = {}
    noun: _OneLine = "thing"

    @model_validator(mode="before")
    @classmethod
    def _without_empty_sections(cls, loaded: Any) -> Any:
        return (
            {key: value for key, value in loaded.items() if value is not None} if isinstance(loaded, dict) else loaded
        )


class _File(Symbols):
    stories: dict[str, Symbols] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.stories is not None and self.model_fields_set != {"stories"}:
            raise ValueError("'stories' and a noun or symbols for all stories are both given; keep one of them")
        if self.stories is None and not (self.predicates or self.functions or self.constants):
            raise ValueError("no symbols; add 'predicates', 'functions' and 'constants', or 'stories'")
        return self


_FILE = TypeAdapter(_File)

_Texts = dict[StrictStr, StrictStr]


class _PickledGlosses(BaseModel):
    dict_pos: _Texts
    dict_neg: _Texts


_PREDICATES = TypeAdapter(dict[Any, _PickledGlosses])
_CONSTANTS = TypeAdapter(dict[Any, _Texts])


_Form = TypeVar("_Form")


def _parsed(path: Path, content: bytes) -> _File:
    try:
        loaded = TextLoader(content.decode("utf-8")).get_single_data()
    except UnicodeDecodeError as error:
        raise OntologyError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except yaml.YAMLError as error:
        hint = " (a gloss, which holds {}, stands in quotation marks)"
        raise OntologyError(f"{path}: {yaml_fault(error, hint)}") from error
    if not isinstance(loaded, dict):
        raise OntologyError(f"{path}: not a mapping; expected the keys 'predicates', 'functions' and 'constants'")
    return _validated(path, _FILE, loaded)


def _validated(path: Path, form: TypeAdapter[_Form], loaded: Any) -> _Form:
    try:
        return form.validate_python(loaded)
    except ValidationError as error:
        raise OntologyError(f"{path}: {describe_faults(error, 'file')}") from error


def _built(location: str, source: Symbols) -> Ontology:
    try:
        return Ontology(
            tuple(Predicate(n, e.arity, e.positive, e.negative) for n, e in source.predicates.items()),
            tuple(FunctionSymbol(n, e.arity, e.meaning) for n, e in source.functions.items()),
            tuple(ConstantSymbol(n, meaning) for n, meaning in source.constants.items()),
            noun=source.noun,
        )
    except OntologyError as error:
        raise OntologyError(f"{location}: {error}") from error


def with_symbols(ontology: Ontology | None, symbols: Symbols) -> Ontology:
    """Return an ontology, if there is one, with further symbols; ``OntologyError`` if it has one of them."""
    added = _built("symbols", symbols)
    if ontology is None:
        return added
    return replace(
        ontology,
        predicates=ontology.predicates + added.predicates,
        functions=ontology.functions + added.functions,
        constants=ontology.constants + added.constants,
    )


def _from_pickles(predicates: Path, constants: Path) -> dict[str, Ontology]:
    relational = _validated(predicates, _PREDICATES, _unpickled(predicates))
    individual = _validated(constants, _CONSTANTS, _unpickled(constants))
    stories: dict[str, Ontology] = {}
    for story, glosses in relational.items():
        location = f"{predicates}: story {story}"
        positive, negative = glosses.dict_pos, glosses.dict_neg
        if positive.keys() != negative.keys():
            raise OntologyError(f"{location}: glossed on one side only: {sorted(positive.keys() ^ negative.keys())}")
        pairs = {name: (positive[name], negative[name]) for name in positive}
        stories[str(story)] = _ontology(location, pairs, individual.get(story, {}))
    if without := sorted(str(story) for story in individual.keys() - relational.keys()):
        raise OntologyError(f"{predicates}: no predicates for the stories {without}, which {constants.name} has")
    return stories


def _ontology(location: str, glosses: Mapping[str, tuple[str, str]], meanings: Mapping[str, str]) -> Ontology:
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
        raise OntologyError(f"{location}: {error}") from error


def _unpickled(path: Path) -> Any:
    try:
        return unpickled(_content(path))
    except UnpicklingError as error:
        raise OntologyError(f"{path}: {error}") from error
