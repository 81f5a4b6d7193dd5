"""The registry of datasets' entries, and the ``datasets`` block of the configuration."""

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args

from pydantic import Field, TypeAdapter, ValidationError

from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.block import Block
from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.data.entries.family import FamilyEntry
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.folio_questions import FolioQuestionsEntry
from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.entries.logic_lm import ArLsatEntry, LogicalDeductionEntry, ProntoQAEntry, ProofWriterEntry
from nlfol.data.entries.logieval import LogievalEntry
from nlfol.data.entries.problem_table import ProblemTableEntry
from nlfol.data.entries.problems import ProblemsEntry
from nlfol.data.entries.proverqa import ProverQAEntry
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.entries.table import TableEntry
from nlfol.data.entries.verified import VerifiedEntry
from nlfol.plugins import registered
from nlfol.store.records import SourceError
from nlfol.validation import describe_faults

_OURS: Final[tuple[type[Block], ...]] = (
    *(FolioEntry, TableEntry, GrammarEntry, FamilyEntry, ProofWriterEntry, ProntoQAEntry, LogicalDeductionEntry),
    *(ArLsatEntry, FolioQuestionsEntry, ProverQAEntry, ProblemTableEntry, LogievalEntry, DiversifiedEntry),
    *(VerifiedEntry, AdequateEntry),
)

ENTRIES: Final = (
    *_OURS,
    *registered("readers", Block, [get_args(entry.model_fields["reader"].annotation)[0] for entry in _OURS]).values(),
)
"""The entries of all readers; a new one is named above."""

if TYPE_CHECKING:
    DatasetEntry = Block
else:
    DatasetEntry = Annotated[Union[ENTRIES], Field(discriminator="reader")]  # noqa: UP007
    """The entry of any reader."""

_ADAPTER: TypeAdapter[Block] = TypeAdapter(DatasetEntry)

_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}")


def read_sentences_entry(text: str) -> SentencesEntry | GrammarEntry:
    """Read the entry of a dataset of sentences from JSON; raises ``SourceError`` as ``read_entry``, or for problems."""
    entry = read_entry(text)
    if not isinstance(entry, SentencesEntry | GrammarEntry):
        raise SourceError("dataset entry: it holds problems, where one of sentences is needed")
    return entry


def read_problems_entry(text: str) -> ProblemsEntry:
    """Read the entry of a dataset of problems from JSON; raises ``SourceError`` as ``read_entry``, or for sentences."""
    entry = read_entry(text)
    if not isinstance(entry, ProblemsEntry):
        raise SourceError("dataset entry: it holds sentences, where one of problems is needed")
    return entry


def read_diversified_entry(text: str) -> DiversifiedEntry:
    """Read the entry of problems in other words from JSON; raises ``SourceError`` as ``read_entry``, or for others."""
    entry = read_entry(text)
    if not isinstance(entry, DiversifiedEntry):
        raise SourceError("dataset entry: its reader is not 'diversified'")
    return entry


def read_entry(text: str) -> Block:
    """Read an entry from JSON; raises ``SourceError`` naming each key at fault."""
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        raise SourceError(f"dataset entry: {describe_faults(error, 'entry')}") from error


def from_environment(entries: Any) -> Any:
    """Return the ``datasets`` block with every ``${VARIABLE}`` in its texts replaced by the variable's value.

    An entry with a key ``instead`` names another entry, which it replaces if all its variables are set, and which
    replaces it otherwise. So results never bear the name of a dataset that was not there. Datasets made of one that is
    left out (``of``) are left out, too. Raises ``ValueError`` if a variable of an entry without ``instead`` is not set,
    or ``instead`` names no other entry.
    """
    if not isinstance(entries, Mapping):
        return entries
    settled, left_out = dict[Any, Any](), set[Any]()
    for name, entry in entries.items():
        if not isinstance(entry, Mapping):
            settled[name] = entry
            continue
        values = dict(entry)
        instead = values.pop("instead", None)
        texts = [value for value in values.values() if isinstance(value, str)]
        missing = sorted({name for text in texts for name in _VARIABLE.findall(text) if not os.environ.get(name)})
        if instead is not None and (instead == name or instead not in entries):
            raise ValueError(f"{name}.instead names {instead!r}; name another entry of datasets")
        if missing and instead is None:
            raise ValueError(f"{name}: environment variable {missing[0]} is not set; set it to the path")
        if instead is not None:
            left_out.add(name if missing else instead)
        settled[name] = {
            key: _VARIABLE.sub(lambda match: os.environ.get(match[1], ""), value) if isinstance(value, str) else value
            for key, value in values.items()
        }
    return {
        name: entry
        for name, entry in settled.items()
        if name not in left_out and not (isinstance(entry, Mapping) and str(entry.get("of")) in left_out)
    }


def left_out(entries: Any) -> set[Any]:
    """Return the names of the entries that ``from_environment`` leaves out; none of a block that it refuses."""
    try:
        there = from_environment(entries)
    except ValueError:
        return set()
    return entries.keys() - there.keys() if isinstance(entries, Mapping) else set()


def root_of(datasets: Mapping[str, Block], name: str) -> str:
    """Return the dataset from whose problems those of a dataset are made, in as many steps as it takes."""
    while isinstance(block := datasets[name], ProblemsEntry) and block.made_of is not None:
        name = block.made_of
    return name
