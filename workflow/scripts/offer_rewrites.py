"""List the sentences that may stand for the statements of each problem, for a model to pick from."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.store.logs import LOGGER, job_log
from nlfol.store.parameters import entry_of
from nlfol.tasks.registry import build_task
from nlfol.tasks.rewrites import assembling_row, bounds_of, offered_sets, write_items

if TYPE_CHECKING:
    snakemake: Any


def main(  # noqa: PLR0917
    entry_json: str,
    name: str,
    task_json: str,
    problems: Path,
    proposals: Path,
    similarities: Path,
    output: Path,
    *,
    seed: int | None,
) -> None:
    """Write the ITEMS file of the problems for which there is something to choose."""
    bounds = bounds_of(entry_json, seed)
    rows = [
        assembling_row(problem, sets)
        for problem, sets in offered_sets(problems, proposals, similarities, bounds)
        if any(len(several) > 1 for several in sets)
    ]
    write_items(output, rows, name, build_task(task_json), [problems, proposals, similarities])
    LOGGER.info(f"{name}: {len(rows)} problems for the assembler")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            entry_of(snakemake.params, "dataset"),
            snakemake.wildcards.dataset,
            entry_of(snakemake.params, "task"),
            Path(snakemake.input.problems),
            Path(snakemake.input.proposals),
            Path(snakemake.input.similarities),
            Path(snakemake.output[0]),
            seed=snakemake.params.seed,
        )
