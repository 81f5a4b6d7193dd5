"""Your own sentences: a table with the columns story, text and formula, in any format of ``nlfol.store.records``."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from nlfol.data.entries.block import PathText
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.reason import Reason
from nlfol.data.repairing import Attempt, attempt, quantifies_numbered
from nlfol.data.sentences import Dataset, Sentence
from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import signature
from nlfol.store.records import SourceError, read_content, read_table

if TYPE_CHECKING:
    from nlfol.data.patches import Patches

COLUMNS = ("story", "text", "formula")
"""The columns that a table must have."""


class TableEntry(SentencesEntry):
    """A table with the columns story, text and formula.

    Each row is a sentence, numbered within its story in the order of the rows. Formulas are read strictly: only the
    scope of quantifiers is repaired, and free names such as y2008 made constants in a story that quantifies no numbered
    variable, which is recorded. Without a file of ontologies, one is derived for each story.
    """

    reader: Literal["table"]
    path: PathText
    ontology: PathText | None = None

    @property
    @override
    def source_files(self) -> list[str]:
        return [self.path, *self.patch_files]

    @override
    def read(self) -> Dataset:
        path = Path(self.path)
        content = read_content(path)
        table = read_table(path, content)
        unused = _unused(path, table.columns)
        if not table.rows:
            raise SourceError(f"{path}: no rows below the header; add sentences")
        indices: Counter[str] = Counter()
        sentences: list[Sentence] = []
        # Without surrounding white space, "" for a missing one.
        rows = [
            [_text(f"{path}: {location}", column, row.get(column)) for column in COLUMNS]
            for location, row in table.rows
        ]
        formulas = ((story, attempt(text).formula) for story, _, text in rows)
        numbered = {story for story, formula in formulas if formula is not None and quantifies_numbered(formula)}
        for number, (story, text, formula) in enumerate(rows, 1):
            if story:
                sentence = _sentence(story, indices[story], text, formula, numbered)
            else:
                detail = f"row {number} has no story; name one"
                sentence = Sentence.of("", indices[""], text, formula, reason=Reason.EMPTY_STORY, detail=detail)
            indices[story] += 1
            sentences.append(sentence)
        sentences = _without_repetition(sentences)
        made, corrections = self.corrected(
            sentences, lambda patches: _without_repetition(_corrected(sentence, patches) for sentence in sentences)
        )
        notes = (f"{path}: the columns {unused} are not used",) if unused else ()
        digest = hashlib.sha256(content).hexdigest()
        return Dataset(made, digest, notes, corrections)


def _unused(path: Path, names: list[str]) -> list[str]:
    for column in COLUMNS:
        if names.count(column) > 1:
            raise SourceError(f"{path}: the column {column!r} occurs twice; keep one")
        if column not in names:
            raise SourceError(f"{path}: no column {column!r}; found {names}, expected {list(COLUMNS)}")
    return [name for name in names if name not in COLUMNS]


def _text(location: str, column: str, value: Any) -> str:
    if value is None:
        return ""
    if column == "story" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise SourceError(f"{location}: {column!r} holds {value!r:.80} where text is expected; quote it")
    return value.strip()


def _without_repetition(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Refuse each sentence that repeats an earlier one, however its formula is spaced."""
    first: dict[tuple[str, str, str], str] = {}
    distinct: list[Sentence] = []
    for sentence in sentences:
        item = sentence.item
        if sentence.reason not in (Reason.EMPTY_TEXT, Reason.EMPTY_STORY, Reason.DUPLICATE):
            key = (sentence.story, sentence.text, sentence.formula or sentence.source_formula)
            item = first.setdefault(key, item)
        detail = f"the same story, text and formula as {item}; delete one of the rows"
        repeated = replace(sentence, reason=Reason.DUPLICATE, detail=detail, regained=None)
        distinct.append(sentence if item == sentence.item else repeated)
    return distinct


def _corrected(sentence: Sentence, patches: Patches) -> Sentence:
    patch = patches.by_item.get(sentence.item)
    if patch is None or sentence.reason is Reason.DUPLICATE:
        return sentence
    return patches.correct(sentence, _sentence(sentence.story, sentence.index, sentence.text, patch.formula))


def _sentence(story: str, index: int, text: str, formula: str, numbered: Collection[str] = ()) -> Sentence:
    """Read a sentence; ``numbered`` are the stories that quantify numbered variables."""
    tried = _read(text, formula, names_numbered=story not in numbered)
    return Sentence.of(
        *(story, index, text, formula, tried.formula), repairs=tried.repairs, reason=tried.reason, detail=tried.detail
    )


def _read(text: str, formula: str, *, names_numbered: bool) -> Attempt:
    if not text:
        return Attempt(None, (), Reason.EMPTY_TEXT, "the row has no text; write the sentence")
    if not formula:
        return Attempt(None, (), Reason.EMPTY_FORMULA, "the row has no formula; write one")
    tried = attempt(formula, names_numbered=names_numbered)
    if tried.formula is not None and tried.reason is None:
        try:
            signature(tried.formula)
        except SignatureError as error:
            return Attempt(None, (), Reason.ARITY_CONFLICT, f"{error}; give each use a name of its own")
    return tried
