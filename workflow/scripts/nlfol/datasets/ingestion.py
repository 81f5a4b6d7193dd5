"""Reading whatever dataset, and whatever ontologies, a specification names."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from nlfol.datasets.pin import Pin, cache_folder, fetch
from nlfol.datasets.sentence import Dataset
from nlfol.datasets.specification import PUBLISHED, FolioSpecification, TableSpecification
from nlfol.ontology.files import Ontologies, read_ontologies


def read_dataset(specification: FolioSpecification | TableSpecification) -> Dataset:
    """The sentences of a dataset, refused ones among them.

    Raises:
        DatasetError: if the source cannot be read at all.
    """
    match specification:
        case FolioSpecification():
            from nlfol.datasets.folio import read_folio

            return read_folio(specification)
        case TableSpecification():
            from nlfol.datasets.table import read_table  # polars is loaded for tables only

            return read_table(specification)
        case _:
            assert_never(specification)


def read_dataset_ontologies(specification: FolioSpecification | TableSpecification) -> Ontologies | None:
    """The ontologies of a dataset, or None where they are to be derived.

    Raises:
        DatasetError: if published ones cannot be had.
        OntologyError: if they cannot be read.
    """
    if specification.ontology is None:
        return None
    if isinstance(specification, FolioSpecification) and specification.ontology == PUBLISHED:
        kept = [fetch(Pin.from_file(Path(pin)), cache_folder()) for pin in specification.ontology_pins]
        return read_ontologies(kept[0].parent)
    return read_ontologies(Path(specification.ontology))
