"""What may be spent, as a block of the configuration; ``ledger`` holds it."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, PositiveFloat, model_validator

from nlfol.models.entries.base import Part
from nlfol.models.entries.prices import Currency


class Budget(Part):
    """What may be spent."""

    currency: Currency = "USD"
    total: PositiveFloat | None = None
    """For the whole experiment."""
    models: dict[Annotated[str, Field(min_length=1)], PositiveFloat] = Field(default_factory=dict)
    """For single models."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.total is None and not self.models:
            raise ValueError("a budget has a total, or amounts for models, or both")
        return self

    def covers(self, model: str) -> bool:
        """Whether a model's requests count against an amount."""
        return self.total is not None or model in self.models
