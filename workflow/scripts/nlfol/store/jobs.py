"""Jobs of Snakemake as calls of a script's ``main``, whose parameters have the names that the rule uses."""

import gc
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from inspect import signature
from pathlib import Path
from typing import Any

from nlfol.store.logs import job_log
from nlfol.store.parameters import entry_of, paths_of

Holding = Callable[[int], AbstractContextManager[object]]
"""From a number of GPUs to a context in which a job holds them."""


COLLECTED = (100_000, 20, 100)
"""Thresholds of the garbage collector in a job: rows and formulas are many, and no cycles."""


def run_job(main: Callable[..., None], holding: Holding = nullcontext, **made: Callable[[Any], Any]) -> None:
    """Call a script's ``main`` for the job that Snakemake gave the script as ``snakemake``; errors as ``job_log``.

    ``made`` has parameters that are made of the whole job, each by a function of it; for the others see ``arguments``.
    """
    job = main.__globals__["snakemake"]
    gc.set_threshold(*COLLECTED)
    with job_log(job.log[0]), holding(job.resources.get("gpu", 0)):
        main(**arguments(main, job) | {name: make(job) for name, make in made.items()})


def arguments(main: Callable[..., None], job: Any) -> dict[str, object]:
    """Return what a job has for a function's parameters, as their types want it; what it lacks is left out.

    A name is that of a parameter, output, input or wildcard of the rule, the first that there is. ``output`` is also
    the first output, ``outputs`` all, and ``NAME_json`` the entry of a block (``entry_of``). A type with ``of_job``
    takes the whole job. Where a path may be None, it is so for an empty text or list.
    """
    named = {"outputs": list(job.output), **dict(zip(["output"], job.output, strict=False))}
    for part in (job.wildcards, job.input, job.output, job.params):
        named |= part.items()
    values = {}
    for name, parameter in signature(main).parameters.items():
        block, kind = name.removesuffix("_json"), parameter.annotation
        if hasattr(kind, "of_job"):
            values[name] = kind.of_job(job)
        elif block != name and f"{block}_" in named:
            values[name] = entry_of(job.params, block)
        elif name in named:
            values[name] = _as(kind, named[name])
    return values


def _as(kind: object, value: Any) -> Any:
    if kind == Sequence[Path]:
        return paths_of(value)
    if kind == Path | None:
        return Path(value) if value else None
    return Path(value) if kind is Path else value
