"""The entry of a model whose server the workflow itself starts, shares between jobs, and stops."""

from __future__ import annotations

import re
from typing import Any, Literal, Self

from pydantic import Field, PositiveFloat, field_validator, model_validator

from nlfol.models.entries.base import Part
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.source import REPOSITORY, Commit
from nlfol.store.canonical import canonical

NOT_OF_AN_ENTRY = (
    *("--", "--api-key", "--config", "--hf-token", "--host", "--model", "--port", "--revision"),
    *("--served-model-name", "--tokenizer-revision", "--uds"),
)
"""What the workflow tells vLLM itself, what would hide arguments from the identity (a file of them), and keys."""

_OF_OTHERS = ("base_url", "query", "api_key_env", "key_header", "price", "batch")
"""What an entry says of somebody else's server."""


class VllmServer(Part):
    """By ``vllm serve``, on the machine where the jobs run that ask."""

    kind: Literal["vllm"]
    revision: Commit
    """Of the model's repository on the hub, the full commit hash: a branch or a tag can move."""
    arguments: tuple[str, ...] = ()
    """Further ones of the command, such as ``--max-model-len=8192``; all of them are part of the model's identity."""
    start: PositiveFloat = Field(default=1800.0, exclude=True)
    """Seconds that it may take from the start to the first answer. No answer depends on it, so it is left out wherever
    an entry is written down."""

    @field_validator("arguments")
    @classmethod
    def _of_the_model(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for argument in value:
            name = argument.partition("=")[0].replace("_", "-")
            if name in NOT_OF_AN_ENTRY or name.startswith("--ssl-"):
                raise ValueError(f"{name} is not for an entry to say; take it out")
        return value


class ServableInterface(Interface):
    """An OpenAI-compatible interface: that of a server which is there, or of one that the workflow starts."""

    serve: VllmServer | None = None
    """How the workflow is to serve the model; None where somebody else does."""

    @model_validator(mode="before")
    @classmethod
    def _without_a_key(cls, value: Any) -> Any:
        served = isinstance(value, dict) and value.get("serve") is not None
        return {"api_key_env": None, **value} if served else value

    @model_validator(mode="after")
    def _served_or_addressed(self) -> Self:
        if self.serve is None:
            return self
        if given := [name for name in _OF_OTHERS if getattr(self, name, None)]:
            raise ValueError(
                "serve starts a server of the workflow's own, which answers single requests and costs nothing: "
                f"take out {', '.join(given)}, or serve"
            )
        if not re.fullmatch(REPOSITORY, self.model):
            raise ValueError(f"serve: model {self.model!r} is no repository of the hub; write it as owner/name")
        return self

    @property
    def runs_here(self) -> bool:
        """Whether the workflow itself serves the model."""
        return self.serve is not None

    @property
    def url(self) -> str:
        """The interface's address, without a slash at its end.

        Raises:
            ValueError: if it is that of a server which has not been started.
        """
        if self.serve is not None and self.base_url is None:
            raise ValueError(f"{self.identity}: has no address before its server runs")
        return super().url

    @property
    def address(self) -> list[str]:
        """The first parts of an identity: interface and model, or what is served and how, wherever it is."""
        if self.serve is None:
            return super().address
        arguments = [f"arguments={canonical(self.serve.arguments)}"] if self.serve.arguments else []
        return [f"{self.serve.kind}:{self.model}@{self.serve.revision}", *arguments]
