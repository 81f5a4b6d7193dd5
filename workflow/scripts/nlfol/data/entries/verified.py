"""FOLIO's validation stories and MALLS's test sentences with formulas corrected by people (arXiv 2606.02837)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator
from typing_extensions import override

from nlfol.data.annotations import Block, Formulas, read_annotations
from nlfol.data.entries.block import PathText, shipped
from nlfol.data.entries.folio import Story, story_sentences
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.reason import Reason
from nlfol.data.sentences import Correction, Dataset, Sentence
from nlfol.store.records import SourceError, json_lines, read_content
from nlfol.validation import describe_faults

if TYPE_CHECKING:
    from nlfol.logic.ontology.files import Ontologies
    from nlfol.logic.ontology.ontology import Ontology, Predicate

EVIDENCE = "people"
"""Evidence of each correction."""
KIND = "unsorted"
"""Kind of each correction: people say in words what was wrong."""

_SLOT = re.compile(r"\{(\d+)\}")


class VerifiedEntry(SentencesEntry):
    """Annotated FOLIO or MALLS, downloaded as the pins say or from a folder ``path`` with both files.

    Premises are numbered in their story, conclusions after them, whichever ``gold``: as people corrected it, with
    their ontology; or as first published, with ontologies that are derived.
    """

    reader: Literal["verified"]
    source: Literal["folio", "malls"]
    path: PathText | None = None
    gold: Formulas = "corrected"
    exclusive_or: Literal["exclude", "include"] = "include"

    @model_validator(mode="after")
    @override
    def _has_patches(self) -> Self:
        if self.patches is not None or self.accepted is not None:
            raise ValueError("people have corrected these formulas; remove the keys 'patches' and 'accepted'")
        if self.source == "malls" and self.path is None:
            raise ValueError("MALLS's annotations have no pin; set 'path' to a folder with a download of them")
        return self

    def _files(self, part: Literal["instances", "ontology"]) -> list[str]:
        pin = shipped(f"resources/datasets/verified/{part}_pin.json")
        return [pin if self.path is None else str(Path(self.path) / f"{self.source.upper()}_{part}.jsonl")]

    def _read(self, part: Literal["instances", "ontology"]) -> tuple[Path, bytes]:
        from nlfol.data.pin import Pin, fetch  # start-up time

        (name,) = self._files(part)
        path = Path(name) if self.path else fetch(Pin.from_file(Path(name)))
        return path, read_content(path)

    @property
    @override
    def source_files(self) -> list[str]:
        return self._files("instances")

    @property
    @override
    def ontology_files(self) -> list[str]:
        return self._files("ontology") if self.gold == "corrected" else []

    @override
    def read(self) -> Dataset:
        path, content = self._read("instances")
        blocks = read_annotations(path, content)
        sentences = tuple(chain.from_iterable(map(self.sentences, blocks)))
        return Dataset(sentences, hashlib.sha256(content).hexdigest())

    def blocks(self) -> list[Block]:
        """Read the annotations as they are."""
        return read_annotations(*self._read("instances"))

    def sentences(self, block: Block) -> Iterator[Sentence]:
        """Yield the sentences of a story, with what people corrected in each."""
        published, corrected = (self._with(block, gold) for gold in ("published", "corrected"))
        for row, before, after in zip(block.rows(), published, corrected, strict=True):
            if self.gold == "published":
                yield before
            elif not row.is_corrected or after.formula == before.formula is not None:
                yield after
            else:
                correction = Correction([KIND], row.reason or "", EVIDENCE, before.formula)
                yield replace(after, correction=correction, regained=before.reason if after.reason is None else None)

    def _with(self, block: Block, gold: Formulas) -> list[Sentence]:
        formulas, problem = block.formulas(gold)
        story = Story(block.name, block.texts, formulas)
        sentences = story_sentences(story, {}, exclude=self.exclusive_or == "exclude")
        if problem is None:
            return sentences
        count = len(block.sentences)
        detail = f"story {block.name}: {problem}; split it by hand"
        return [
            replace(sentence, reason=Reason.UNMATCHED, detail=detail) if sentence.index < count else sentence
            for sentence in sentences
        ]

    @override
    def ontologies(self) -> Ontologies | None:
        """Read the ontology of each story; one that cannot be used is left out, and its sentences refused for it."""
        from nlfol.logic.errors import FormulaError
        from nlfol.logic.ontology.files import Ontologies
        from nlfol.logic.ontology.ontology import OntologyError

        if self.gold == "published":
            return None
        path, content = self._read("ontology")
        by_story: dict[str, Ontology] = {}
        for number, record in json_lines(path, content):
            try:
                row = _Vocabulary.model_validate(record)
            except ValidationError as error:
                raise SourceError(f"{path}: line {number}: no ontology: {describe_faults(error, 'line')}") from error
            try:
                by_story[str(row.story)] = row.ontology()
            except (FormulaError, OntologyError):
                continue
        return Ontologies(hashlib.sha256(content).hexdigest(), by_story=by_story)


class _Relation(BaseModel):
    arity: int
    pos_meaning: str = ""
    neg_meaning: str = ""

    def predicate(self, name: str) -> Predicate:
        """Return the predicate; a gloss whose slots are not 0, 1, … in order is made of the name."""
        from nlfol.logic.ontology.derivation import derive
        from nlfol.logic.ontology.ontology import SLOT
        from nlfol.logic.syntax import Atom, Constant

        (plain,) = derive([Atom(name, tuple(Constant("a") for _ in range(self.arity)))]).predicates
        in_order = [str(place) for place in range(self.arity)]
        positive, negative = (
            _SLOT.sub(SLOT, gloss) if _SLOT.findall(gloss) == in_order and gloss.strip() else None
            for gloss in (self.pos_meaning, self.neg_meaning)
        )
        if positive is None:
            return plain
        return replace(plain, positive=positive, negative=negative or f"it is not the case that {positive}")


class _Vocabulary(BaseModel):
    story: int | str = Field(validation_alias=AliasChoices("story_id", "id"))
    relations: Mapping[str, _Relation] = Field({}, validation_alias="Rel")
    constants: Mapping[str, str] = Field({}, validation_alias="Const")

    def ontology(self) -> Ontology:
        """Return the ontology, with names as formulas can carry them; ``OntologyError`` if two become one."""
        from nlfol.logic.naming import valid_name
        from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology

        return Ontology(
            tuple(relation.predicate(valid_name(name)) for name, relation in self.relations.items()),
            (),
            tuple(ConstantSymbol(valid_name(name, constant=True), said) for name, said in self.constants.items()),
        )
