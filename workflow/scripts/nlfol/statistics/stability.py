"""What other words change: the score on originals less that on the same problems in other words, by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlfol.statistics.aligned import Aligned, Entries, wording
from nlfol.statistics.comparisons import adjust
from nlfol.statistics.drift import dispersion
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED
from nlfol.statistics.thinking import paired

RIGHT = "right"


def stability(series: Iterable[Series], loaded: Iterable[Aligned], entries: Entries) -> list[dict[str, Any]]:
    """The rows of ``stability_schemas.STABILITY``, in the order of the series.

    The p-values of all models are one family and are adjusted together (``differences.holm``); references are marks,
    and chance knows no words.

    Args:
        series: of tasks on problems.
        loaded: the programs of these jobs.
        entries: of the datasets.
    """
    programs = {(one.about["dataset"], one.about["task"], one.about["model"]): one for one in loaded}
    asked = {
        (one.source.dataset, one.source.task, one.source.model, one.presentation): one
        for one in series
        if one.metric == RIGHT and one.source.kind != "chance"
    }
    rows = []
    for (dataset, task, model, presentation), one in asked.items():
        original = asked.get((entries[dataset].get("of", ""), task, model, presentation))
        found = None if original is None else paired(original, one)
        if original is not None and found is not None:
            both = [programs.get((name, task, model)) for name in (original.source.dataset, dataset)]
            rows.append(_row(one, found, both, entries))
    adjust([row for row in rows if row["kind"] in COMPARED])
    return rows


def _row(one: Series, found: Mapping[str, Any], programs: Sequence[Aligned | None], entries: Entries) -> dict[str, Any]:
    source, (before, after) = one.source, programs
    drop = {**found, "right_original": found["score"], "right": found["score_second"], "drop": found["difference"]}
    for name in ("score", "score_second", "difference"):
        del drop[name]
    return {
        **{name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")},
        **wording(source.dataset, entries),
        "presentation": one.presentation,
        "strategy": None if after is None else after.about["strategy"],
        "adjusted": None,
        **drop,
        **common_dispersion("dispersion_original", before, after),
        **common_dispersion("dispersion", after, before),
    }


def common_dispersion(name: str, own: Aligned | None, other: Aligned | None) -> dict[str, float | None]:
    """The dispersion of programs, of the items that others are about, too; null where either is missing.

    Args:
        name: what it is called.
        own: the programs.
        other: the others.
    """
    common = set() if other is None else {row["item"] for row in other.rows}
    rows = () if own is None else own.rows
    return dispersion([row for row in rows if row["item"] in common and row["status"] == "aligned"], name)
