"""Put the problems of a dataset together from the sentences that a model has picked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.diversification.paper.assembling import Sets, assembled, with_fewest_repeats
from nlfol.problems import Problem
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import CHOICES
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.assembling import Assembling, AssemblingEntry, offered
from nlfol.tasks.item import Item
from offer_rewrites import offered_sets

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


def main(name: str, stage: Stage, output: Path, choices: Path) -> None:
    """Write the PROBLEMS file, with the items of the source, and the CHOICES file.

    Every sentence is one of those offered for its statement. Where the model made no valid choice, those are taken
    that repeat words the least.

    Args:
        name: what the configuration calls the dataset.
        stage: what they are made from.
        output: the problems file.
        choices: the file of choices.
    """
    task = Assembling(AssemblingEntry())
    items = {row["item"]: Item.from_row(row) for row in files.rows(stage.items, schemas.ITEMS)}
    answers = {row["item"]: row for row in files.rows(stage.responses, schemas.RESPONSES)}
    sets = {problem.name: each for problem, each in offered_sets(stage.problems, stage.proposals, stage.similarities)}
    made: list[Problem] = []
    rows: list[dict[str, Any]] = []
    for row in files.rows(stage.problems, PROBLEMS):
        problem = Problem.from_row(row)
        if not problem.is_usable:
            made.append(problem)
            continue
        chosen, faults = _chosen(task, items.get(problem.name), answers.get(problem.name), sets[problem.name])
        choice = with_fewest_repeats(problem, sets[problem.name], chosen)
        made.append(assembled(problem, sets[problem.name], choice))
        rows += _rows(problem, sets[problem.name], choice, chosen, faults)
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


def _chosen(
    task: Assembling, item: Item | None, response: Mapping[str, Any] | None, sets: Sets
) -> tuple[dict[int, int], dict[int, str]]:
    """The valid choices of an answer, by place of the statement; and why others are none.

    Raises:
        StoreError: if the model was offered other sentences.
    """
    if item is None:
        return {}, {}
    open_places = {place: [each.text for each in several] for place, several in enumerate(sets) if len(several) > 1}
    if offered(item) != open_places:
        raise files.StoreError(f"problem {item.item}: the model was offered other sentences; run again")
    if response is None or response["outcome"] != "answered":
        reason = "not asked" if response is None else f"{response['outcome']}: {response['error'] or 'no answer'}"
        return {}, dict.fromkeys(open_places, reason)
    try:
        return task.choices(item, response["answer"])
    except AnswerError as error:
        return {}, dict.fromkeys(open_places, f"unparsable: {error}")


def _rows(
    problem: Problem, sets: Sets, choice: list[int], chosen: Mapping[int, int], faults: Mapping[int, str]
) -> list[dict[str, Any]]:
    def by(place: int) -> str:
        if len(sets[place]) == 1:
            return "only"
        return "assembler" if place in chosen else "fewest_repeats"

    return [
        {
            "item": problem.name,
            "statement": place,
            "sentence": several[number].text,
            "offered": len(several),
            "chosen_by": by(place),
            "detail": faults.get(place),
        }
        for place, (several, number) in enumerate(zip(sets, choice, strict=True))
    ]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
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
        )
