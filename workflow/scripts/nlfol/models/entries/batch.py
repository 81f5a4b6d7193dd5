"""How an entry has its requests answered in batches instead of one by one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PositiveFloat, PositiveInt

from nlfol.models.entries.base import Part

MOST_REQUESTS = 50_000
"""Of a batch, by OpenAI's documentation."""


class ProviderBatch(Part):
    """By the interface's own batches: ``/files`` and ``/batches``, as OpenAI has them."""

    kind: Literal["openai"] = "openai"
    requests: Annotated[PositiveInt, Field(le=MOST_REQUESTS)] = MOST_REQUESTS
    """Of one batch, at most."""
    megabytes: PositiveFloat = 100.0
    """Of the file of one batch, at most."""
    interval: PositiveFloat = 60.0
    """Seconds between two looks at batches in flight."""


class VllmBatch(Part):
    """By ``vllm run-batch``, which loads the model itself, on the machine where the job runs."""

    kind: Literal["vllm"]
    arguments: tuple[str, ...] = ()
    """Further ones of the command, such as ``--max-model-len=8192``."""


def _whole(value: Any) -> Any:
    if value is True:
        return {"kind": "openai"}
    if value is False:
        return None
    return {"kind": "openai", **value} if isinstance(value, dict) else value


Batch = Annotated[Annotated[ProviderBatch | VllmBatch, Field(discriminator="kind")] | None, BeforeValidator(_whole)]
"""``true`` is the interface's own batches, ``false`` none."""
