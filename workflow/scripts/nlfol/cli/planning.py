"""``nlfol plan``: how many items tell two models apart."""

from typing import Annotated

import typer

from nlfol.cli.lines import write


def plan(
    *,
    difference: Annotated[float, typer.Option(min=0.001, max=1, help="Difference of two models to tell.")] = 0.05,
    models: Annotated[int, typer.Option(min=2, help="Models, each compared with each.")] = 2,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of each item.")] = 3,
    mean: Annotated[float, typer.Option(min=0.01, max=0.99, help="Mean score of both models.")] = 0.5,
    together: Annotated[float, typer.Option(min=0, max=1, help="Correlation of two items of a story of 8.")] = 0.1,
) -> None:
    """Say how many items tell two models apart, for power .8 and .9 -> {"power", "items", "tarski"}.

    Also what the 208 items of tarski tell. "nlfol.statistics.planning" has the formula and its assumptions.
    """
    from nlfol.statistics.planning import Assumptions, detectable, items_needed

    given = Assumptions(mean=mean, together=together)
    write(
        {
            "power": power,
            "items": items_needed(difference, models, seeds, power, given),
            "tarski": round(detectable(208, models, seeds, power, given), 3),
        }
        for power in (0.8, 0.9)
    )
