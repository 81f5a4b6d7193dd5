"""What the entries of all models have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, PositiveInt

from nlfol.models.entries.resources import Resources


class Part(BaseModel):
    """Of an entry: nothing unknown is accepted, and nothing given comes back in an error: it may be a key."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Entry(Part):
    """One model's entry."""

    items: PositiveInt | None = None
    """How many items of a task are asked, drawn by the experiment's seed; None is all."""
    resources: Resources = Resources()
    """What its jobs may use; no part of what answers depend on."""
