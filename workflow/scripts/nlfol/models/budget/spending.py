"""What pays for requests, as those that send them see it; ``ledger`` is the one that there is."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

Q_contra = TypeVar("Q_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why a request is not sent.

    Attributes:
        message: spent, reserved, budget, and the remedy.
        pending: whether requests are under way whose replies may make room.
    """

    message: str
    pending: bool


class Purse(AbstractContextManager[Any], Protocol[Q_contra]):
    """Money for requests; to be entered before, and left when no more are sent."""

    def reserve(self, requests: Iterable[Q_contra]) -> Shortage | None:
        """Reserve what some requests may cost, all or none of it; None is that it is done."""
        ...

    def release(self, keys: Iterable[str]) -> None:
        """The replies to these requests are kept."""
        ...

    def beat(self) -> None:
        """Show that this process still runs."""
        ...
