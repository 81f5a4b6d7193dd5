"""List the sentences that may stand for the statements of each problem, for a model to pick from."""

from pathlib import Path

from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.tasks.registry import build_task
from nlfol.tasks.rewrites import assembling_row, bounds_of, offered_sets, write_items


def main(  # noqa: PLR0917
    dataset_json: str,
    dataset: str,
    task_json: str,
    problems: Path,
    proposals: Path,
    similarities: Path,
    output: Path,
    *,
    seed: int | None,
) -> None:
    """Write the ITEMS file of the problems for which there is something to choose."""
    bounds = bounds_of(dataset_json, seed)
    rows = [
        assembling_row(problem, sets)
        for problem, sets in offered_sets(problems, proposals, similarities, bounds)
        if any(len(several) > 1 for several in sets)
    ]
    write_items(output, rows, dataset, build_task(task_json), [problems, proposals, similarities])
    LOGGER.info(f"{dataset}: {len(rows)} problems for the assembler")


if __name__ == "__main__":
    run_job(main)
