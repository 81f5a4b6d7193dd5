"""Tables in data of what is known of models behind interfaces: rows by provider and exact name."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, TypeVar

import yaml
from pydantic import AnyHttpUrl, TypeAdapter, ValidationError

from nlfol.validation import read_yaml


class Row(Protocol):
    """A row holds for some models of one provider."""

    @property
    def provider(self) -> AnyHttpUrl:
        """The address of the interface."""
        ...

    @property
    def models(self) -> tuple[str, ...]:
        """The models' exact names there."""
        ...


AnyRow = TypeVar("AnyRow", bound=Row)


def rows_by_model(path: Path, rows: TypeAdapter[tuple[AnyRow, ...]], fault: type[Exception]) -> dict[str, AnyRow]:
    """The row of each model, by ``place``.

    Args:
        path: a YAML file, a list of rows.
        rows: what rows are.
        fault: the error to raise.

    Raises:
        fault: if it is no such file, or names a model twice.
    """
    try:
        read = rows.validate_python(read_yaml(path))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise fault(f"{path}: cannot be read as YAML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise fault(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    found: dict[str, AnyRow] = {}
    for row in read:
        for model in row.models:
            key = place(str(row.provider), model)
            if key in found:
                raise fault(f"{path}: {model} of {row.provider} has two rows; leave one")
            found[key] = row
    return found


def place(url: str, model: str) -> str:
    """A model at an address, however the address ends."""
    return f"{url.rstrip('/')} {model}"
