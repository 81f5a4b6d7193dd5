"""What fine-tuning changes: the score of a model with its adapter less that of its base, by item (MenTaL, table 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nlfol.statistics.aligned import Aligned
from nlfol.statistics.comparisons import adjust
from nlfol.statistics.series import Series
from nlfol.statistics.stability import RIGHT, common_dispersion
from nlfol.statistics.thinking import paired


class Origin(NamedTuple):
    """Where the adapter of a model comes from.

    Attributes:
        training: the training.
        base: the model that it trained.
    """

    training: str
    base: str


def trained(series: Iterable[Series], loaded: Iterable[Aligned], origins: Mapping[str, Origin]) -> list[dict[str, Any]]:
    """The rows of ``training_schemas.TRAINED``, in the order of the series.

    Beside the answers of the base to the same task stand those to the first task of the kind: so a model that was
    trained to write a table of concepts first is held against its base that writes none.

    Args:
        series: of tasks on problems; those of models without an origin are bases.
        loaded: the programs of these jobs.
        origins: of the models with a trained adapter.
    """
    programs = {(one.about["dataset"], one.about["task"], one.about["model"]): one for one in loaded}
    asked = {
        (one.source.dataset, one.source.task, one.source.model, one.presentation): one
        for one in series
        if one.metric == RIGHT
    }
    rows = []
    for (dataset, task, model, presentation), one in asked.items():
        if (origin := origins.get(model)) is None:
            continue
        of_base = [
            key[1]
            for key, other in asked.items()
            if (key[0], key[2], key[3]) == (dataset, origin.base, presentation)
            and other.source.task_kind == one.source.task_kind
        ]
        for base_task in dict.fromkeys([*([task] if task in of_base else []), *of_base[:1]]):
            found = paired(one, asked[dataset, base_task, origin.base, presentation])
            if found is not None:
                both = [programs.get(key) for key in ((dataset, task, model), (dataset, base_task, origin.base))]
                rows.append(_row(one, origin, base_task, found, both))
    adjust(rows)
    return rows


def _row(
    one: Series, origin: Origin, base_task: str, found: Mapping[str, Any], programs: Sequence[Aligned | None]
) -> dict[str, Any]:
    own, of_base = programs
    gain = {**found, "right": found["score"], "right_base": found["score_second"], "gain": found["difference"]}
    for name in ("score", "score_second", "difference"):
        del gain[name]
    return {
        **{name: getattr(one.source, name) for name in ("dataset", "task", "task_kind", "protocol", "model")},
        "presentation": one.presentation,
        "strategy": None if own is None else own.about["strategy"],
        **origin._asdict(),
        "base_task": base_task,
        "adjusted": None,
        **gain,
        **common_dispersion("dispersion_base", of_base, own),
        **common_dispersion("dispersion", own, of_base),
    }
