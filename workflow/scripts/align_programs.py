"""Align the programs that a model wrote with the gold programs: items, problems and responses -> programs."""

import json
from pathlib import Path

from nlfol.asking.judging import Responses, dialogues, replies_of, with_items
from nlfol.facts import INTERNAL_ERROR, RIGHT
from nlfol.mappings import AnyRow
from nlfol.problems.problem import Problem
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.store.problem_schemas import PROBLEMS, PROGRAMS, ProgramRow
from nlfol.store.schemas import ResponseRow, ScoreRow
from nlfol.tasks.item import Item
from nlfol.tasks.program import OF_STRATEGIES, Program, ProgramEntry
from nlfol.tasks.program_alignment import judged_row, program_row

_KEPT = ("dataset", "task", "task_kind", "protocol", "model", "kind")


def main(
    items_file: Path,
    problems: Path,
    responses: Path,
    scores: Path,
    task_json: str,
    *,
    output: Path,
    part: Part = WHOLE,
) -> None:
    """Write the PROGRAMS file, one row a dialogue; an unexpected error leaves one out and logs its traceback."""
    metadata = metadata_at(responses)
    origin = made_from(items_file, problems, responses, scores)
    task = Program(ProgramEntry.model_validate_json(task_json))
    if part.made:
        rows = list(part.gathered(ProgramRow, origin))
    else:
        stated = {row["item"]: row for row in files.rows(problems, PROBLEMS)}
        judged = {_key(row): row for row in files.rows(scores, ScoreRow) if row["metric"] == RIGHT}
        rows = []
        for item, dialogue in with_items(
            items_file, responses, part.rows(dialogues(files.rows(responses, ResponseRow)))
        ):
            score = judged.get(_key(dialogue[0]))
            if score is None:
                raise files.StoreError(f"{scores}: no score of item {item.item!r}; delete the scores and run again")
            rows.append(_row(task, metadata["model"], item, dialogue, score=score, stated=stated.get(item.item)))
    kept = {key: metadata[key] for key in _KEPT} | {
        "strategy": task.entry.strategy,
        "examples": metadata_at(items_file)["examples"],
        "plan": json.dumps(task.entry.model_dump(include=set(OF_STRATEGIES), exclude_none=True)),
    }
    files.write(output, PROGRAMS, rows, {**kept, **origin})


def _key(row: ResponseRow | ScoreRow) -> tuple[str | int | None, ...]:
    return row["item"], row["presentation"], row["seed"]


def _row(
    task: Program,
    model: str,
    item: Item,
    dialogue: Responses,
    *,
    score: ScoreRow,
    stated: AnyRow | None,
) -> ProgramRow:
    story, seed = dialogue[0]["story"], dialogue[0]["seed"]
    try:
        mentioned = None if stated is None else Problem.from_row(stated)
        columns = program_row(task, item, replies_of(task, item, dialogue), score, mentioned)
    except Exception as error:
        LOGGER.exception(f"internal error: item {item.item!r} of model {model}, seed {seed}: not aligned")
        detail = f"{type(error).__name__}: {error}"
        columns = {**judged_row(score), "reason": INTERNAL_ERROR, "detail": detail}
    return {"item": item.item, "story": story, "seed": seed, **columns}


if __name__ == "__main__":
    run_job(main)
