"""Judge a model's answers: candidates and responses -> scores."""

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import usable_items
from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.parts import WHOLE, Part, gather, part_of
from nlfol.tasks.registry import CHOICE_TASKS, build_task
from nlfol.tasks.task import Item, Judgement, Task, wrong

if TYPE_CHECKING:
    snakemake: Any


def main(
    candidates: Path,
    responses: Path,
    entry_json: str,
    output: Path,
    *,
    part: Part = WHOLE,
    parts: Sequence[Path] = (),
) -> None:
    """Write the SCORES file: one row an answer and metric, whatever its outcome.

    Args:
        candidates: the ITEMS file that the model was asked about.
        responses: its RESPONSES file.
        entry_json: the task's entry in the configuration, as JSON.
        output: where the file goes.
        part: of which responses.
        parts: the files of all parts, where they are made and only to be gathered.

    Raises:
        StoreError: if a file is missing or of another schema, a response is to no item, or a similarity is no number.
    """
    table = files.read(responses, schemas.RESPONSES)
    metadata = files.metadata_of(table)
    origin = made_from(candidates, responses)
    if parts:
        rows = gather(parts, schemas.SCORES, origin)
    else:
        items = {item.item: item for item in usable_items(candidates)}
        task = build_task(entry_json)
        rows = []
        for response in part.rows(table.to_pylist()):
            item = items.get(response["item"])
            if item is None:
                raise files.StoreError(
                    f"{responses}: item {response['item']!r} is not in {candidates}; delete the responses and run again"
                )
            if any(map(isnan, response["similarities"])):
                raise files.StoreError(
                    f"{responses}: item {item.item!r} has a similarity that is no number; delete the responses and run "
                    "again"
                )
            judgement = _judged(task, metadata["kind"], item, response)
            rows.extend(_row(response, judgement, metric, score) for metric, score in judgement.scores.items())
    kept = {key: metadata[key] for key in ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")}
    kept |= {key: metadata[key] for key in ("thinking", "apart_from_thinking") if key in metadata}
    files.write(output, schemas.SCORES, rows, {**kept, **origin})


def _judged(task: Task, kind: str, item: Item, response: Mapping[str, Any]) -> Judgement:
    if kind == "chance":
        return task.chance(item)
    if kind == "embedding":
        return CHOICE_TASKS[task.name].judge_similarities(item, response["similarities"])
    if response["outcome"] != "answered":
        return wrong(task, response["outcome"], response["error"], response["answer"])
    return task.judge(item, response["order"], response["answer"])


def _position(response: Mapping[str, Any]) -> int | None:
    """Where the gold formula was shown, from 1; None where candidates were not shown in an order to a model."""
    return response["order"].index(0) + 1 if response["seed"] is not None and response["order"] else None


def _row(response: Mapping[str, Any], judgement: Judgement, metric: str, score: float) -> dict[str, Any]:
    model = judgement.counter_model
    return {
        **{name: response[name] for name in ("item", "story", "presentation", "seed")},
        "metric": metric,
        "score": score,
        "outcome": judgement.outcome,
        "verdict": judgement.verdict,
        "means": judgement.means,
        "relation": judgement.relation,
        "fault": judgement.fault,
        "detail": judgement.detail,
        "counter_model": None if model is None else model.to_json(),
        "answer": judgement.answer,
        "tied": metric in judgement.tied,
        "formula": judgement.formula,
        "dialect": judgement.dialect,
        "repairs": list(judgement.repairs),
        "ambiguities": list(judgement.ambiguities),
        "policy": judgement.policy,
        "position": _position(response),
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.items_file),
            Path(snakemake.input.responses),
            snakemake.params.entry,
            Path(snakemake.output[0]),
            part=part_of(snakemake.wildcards),
            parts=[Path(part) for part in snakemake.input.get("parts", [])],
        )
