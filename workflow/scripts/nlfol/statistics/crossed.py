"""Who formalizes whose English: the informalizer and the formalizer of a round trip told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.series import Series


def crossed(asked: Iterable[tuple[str, Series]]) -> list[dict[str, Any]]:
    """The rows of ``round_trip_schemas.CROSSED``: one for each series, given whose English it is about."""
    rows = []
    for informalizer, one in asked:
        source = one.source
        found = clustered_mean(one.items["score"].to_list(), one.items["story"].to_list())
        rows.append(
            {
                **{name: getattr(source, name) for name in ("dataset", "task", "kind", "available")},
                "informalizer": informalizer,
                "formalizer": source.model,
                "metric": one.metric,
                "seeds": one.seeds,
                **{name: getattr(found, name) for name in ("items", "stories", "mean", "low", "high")},
            }
        )
    return rows
