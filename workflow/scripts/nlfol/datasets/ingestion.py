"""Reading whatever dataset, and whatever ontologies, a entry names."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from nlfol.datasets.entries.sentences import PUBLISHED, FolioEntry, SentencesEntry, TableEntry
from nlfol.datasets.pin import Pin, cache_folder, fetch
from nlfol.datasets.sentence import Dataset
from nlfol.ontology.files import Ontologies, read_ontologies


def read_dataset(entry: SentencesEntry) -> Dataset:
    """The sentences of a dataset, refused ones among them.

    Raises:
        DatasetError: if the source cannot be read at all.
    """
    match entry:
        case FolioEntry():
            from nlfol.datasets.folio import read_folio

            return read_folio(entry)
        case TableEntry():
            from nlfol.datasets.table import read_table  # polars is loaded for tables only

            return read_table(entry)
        case _:
            assert_never(entry)


def read_dataset_ontologies(entry: SentencesEntry) -> Ontologies | None:
    """The ontologies of a dataset, or None where they are to be derived.

    Raises:
        DatasetError: if published ones cannot be had.
        OntologyError: if they cannot be read.
    """
    if entry.ontology is None:
        return None
    if isinstance(entry, FolioEntry) and entry.ontology == PUBLISHED:
        kept = [fetch(Pin.from_file(Path(pin)), cache_folder()) for pin in entry.ontology_pins]
        return read_ontologies(kept[0].parent)
    return read_ontologies(Path(entry.ontology))
