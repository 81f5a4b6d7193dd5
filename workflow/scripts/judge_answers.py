"""Judge a model's answers: items and responses -> scores."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import usable_items
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.store.parts import WHOLE, Part, gather, part_of
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask, Judgement

if TYPE_CHECKING:
    snakemake: Any

_KEPT = ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")
_THINKING = ("thinking", "apart_from_thinking")

Responses = Sequence[Mapping[str, Any]]
"""The rows of one dialogue, by step; of models that hold none, one row."""


def main(
    items_file: Path,
    responses: Path,
    entry_json: str,
    output: Path,
    *,
    part: Part = WHOLE,
    parts: Sequence[Path] = (),
) -> None:
    """Write the SCORES file: one row a dialogue and metric, whatever its outcome.

    An unexpected error in judging one answer is that answer's outcome, ``internal_error``, which counts as wrong; the
    log names item, model and seed, and has the traceback.

    Args:
        items_file: the ITEMS file that the model was asked about.
        responses: its RESPONSES file.
        entry_json: the task's entry in the configuration, as JSON.
        output: where the file goes.
        part: of which dialogues.
        parts: the files of all parts, where they are made and only to be gathered.

    Raises:
        StoreError: if a file is missing or of another schema, a response is to no item, or a similarity is no number.
    """
    table = files.read(responses, schemas.RESPONSES)
    metadata = files.metadata_of(table)
    origin = made_from(items_file, responses)
    if parts:
        rows = list(gather(parts, schemas.SCORES, origin))
    else:
        task = build_task(entry_json)
        rows = []
        for item, dialogue in asked(items_file, responses, part.rows(dialogues(table.to_pylist()))):
            if any(isnan(similarity) for response in dialogue for similarity in response["similarities"]):
                raise files.StoreError(
                    f"{responses}: item {item.item!r} has a similarity that is no number; delete the responses and run "
                    "again"
                )
            rows.extend(
                _row(dialogue[-1], judgement, metric, score, task.round_of(metric))
                for judgement in judged(task, metadata["kind"], item, dialogue, model=metadata["model"])
                for metric, score in judgement.scores.items()
            )
    kept = {key: metadata[key] for key in _KEPT} | {key: metadata[key] for key in _THINKING if key in metadata}
    files.write(output, schemas.SCORES, rows, {**kept, **origin})


def dialogues(rows: Sequence[Mapping[str, Any]]) -> list[Responses]:
    """The rows of a RESPONSES file by dialogue, in the order of their first steps."""
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["item"], row["presentation"], row["seed"]), []).append(row)
    return [sorted(steps, key=lambda row: int(row["step"])) for steps in found.values()]


def asked(items_file: Path, responses: Path, listed: Iterable[Responses]) -> Iterator[tuple[Item, Responses]]:
    """Dialogues with what they are about.

    Raises:
        StoreError: if one is about no item.
    """
    items = {item.item: item for item in usable_items(items_file)}
    for dialogue in listed:
        item = items.get(dialogue[0]["item"])
        if item is None:
            raise files.StoreError(
                f"{responses}: item {dialogue[0]['item']!r} is not in {items_file}; delete the responses and run again"
            )
        yield item, dialogue


def judged(task: AnyTask, kind: str, item: Item, dialogue: Responses, *, model: str) -> Sequence[Judgement]:
    """What a dialogue is worth: judgements that share no metric.

    Args:
        task: the task.
        kind: of the model.
        item: what was asked about.
        dialogue: its responses.
        model: the model's name, for the log.
    """
    if kind == "chance":
        return [task.chance(item)]
    try:
        if kind == "embedding":
            return [task.judge_similarities(item, dialogue[0]["similarities"])]
        return task.judgements(item, [reply_of(response) for response in dialogue])
    except Exception as error:
        seed = dialogue[0]["seed"]
        LOGGER.exception(f"internal error: item {item.item!r} of model {model}, seed {seed}: counted as wrong")
        return task.lost(item, "internal_error", f"{type(error).__name__}: {error}", dialogue[-1]["answer"])


def reply_of(response: Mapping[str, Any]) -> Reply:
    """A row of a RESPONSES file as a task sees it."""
    return Reply(response["part"], response["outcome"], response["answer"], tuple(response["order"]), response["error"])


def _position(response: Mapping[str, Any]) -> int | None:
    """Where the gold formula was shown, from 1; None where candidates were not shown in an order to a model."""
    return response["order"].index(0) + 1 if response["seed"] is not None and response["order"] else None


def _row(response: Mapping[str, Any], judgement: Judgement, metric: str, score: float, number: int) -> dict[str, Any]:
    model = judgement.counter_model
    return {
        **{name: response[name] for name in ("item", "story", "presentation", "seed")},
        "metric": metric,
        "round": number,
        "score": score,
        "outcome": judgement.outcome,
        "verdict": judgement.verdict,
        "stop": judgement.stop,
        "means": judgement.means,
        "relation": judgement.relation,
        "fault": judgement.fault,
        "detail": judgement.detail,
        "counter_model": None if model is None else model.to_json(),
        "word": judgement.word,
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
            entry_of(snakemake.params, "task"),
            Path(snakemake.output[0]),
            part=part_of(snakemake.wildcards),
            parts=[Path(part) for part in snakemake.input.get("parts", [])],
        )
