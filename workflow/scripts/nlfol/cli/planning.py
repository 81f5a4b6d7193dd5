"""``nlfol plan``: how many items tell two models apart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from nlfol.cli.lines import write

POWERS = (0.8, 0.9)


def plan(
    *,
    difference: Annotated[float, typer.Option(min=0.001, max=1, help="Difference of two models to detect.")] = 0.05,
    models: Annotated[int, typer.Option(min=2, help="Number of models, compared pairwise.")] = 2,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds per item.")] = 3,
    mean: Annotated[float, typer.Option(min=0.01, max=0.99, help="Mean score of both models.")] = 0.5,
    together: Annotated[float, typer.Option(min=0, max=1, help="Correlation of two items of a story of 8.")] = 0.1,
    results: Annotated[
        Path | None, typer.Option("--from", help="Results of a run to plan from, in place of --mean and --together.")
    ] = None,
) -> None:
    """Say how many items tell two models apart, for power .8 and .9 -> {"power", "items", "tarski"}.

    Also what the 208 items of tarski tell; with --from of each task of that run, and what its own items tell ->
    {"dataset", "task", "power", "items", "here"}. "nlfol.statistics.planning" has the formula and its assumptions.
    """
    from nlfol.statistics.planning import Assumptions, detectable, items_needed

    if results is not None:
        write(_from(results, difference, models, seeds))
        return
    given = Assumptions(mean=mean, together=together)
    write(
        {
            "power": power,
            "items": items_needed(difference, models, seeds, power, given),
            "tarski": round(detectable(208, models, seeds, power, given), 3),
        }
        for power in POWERS
    )


def _from(results: Path, difference: float, models: int, seeds: int) -> Iterator[dict[str, Any]]:
    from nlfol.analyses.analysis import schema_of
    from nlfol.statistics.pilots import pilots
    from nlfol.statistics.planning import detectable, items_needed
    from nlfol.store.files import StoreError, rows

    names = ("cells", "variances", "differences")
    try:
        read = [list(rows(results / "tables" / f"{name}.arrow", schema_of(name))) for name in names]
    except StoreError as error:
        raise typer.BadParameter(str(error), param_hint="--from") from error
    for pilot in pilots(*read):
        for power in POWERS:
            yield {
                "dataset": pilot.dataset,
                "task": pilot.task,
                "power": power,
                "items": items_needed(difference, models, seeds, power, pilot.given),
                "here": round(detectable(pilot.items, models, seeds, power, pilot.given), 3),
            }
