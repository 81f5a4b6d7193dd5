"""List for each problem of a dataset the sentences that may stand for its statements, for a model to pick from."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.diversification.paper.assembling import Candidate, candidate_sets
from nlfol.problems import Problem
from nlfol.store import files
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.parameters import entry_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import PROPOSALS, SIMILARITIES
from nlfol.tasks.registry import build_task
from nlfol.tasks.stage import assembling_row, write_items

if TYPE_CHECKING:
    snakemake: Any

MOST = 12
"""Sentences that are offered for a statement beside the statement itself: the most similar ones."""


def main(name: str, task_json: str, problems: Path, proposals: Path, similarities: Path, output: Path) -> None:  # noqa: PLR0917
    """Write the ITEMS file of the problems for which there is something to choose.

    Args:
        name: what the configuration calls the dataset.
        task_json: the stage's entry.
        problems: the PROBLEMS file of the original dataset.
        proposals: the PROPOSALS file.
        similarities: the SIMILARITIES file.
        output: where the file goes.
    """
    rows = [
        assembling_row(problem, sets)
        for problem, sets in offered_sets(problems, proposals, similarities)
        if any(len(several) > 1 for several in sets)
    ]
    write_items(output, rows, name, build_task(task_json), [problems, proposals, similarities])
    LOGGER.info(f"{name}: {len(rows)} problems for the assembler")


def offered_sets(problems: Path, proposals: Path, similarities: Path) -> list[tuple[Problem, list[list[Candidate]]]]:
    """The usable problems, with the sentences for each statement."""
    proposed = _by_item([row for row in files.rows(proposals, PROPOSALS) if row["status"] == "usable"])
    compared = _by_item([row for row in files.rows(similarities, SIMILARITIES) if row["kept"]])
    found = []
    for row in files.rows(problems, PROBLEMS):
        problem = Problem.from_row(row)
        if problem.is_usable:
            kept = {(one["statement"], one["sentence"]): one["similarity"] for one in compared.get(problem.name, [])}
            found.append((problem, candidate_sets(problem, proposed.get(problem.name, []), kept, MOST)))
    return found


def _by_item(rows: list[dict[str, Any]]) -> Mapping[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["item"], []).append(row)
    return found


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.dataset,
            entry_of(snakemake.params, "task"),
            Path(snakemake.input.problems),
            Path(snakemake.input.proposals),
            Path(snakemake.input.similarities),
            Path(snakemake.output[0]),
        )
