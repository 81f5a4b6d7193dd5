"""Requests to embedding models behind interfaces, of several texts each, and their replies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nlfol.models.entries.embedding import Role
from nlfol.models.request import Ending
from nlfol.store.canonical import canonical, sha256


@dataclass(frozen=True)
class EmbeddingRequest:
    """Distinct texts to be encoded together, without the prompt of their role."""

    texts: tuple[str, ...]
    role: Role

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return sha256(canonical([self.role, *self.texts]))


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingReply:
    """The reply to one request, with float32 (texts, dimensions); ``declined`` where only a part may be taken."""

    key: str
    outcome: Ending
    vectors: npt.NDArray[np.float32] | None = None
    tokens: int | None = None
    seconds: float | None = None
    error: str | None = None
    attempts: int | None = None
    declined: bool = False
    served_model: str | None = None
    lost: int | None = None
