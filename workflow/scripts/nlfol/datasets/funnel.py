"""The funnel: how many sentences are left after the refusals of each step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.datasets.reason import STEPS, Reason


@dataclass(frozen=True, slots=True)
class Fate:
    """A sentence, and the reason if a stage refused it."""

    item: str
    story: str
    reason: str | None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a funnel: the sentences left after it, and those that it refused."""

    name: str
    left: Sequence[Fate]
    refused: Sequence[Fate] = ()

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of stories and sentences left."""
        return {"stories": len({fate.story for fate in self.left}), "sentences": len(self.left)}


def take_away(entering: Sequence[Fate], groups: Iterable[tuple[str, Collection[str]]]) -> Iterator[Step]:
    """Yield the steps that refused something.

    Args:
        entering: the sentences that there are.
        groups: name of each step, and the reasons that it takes away.
    """
    left = entering
    for name, reasons in groups:
        refused = [fate for fate in left if fate.reason in reasons]
        if refused:
            left = [fate for fate in left if fate.reason not in reasons]
            yield Step(name, left, refused)


def funnel(sentences: Iterable[Mapping[str, Any]], triples: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Count what remains, from the rows of the two files alone.

    Args:
        sentences: rows of the sentences file.
        triples: rows of the triples file of the same dataset; without them the funnel ends at the sentences.

    Returns:
        Mappings with ``step``, ``stories`` and ``sentences``: the first step is "as read", the last "usable", and
        between them stand those of ``reason.STEPS`` that took something away.

    Raises:
        ValueError: if a row has a reason that is not one of ``Reason``.
    """
    rows = list(sentences)
    reasons = {row["item"]: Reason(row["reason"]) for row in (*rows, *triples) if row["reason"] is not None}
    entering = [Fate(row["item"], row["story"], reasons.get(row["item"])) for row in rows]
    steps = [Step("as read", entering), *take_away(entering, STEPS)]
    return [{"step": step.name, **step.counts} for step in (*steps, Step("usable", steps[-1].left))]


def refusals(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Count the rows that each reason refused, in the order of ``Reason``."""
    fates = [Fate(row["item"], row["story"], row["reason"] and Reason(row["reason"])) for row in rows]
    return {step.name: len(step.refused) for step in take_away(fates, ((reason.value, {reason}) for reason in Reason))}
