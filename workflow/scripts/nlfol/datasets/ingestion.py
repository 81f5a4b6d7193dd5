"""Reading whatever dataset a specification names."""

from __future__ import annotations

from typing import assert_never

from nlfol.datasets.sentence import Dataset
from nlfol.datasets.specification import FolioSpecification, TableSpecification


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
