"""The block of the configuration that says where a dataset comes from; paths are relative to the working directory."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from nlfol.datasets.entries.generated import GrammarEntry
from nlfol.datasets.entries.sentences import FolioEntry, TableEntry
from nlfol.datasets.errors import DatasetError

AnyEntry = FolioEntry | TableEntry | GrammarEntry
"""The same for type checkers."""

DatasetEntry = Annotated[AnyEntry, Field(discriminator="reader")]
"""Any of the blocks, told apart by ``reader``."""

_ADAPTER: TypeAdapter[AnyEntry] = TypeAdapter(DatasetEntry)


def read_entry(text: str) -> AnyEntry:
    """The block that a JSON text spells.

    Raises:
        DatasetError: naming each key at fault.
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'block'}: {problem['msg']}"
            for problem in error.errors()
        )
        raise DatasetError(f"dataset entry: {problems}") from error
