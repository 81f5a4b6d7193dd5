"""Assemble the problems of a dataset from the sentences that a model has picked."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.diversification.paper.assembling import assembled, with_fewest_repeats
from nlfol.problems import Problem
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.store.problem_schemas import CHOICES, PROBLEMS
from nlfol.tasks.assembling import Assembling, AssemblingEntry
from nlfol.tasks.item import Item
from nlfol.tasks.rewrites import bounds_of, choice_rows, chosen, offered_sets

if TYPE_CHECKING:
    snakemake: Any


@dataclass(frozen=True, slots=True)
class Stage:
    """The files that problems are assembled from: PROBLEMS, PROPOSALS, SIMILARITIES, ITEMS and RESPONSES."""

    problems: Path
    proposals: Path
    similarities: Path
    items: Path
    responses: Path


def main(entry_json: str, name: str, stage: Stage, output: Path, choices: Path, *, seed: int | None) -> None:
    """Write the PROBLEMS and CHOICES files; where the model made no valid choice, words repeat the least."""
    task = Assembling(AssemblingEntry())
    items = {row["item"]: Item.from_row(row) for row in files.rows(stage.items, schemas.ITEMS)}
    answers = {row["item"]: row for row in files.rows(stage.responses, schemas.RESPONSES)}
    offered = offered_sets(stage.problems, stage.proposals, stage.similarities, bounds_of(entry_json, seed))
    sets = {problem.name: of_statements for problem, of_statements in offered}
    made: list[Problem] = []
    rows: list[dict[str, Any]] = []
    for row in files.rows(stage.problems, PROBLEMS):
        problem = Problem.from_row(row)
        if not problem.is_usable:
            made.append(problem)
            continue
        by_model, errors = chosen(task, items.get(problem.name), answers.get(problem.name), sets[problem.name])
        choice = with_fewest_repeats(problem, sets[problem.name], by_model)
        made.append(assembled(problem, sets[problem.name], choice))
        rows += choice_rows(problem, sets[problem.name], choice, by_model, errors)
    about = {"dataset": name, "reader": "diversified", "protocol": "paper"}
    sources = [stage.problems, stage.proposals, stage.similarities, stage.items, stage.responses]
    files.write(output, PROBLEMS, [problem.to_row() for problem in made], about | made_from(*sources))
    files.write(choices, CHOICES, rows, about | made_from(*sources))
    LOGGER.info(f"{name}: {sum(problem.is_usable for problem in made):>6} of {len(made)} problems are usable")
    LOGGER.info(f"{name}: {sum(len(problem.rewrites) for problem in made):>6} statements rewritten")
    for by, count in sorted(Counter(row["chosen_by"] for row in rows).items()):
        LOGGER.info(f"{name}: {count:>6} sentences chosen by: {by}")
    for reason, count in sorted(Counter(problem.reason for problem in made if problem.reason is not None).items()):
        LOGGER.info(f"{name}: {count:>6} refused: {reason}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            entry_of(snakemake.params, "dataset"),
            snakemake.wildcards.dataset,
            Stage(
                Path(snakemake.input.problems),
                Path(snakemake.input.proposals),
                Path(snakemake.input.similarities),
                Path(snakemake.input.items_file),
                Path(snakemake.input.responses),
            ),
            Path(snakemake.output.problems),
            Path(snakemake.output.choices),
            seed=snakemake.params.seed,
        )
