"""What a model behind an OpenAI-compatible interface accepts: a table in data, and what an entry declares.

A row of the table holds for one provider, by its address, and the exact names of models there; nothing is guessed from
a part of a name. What an entry declares under ``capabilities`` takes the place of the row's values, one by one. A model
that is in no row is sent everything.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AnyHttpUrl, Field, TypeAdapter

from nlfol.models.entries.base import Part
from nlfol.models.entries.provider_table import place, rows_by_model

Structure = Literal["json_schema", "json_object", "json_object_schema", "none"]
"""How an interface is told what an answer must look like: by a strict schema (answers are held to it); to be some JSON
object; to be a JSON object, with the schema beside it, as llama.cpp takes it; or not at all."""

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""How much a model is to reason."""


class CapabilityError(ValueError):
    """A capability table that cannot be read, or an entry that asks of a model what it does not accept."""


class Capabilities(Part):
    """Which parameters a model accepts; the defaults are everything that OpenAI's interface knows."""

    temperature: bool = True
    top_p: bool = True
    seed: bool = True
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    """The parameter that bounds a completion."""
    structured: tuple[Structure, ...] = ("json_schema", "json_object", "json_object_schema", "none")
    """The forms of ``response_format`` that are honoured."""
    reasoning_effort: tuple[Effort, ...] = ("none", "minimal", "low", "medium", "high", "xhigh")
    """The values it may take; none where the model has no such parameter."""
    instructions: Literal["system", "developer", "user"] = "system"
    """The role that carries instructions; ``user`` puts them before the question, in one message."""


class _Row(Part):
    provider: AnyHttpUrl
    models: Annotated[tuple[str, ...], Field(min_length=1)]
    accepts: Capabilities
    source: AnyHttpUrl
    """Where it is said."""
    checked: date
    """When that was read."""


_ROWS = TypeAdapter(tuple[_Row, ...])


class CapabilityTable:
    """The rows of a table, by provider and model.

    Args:
        path: a YAML file, a list of rows.

    Raises:
        CapabilityError: if it is no such file, or names a model twice.
    """

    def __init__(self, path: Path) -> None:
        self._rows = rows_by_model(path, _ROWS, CapabilityError)

    def of(self, url: str, model: str, known: Capabilities = Capabilities()) -> Capabilities | None:  # noqa: B008
        """Return what a model at an address accepts; None where the table does not say.

        Args:
            url: the address.
            model: the model's name there.
            known: what the provider's models accept, where the row is silent.
        """
        row = self._rows.get(place(url, model))
        return None if row is None else known.model_copy(update=row.accepts.model_dump(exclude_unset=True))
