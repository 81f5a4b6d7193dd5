"""The block of the configuration that says where a dataset comes from; paths are relative to the working directory."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nlfol.datasets.errors import DatasetError


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FolioSpecification(_Block):
    """FOLIO v0.0, from its publisher or from a copy.

    Attributes:
        reader: ``folio``.
        path: a copy of the file; null downloads it.
        pin: the file that says where it is published and what its SHA-256 is.
        ontology: a folder or file of ontologies; null derives one for each story.
        exclusive_or: whether formulas with ⊕ are refused, as in the paper, or kept.
    """

    reader: Literal["folio"]
    path: str | None = None
    pin: str = "resources/datasets/folio/pin.json"
    ontology: str | None = None
    exclusive_or: Literal["exclude", "include"] = "exclude"


class TableSpecification(_Block):
    """A table with the columns story, text and formula.

    Attributes:
        reader: ``table``.
        path: a .csv, .jsonl, .ndjson, .parquet, .arrow or .feather file.
        ontology: a file of ontologies; null derives one for each story.
    """

    reader: Literal["table"]
    path: str
    ontology: str | None = None


Specification = Annotated[FolioSpecification | TableSpecification, Field(discriminator="reader")]
"""Any of the blocks, told apart by ``reader``."""

_ADAPTER: TypeAdapter[FolioSpecification | TableSpecification] = TypeAdapter(Specification)


def specification_from_json(text: str) -> FolioSpecification | TableSpecification:
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
        raise DatasetError(f"dataset specification: {problems}") from error
