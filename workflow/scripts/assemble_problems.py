"""Assemble the problems of a dataset from the sentences that a model has picked."""

from collections import Counter
from pathlib import Path

from nlfol.data.entry import read_diversified_entry
from nlfol.problems import Problem
from nlfol.problems.rewording.paper.assembling import assembled, with_fewest_repeats
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import CHOICES, PROBLEMS, ChoiceRow, problems_at
from nlfol.tasks.assembling import Assembling, AssemblingEntry
from nlfol.tasks.item import Item
from nlfol.tasks.rewrites import choice_rows, chosen, offered_sets


def main(
    dataset_json: str,
    dataset: str,
    *,
    originals: Path,
    proposals: Path,
    similarities: Path,
    items_file: Path,
    responses: Path,
    problems: Path,
    choices: Path,
    seed: int | None,
) -> None:
    """Write the PROBLEMS (or REWORDED) and CHOICES files; where the model made no valid choice, words repeat the least.

    ``originals`` is a PROBLEMS file; the others are PROPOSALS, SIMILARITIES, ITEMS and RESPONSES.
    """
    task = Assembling(AssemblingEntry())
    items = {row["item"]: Item.from_row(row) for row in files.rows(items_file, schemas.ItemRow)}
    answers = {row["item"]: row for row in files.rows(responses, schemas.ResponseRow)}
    entry = read_diversified_entry(dataset_json)
    sets = {problem.name: offered for problem, offered in offered_sets(originals, proposals, similarities, entry, seed)}
    made: list[Problem] = []
    rows: list[ChoiceRow] = []
    for row in files.rows(originals, PROBLEMS):
        problem = Problem.from_row(row)
        if not problem.is_usable:
            made.append(problem)
            continue
        by_model, errors = chosen(task, items.get(problem.name), answers.get(problem.name), sets[problem.name])
        choice = with_fewest_repeats(problem, sets[problem.name], by_model)
        made.append(assembled(problem, sets[problem.name], choice))
        rows += choice_rows(problem, sets[problem.name], choice, by_model, errors)
    about = {"dataset": dataset, "reader": "diversified", "protocol": "paper"}
    sources = [originals, proposals, similarities, items_file, responses]
    files.write(problems, problems_at(problems), [problem.to_row() for problem in made], about | made_from(*sources))
    files.write(choices, CHOICES, rows, about | made_from(*sources))
    LOGGER.info(f"{dataset}: {sum(problem.is_usable for problem in made):>6} of {len(made)} problems are usable")
    LOGGER.info(f"{dataset}: {sum(len(problem.rewrites) for problem in made):>6} statements rewritten")
    for by, count in sorted(Counter(row["chosen_by"] for row in rows).items()):
        LOGGER.info(f"{dataset}: {count:>6} sentences chosen by: {by}")
    for reason, count in sorted(Counter(problem.reason for problem in made if problem.reason is not None).items()):
        LOGGER.info(f"{dataset}: {count:>6} refused: {reason}")


if __name__ == "__main__":
    run_job(main)
