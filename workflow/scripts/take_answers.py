"""Make the items of a task about the answers that a model gave in its round trips."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nlfol.data.gold import gold_in, stored
from nlfol.facts import COPIED, TRUTH
from nlfol.sets.sets import CandidateError
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.schemas import ITEMS, ItemRow, ScoreRow
from nlfol.tasks.item_rows import warn_of_none
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask, FirstRound


def main(items_file: Path, scores: Path, *, dataset: str, task: str, task_json: str, output: Path) -> None:
    """Write the ITEMS file of a task about a model's English, or formula, of the first round.

    The first presentation and seed count. An item that the model was not asked about is refused, and so is one without
    an answer that the task can be asked about.
    """
    kind = build_task(task_json)
    rounds = _first_rounds(files.rows(scores, ScoreRow))
    rows = list(_rows(kind, files.rows(items_file, ItemRow), rounds))
    warn_of_none(f"{dataset}, {task}", rows, kind)
    about = {
        "dataset": dataset,
        "task": task,
        "task_kind": kind.kind,
        "protocol": "",
        "style": "",
        **stored(gold_in(metadata_at(items_file))),
        **made_from(items_file, scores),
    }
    files.write(output, ITEMS, rows, about)


def _first_rounds(scores: Sequence[ScoreRow]) -> dict[str, FirstRound]:
    of_english, of_formula = ([row for row in scores if row["metric"] == metric] for metric in (COPIED, TRUTH))
    first = {(row["presentation"], row["seed"]) for row in of_english[:1]}
    english, formula = (
        {row["item"]: row for row in rows if (row["presentation"], row["seed"]) in first}
        for rows in (of_english, of_formula)
    )
    return {item: FirstRound(english[item], formula[item]) for item in english}


def _rows(task: AnyTask, items: Sequence[ItemRow], rounds: Mapping[str, FirstRound]) -> Iterator[ItemRow]:
    for item in items:
        row: ItemRow = {**item, "candidates": [], "exemplars": [], "unasked": []}
        if item["status"] != "usable":
            yield row
            continue
        try:
            row["exemplars"], row["unasked"] = task.with_exemplars(item["exemplars"])
            if item["item"] not in rounds:
                raise CandidateError("not_asked", "the model was not asked to put it into English")
            yield {**row, **task.taken(item, rounds[item["item"]])}
        except CandidateError as error:
            yield {**row, "status": "refused", "reason": error.reason, "detail": str(error)}


if __name__ == "__main__":
    run_job(main)
