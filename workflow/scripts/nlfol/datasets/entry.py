"""The block of the configuration that says where a dataset comes from; paths are relative to the working directory."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from nlfol.datasets.entries.diversified import DiversifiedEntry
from nlfol.datasets.entries.generated import GrammarEntry
from nlfol.datasets.entries.problems import (
    ArLsatEntry,
    FamilyEntry,
    FileEntry,
    LogicalDeductionEntry,
    LogievalEntry,
    ProblemsBlock,
    ProntoQAEntry,
    ProofWriterEntry,
)
from nlfol.datasets.entries.sentences import FolioEntry, SentencesEntry, TableEntry
from nlfol.datasets.errors import DatasetError
from nlfol.validation import describe_faults

ProblemsEntry = Annotated[
    FamilyEntry
    | ProofWriterEntry
    | ProntoQAEntry
    | LogicalDeductionEntry
    | ArLsatEntry
    | FileEntry
    | LogievalEntry
    | DiversifiedEntry,
    Field(discriminator="reader"),
]
"""Any source of problems."""

AnyEntry = FolioEntry | TableEntry | GrammarEntry | ProblemsBlock
"""The same for type checkers."""

DatasetEntry = Annotated[FolioEntry | TableEntry | GrammarEntry | ProblemsEntry, Field(discriminator="reader")]
"""Any of the blocks, told apart by ``reader``."""

_ADAPTER: TypeAdapter[AnyEntry] = TypeAdapter(DatasetEntry)


def read_sentences_entry(text: str) -> SentencesEntry | GrammarEntry:
    """The same as ``read_entry`` of a dataset that holds no problems.

    Raises:
        DatasetError: as there, and of one that does.
    """
    entry = read_entry(text)
    if isinstance(entry, ProblemsBlock):
        raise DatasetError("dataset entry: it holds problems, where one of sentences is needed")
    return entry


def read_problems_entry(text: str) -> ProblemsBlock:
    """The same of a dataset that holds problems.

    Raises:
        DatasetError: as there, and of one that does not.
    """
    entry = read_entry(text)
    if not isinstance(entry, ProblemsBlock):
        raise DatasetError("dataset entry: it holds sentences, where one of problems is needed")
    return entry


def read_entry(text: str) -> AnyEntry:
    """The block that a JSON text spells.

    Raises:
        DatasetError: naming each key at fault.
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        raise DatasetError(f"dataset entry: {describe_faults(error, 'entry')}") from error
