"""Paired contrasts: what changes between two series of scores of the same items."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from nlfol.statistics.differences import difference, holm
from nlfol.statistics.series import Series


def paired(
    first: Series, second: Series, means: tuple[str, str] | None = None, name: str = "difference"
) -> dict[str, Any] | None:
    """Compare the means over common items: the columns of ``store.columns.contrast`` but ``adjusted``.

    Args:
        first: scores of each item.
        second: the others, which are subtracted.
        means: what the means of both are called; None leaves them out.
        name: what the difference is called.

    Returns:
        None without common items.
    """
    common = first.items.join(second.items, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    scores, others = common["score"].to_list(), common["score_second"].to_list()
    found = asdict(difference(scores, others, common["story"].to_list()))
    of_means = (common["score"].mean(), common["score_second"].mean())
    return {
        **dict(zip(means or (), of_means if means else (), strict=True)),
        "available": first.source.available,
        name: found.pop("mean"),
        **found,
    }


def adjust(family: Sequence[dict[str, Any]]) -> None:
    """Adjust the p-values of rows that are one family, by Holm."""
    for row, adjusted in zip(family, holm([row["p"] for row in family]), strict=True):
        row["adjusted"] = adjusted
