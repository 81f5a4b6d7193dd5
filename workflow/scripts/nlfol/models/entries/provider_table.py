"""The table of what models behind interfaces accept and cost (``resources/providers.yaml``).

A row holds for one provider, by its address, and the exact names of models there, or for all of its models; nothing is
guessed from a part of a name. A model's row takes precedence over its provider's, value by value, and the entry's own
``capabilities`` and ``price`` over both. A model in no row is sent everything, and has tokens but no cost.
"""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

import yaml
from pydantic import AnyHttpUrl, Field, TypeAdapter, ValidationError, model_validator

from nlfol.models.entries.base import Part
from nlfol.models.entries.prices import Price, StatedPrice
from nlfol.validation import read_yaml

Structure = Literal["json_schema", "json_object", "json_object_schema", "grammar", "none"]
"""Means of telling an interface the form of answers: a strict schema (answers are held to it); to be some JSON
object; to be a JSON object, with the schema beside it, as llama-cpp-python takes it; the grammar of the local loop, for
servers with llguidance, which holds permutations and leaves no white space; or not at all."""

STRUCTURES: tuple[Structure, ...] = tuple(name for name in get_args(Structure) if name != "grammar")
"""Those that OpenAI's API may have."""

Bound = Literal["maxLength", "minItems", "maxItems", "uniqueItems"]
"""Keywords of a schema that bound the length of texts and lists, or forbid equal members."""

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""Efforts of reasoning."""


class Capabilities(Part):
    """Parameters that a model accepts; by default all that OpenAI's API knows."""

    temperature: bool = True
    top_p: bool = True
    seed: bool = True
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    """The parameter that bounds a completion."""
    structured: tuple[Structure, ...] = STRUCTURES
    """The forms of ``response_format`` that are honoured."""
    bounds: tuple[Bound, ...] = ()
    """The bounds that answers are held to; a schema is sent without the others."""
    logprobs: bool = True
    """Log-probabilities of the tokens of an answer."""
    prompt_logprobs: bool = False
    """Log-probabilities of the tokens of a prompt (``prompt_logprobs``), by which options are compared."""
    template: bool = True
    """Variables of the chat template (``chat_template_kwargs``)."""
    reasoning_effort: tuple[Effort, ...] = get_args(Effort)
    """The values it may take; none where the model has no such parameter."""
    instructions: Literal["system", "developer", "user"] = "system"
    """The role that carries instructions; ``user`` puts them before the question, in one message."""


class ProviderTableError(ValueError):
    """A table that cannot be read, or an entry that asks for something that its model does not accept."""


class _Row(Part):
    provider: AnyHttpUrl
    models: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """Exact names; None is every model of the provider."""
    accepts: Capabilities | None = None
    price: StatedPrice | None = None
    source: AnyHttpUrl
    """The source of the capabilities."""
    read: date
    """Day on which that was read."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.accepts is None) == (self.price is None):
            raise ValueError("a row has either accepts or price, each with its own source")
        if self.price is not None and self.models is None:
            raise ValueError("a price is that of a model; add models")
        return self


_ANY = ""
"""Stands for every model of a provider."""
_ROWS = TypeAdapter(tuple[_Row, ...])


class ProviderTable:
    """A table's rows by provider and model; raises ``ProviderTableError`` if the file is unusable, or has one twice."""

    def __init__(self, path: Path) -> None:
        try:
            rows = _ROWS.validate_python(read_yaml(path))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise ProviderTableError(f"{path}: cannot be read as YAML: {error}") from error
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise ProviderTableError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        self._accepts: dict[str, Capabilities] = {}
        self._prices: dict[str, Price] = {}
        for row in rows:
            for model in row.models or (_ANY,):
                key = _place(str(row.provider), model)
                if key in (self._prices if row.accepts is None else self._accepts):
                    raise ProviderTableError(f"{path}: {model or 'all'} of {row.provider} has two rows; leave one")
                if row.accepts is not None:
                    self._accepts[key] = row.accepts
                if row.price is not None:
                    stated = row.price.model_dump()
                    self._prices[key] = Price(**stated, read=row.read, source=str(row.source))

    def accepted(self, url: str, model: str, known: Capabilities) -> Capabilities:
        """Return what a model at an address accepts; ``known`` where the table is silent."""
        for name in (_ANY, model):
            if (row := self._accepts.get(_place(url, name))) is not None:
                known = known.model_copy(update=row.model_dump(exclude_unset=True))
        return known

    def price(self, url: str, model: str) -> Price | None:
        """Return the price of a model at an address; None where the table has none."""
        return self._prices.get(_place(url, model))


def _place(url: str, model: str) -> str:
    """Return a model at an address, however the address ends."""
    return f"{url.rstrip('/')} {model}"
