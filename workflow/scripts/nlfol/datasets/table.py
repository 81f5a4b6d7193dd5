"""Bring your own: a table with the columns story, text and formula, as CSV, JSON Lines, Parquet or Arrow (Feather)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from nlfol.datasets.entries.sentences import TableEntry
from nlfol.datasets.errors import DatasetError
from nlfol.datasets.patches import Patch, correct, read_patches
from nlfol.datasets.reason import Reason
from nlfol.datasets.records import read_records
from nlfol.datasets.repairing import scope_repairs
from nlfol.datasets.sentence import Dataset, Sentence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables, signature
from nlfol.logic.reading import read
from nlfol.validation import read_bytes


def read_table(entry: TableEntry) -> Dataset:
    """Read a table; each row is a sentence, numbered within its story in the order of the rows.

    Formulas are read strictly: nothing is mended but the scope of quantifiers, which is recorded.

    Raises:
        DatasetError: if the file is missing, empty, damaged, not UTF-8, of an ending that is not understood, or lacks a
            column, or the patch file does not fit it.
    """
    path = Path(entry.path)
    try:
        content = read_bytes(path)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror}); correct the key 'path'") from error
    records = read_records(path, content)
    if not records.rows:
        raise DatasetError(f"{path}: no rows below the header; add sentences")
    notes = (f"{path}: the columns {records.unused} are not used",) if records.unused else ()
    indices: Counter[str] = Counter()
    sentences: list[Sentence] = []
    for number, (story, text, formula) in enumerate(records.rows, 1):
        if story:
            sentence = _sentence(story, indices[story], text, formula)
        else:
            detail = f"row {number} has no story; name one"
            sentence = Sentence.refused("", indices[""], text, formula, reason=Reason.EMPTY_STORY, detail=detail)
        indices[story] += 1
        sentences.append(sentence)
    sentences = _without_repetition(sentences)
    patches = [read_patches(Path(file)) for file in entry.patch_files]
    for patch_file in patches:
        patch_file.check(sentences)
        sentences = _without_repetition(
            [_corrected(sentence, patch_file.by_item.get(sentence.item)) for sentence in sentences]
        )
    digest = hashlib.sha256(content).hexdigest()
    return Dataset(tuple(sentences), digest, notes, patches[0].digest if patches else None)


def _without_repetition(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences, with each refused that says again what an earlier one says, however its formula is spaced."""
    first: dict[tuple[str, str, str], str] = {}
    distinct: list[Sentence] = []
    for sentence in sentences:
        item = sentence.item
        if sentence.reason not in (Reason.EMPTY_TEXT, Reason.EMPTY_STORY, Reason.DUPLICATE):
            said = (sentence.story, sentence.text, sentence.formula or sentence.source_formula)
            item = first.setdefault(said, item)
        detail = f"the same story, text and formula as {item}; delete one of the rows"
        repeated = replace(sentence, reason=Reason.DUPLICATE, detail=detail, regained=None)
        distinct.append(sentence if item == sentence.item else repeated)
    return distinct


def _corrected(sentence: Sentence, patch: Patch | None) -> Sentence:
    if patch is None or sentence.reason is Reason.DUPLICATE:
        return sentence
    return correct(sentence, _sentence(sentence.story, sentence.index, sentence.text, patch.formula), patch)


def _sentence(story: str, index: int, text: str, formula: str) -> Sentence:
    def refused(reason: Reason, detail: str) -> Sentence:
        return Sentence.refused(story, index, text, formula, reason=reason, detail=detail)

    if not text:
        return refused(Reason.EMPTY_TEXT, "the row has no text; write the sentence")
    if not formula:
        return refused(Reason.EMPTY_FORMULA, "the row has no formula; write one")
    try:
        reading = read(formula)
    except FormulaSyntaxError as error:
        return refused(Reason.SYNTAX, f"{error}; correct the formula")
    repairs = scope_repairs(formula, reading)
    if free := sorted(variable.name for variable in free_variables(reading.formula)):
        detail = f"no quantifier binds {', '.join(free)}; bind it, or give a constant another name than a variable's"
        return Sentence.refused(
            story,
            index,
            text,
            formula,
            reason=Reason.OPEN_FORMULA,
            detail=detail,
            formula=reading.formula,
            repairs=repairs,
        )
    try:
        signature(reading.formula)
    except SignatureError as error:
        return refused(Reason.ARITY_CONFLICT, f"{error}; give each use a name of its own")
    return Sentence.usable(story, index, text, formula, formula=reading.formula, repairs=repairs)
