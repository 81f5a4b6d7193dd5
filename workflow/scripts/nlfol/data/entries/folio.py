"""FOLIO v0.0 (Han et al., arXiv 2209.00840; CC-BY-SA-4.0): the premises of its training stories.

The file has one row for each conclusion, which repeats the story's premises: the first row of each story counts. Its
formulas have syntax errors, most of them in names. Those that can be repaired without judgement are (``repairing``),
with each repair recorded; the others are refused with their reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import Field
from typing_extensions import override

from nlfol.data.entries.block import PathText, shipped
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.reason import Reason
from nlfol.data.repairing import Attempt, Renaming, attempt, balance, mend_signs, rename
from nlfol.data.sentences import Dataset, Repair, Sentence
from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import signature
from nlfol.logic.reading.strict import parse
from nlfol.mappings import JsonObject
from nlfol.store.records import SourceError, json_lines, read_content

if TYPE_CHECKING:
    from nlfol.data.patches import Patches
    from nlfol.logic.ontology.files import Ontologies

_SHIPPED = "resources/datasets/folio"

PUBLISHED = "published"
"""In place of a path: the ontologies as their authors publish them."""


class FolioEntry(SentencesEntry):
    """FOLIO v0.0, from its publisher as ``pin`` says or from a copy at ``path``.

    ``ontology`` is a folder or file; ``published`` downloads that of the NL-FOL-LT paper's authors (``ontology_pins``),
    null derives one for each story.
    """

    reader: Literal["folio"]
    patches: PathText | None = Field(default_factory=lambda: shipped(f"{_SHIPPED}/patches.jsonl"))
    accepted: PathText | None = Field(default_factory=lambda: shipped(f"{_SHIPPED}/accepted.jsonl"))
    path: PathText | None = None
    pin: str = Field(default_factory=lambda: shipped(f"{_SHIPPED}/pin.json"))
    ontology: PathText | None = None
    ontology_pins: tuple[str, ...] = Field(
        default_factory=lambda: tuple(shipped(f"{_SHIPPED}/{part}_pin.json") for part in ("predicates", "constants"))
    )
    exclusive_or: Literal["exclude", "include"] = "exclude"

    @property
    @override
    def source_files(self) -> list[str]:
        return [self.pin if self.path is None else self.path, *self.patch_files]

    @property
    @override
    def ontology_files(self) -> list[str]:
        return list(self.ontology_pins) if self.ontology == PUBLISHED else super().ontology_files

    @override
    def ontologies(self) -> Ontologies | None:
        if self.ontology != PUBLISHED:
            return super().ontologies()
        from nlfol.data.pin import Pin, fetch  # start-up time
        from nlfol.logic.ontology.files import read_ontologies

        kept = [fetch(Pin.from_file(Path(pin))) for pin in self.ontology_pins]
        return read_ontologies(kept[0].parent)

    @property
    @override
    def published_as(self) -> str:
        return "folio"

    @override
    def read(self) -> Dataset:
        from nlfol.data.pin import Pin, fetch

        path = Path(self.path) if self.path else fetch(Pin.from_file(Path(self.pin)))
        content = read_content(path)
        exclude = self.exclusive_or == "exclude"
        stories = _stories(path, content)
        sentences: dict[str, list[Sentence]] = {}
        notes: list[str] = []
        for story in stories:
            surplus = story.formulas[len(story.premises) :]
            if any(formula.strip() for formula in surplus):
                raise SourceError(f"{path}: story {story.name}: formulas without a premise: {surplus}; remove them")
            if surplus:
                notes.append(f"story {story.name}: ignored {len(surplus)} empty formula(s) after the last premise")
            sentences[story.name] = story_sentences(story, {}, exclude=exclude)
        made, corrections = self.corrected(
            [*chain.from_iterable(sentences.values())],
            lambda patches: chain.from_iterable(
                _corrected(story, sentences[story.name], patches, exclude=exclude) for story in stories
            ),
        )
        return Dataset(made, hashlib.sha256(content).hexdigest(), tuple(notes), corrections)


class Story(NamedTuple):
    """Premises and their formulas as published."""

    name: str
    premises: list[str]
    formulas: list[str]


def _stories(path: Path, content: bytes) -> list[Story]:
    stories: dict[str, Story] = {}
    first: dict[str, int] = {}
    for number, row in json_lines(path, content):
        if not isinstance(row.get("story_id"), int):
            raise SourceError(f"{path}: line {number}: no 'story_id'; expected FOLIO v0.0's folio-train.jsonl")
        name = str(row["story_id"])
        premises, formulas = (_texts(path, number, row, key) for key in ("premises", "premises-FOL"))
        story = Story(name, premises, formulas)
        first.setdefault(name, number)
        if stories.setdefault(name, story) != story:
            raise SourceError(
                f"{path}: line {number}: story {name} differs from the one on line {first[name]}; number each story "
                "once"
            )
    if not stories:
        raise SourceError(f"{path}: no stories; expected FOLIO v0.0's folio-train.jsonl")
    return list(stories.values())


def _texts(path: Path, number: int, row: JsonObject, key: str) -> list[str]:
    texts = row.get(key)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise SourceError(f"{path}: line {number}: {key!r} must be a list of texts")
    return texts


def _corrected(story: Story, published: list[Sentence], patches: Patches, *, exclude: bool) -> list[Sentence]:
    """Return the sentences of a story with its patches, which can also mend other sentences of the story."""
    own = {sentence.index: patches.by_item[sentence.item] for sentence in published if sentence.item in patches.by_item}
    if not own:
        return published
    corrected = story_sentences(story, {index: patch.formula for index, patch in own.items()}, exclude=exclude)
    return [patches.correct(before, after) for before, after in zip(published, corrected, strict=True)]


def story_sentences(story: Story, corrected: Mapping[int, str], *, exclude: bool) -> list[Sentence]:
    """Return the sentences of a story, mended or refused; corrected formulas are strict, by place in the story."""
    sources = [*story.formulas, *[""] * (len(story.premises) - len(story.formulas))][: len(story.premises)]
    signed = [mend_signs(source) for source in sources]
    # A corrected formula has valid names, so a repaired name that equals one of them is no collision.
    renaming = rename(text for index, (text, _) in enumerate(signed) if index not in corrected)
    attempts = [
        Attempt(parse(corrected[index])) if index in corrected else _mended(text, repairs, renaming)
        for index, (text, repairs) in enumerate(signed)
    ]
    try:
        signature(*(tried.formula for tried in attempts if tried.formula is not None))
        conflict = None
    except SignatureError as error:
        conflict = f"story {story.name}: {error}; give each use a name of its own"
    sentences: list[Sentence] = []
    for index, (premise, source, tried) in enumerate(zip(story.premises, sources, attempts, strict=True)):
        text, reason, detail = premise.strip(), tried.reason, tried.detail
        if not text:
            reason, detail = Reason.EMPTY_TEXT, f"story {story.name}: premise {index} is empty; write the sentence"
        elif conflict is not None:
            reason, detail = Reason.ARITY_CONFLICT, conflict
        elif exclude and "⊕" in corrected.get(index, source):
            reason, detail = Reason.EXCLUSIVE_OR, "the formula contains ⊕; keep such with 'exclusive_or: include'"
        sentences.append(
            Sentence.of(
                *(story.name, index, text, source, tried.formula), repairs=tried.repairs, reason=reason, detail=detail
            )
        )
    return sentences


def _mended(text: str, repairs: tuple[Repair, ...], renaming: Renaming) -> Attempt:
    if not text:
        return Attempt(None, repairs, Reason.EMPTY_FORMULA, "the source has no formula for it; write one")
    if collisions := renaming.collisions(text):
        name, other = min(collisions.items())
        return Attempt(None, repairs, Reason.NAME_COLLISION, f"made valid, {name!r} would be {other!r}; rename one")
    text, renamed = renaming.apply(text)
    repairs += renamed
    if text.count("(") != text.count(")"):
        readings = balance(text)
        if len(readings) != 1:
            return Attempt(None, repairs, Reason.UNBALANCED_PARENTHESES, _unbalanced(text, readings))
        repairs += (Repair("parenthesis", text, readings[0]),)
        text = readings[0]
    return attempt(text, repairs)


def _unbalanced(text: str, readings: list[str]) -> str:
    count = f"{text.count('(')} opening and {text.count(')')} closing parentheses"
    if not readings:
        return f"{count}, and no one of them that could be dropped or added makes it a formula; correct the formula"
    return f"{count}: it could be {readings[0]!r} or {readings[1]!r}; correct the formula"
