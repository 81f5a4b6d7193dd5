"""Take the English that a model wrote in its round trips as the sentences of another task."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.tasks.registry import build_task
from nlfol.tasks.round_trip import COPIED

if TYPE_CHECKING:
    snakemake: Any


def main(items_file: Path, scores: Path, *, dataset: str, task: str, entry_json: str, output: Path) -> None:
    """Write the ITEMS file of a task whose sentences are a model's.

    Each is the English of the first round, under the first presentation and seed. An item without English is refused.

    Args:
        items_file: the ITEMS file of the round trips.
        scores: the SCORES file of the model's round trips.
        dataset: its name in the configuration.
        task: the name of the task's entry there.
        entry_json: the entry, as JSON.
        output: where the file goes.
    """
    rows = _rows(files.rows(items_file, schemas.ITEMS), _english(files.rows(scores, schemas.SCORES)))
    about = {
        "dataset": dataset,
        "task": task,
        "task_kind": build_task(entry_json).kind,
        "protocol": "",
        "style": "",
        **made_from(items_file, scores),
    }
    files.write(output, schemas.ITEMS, rows, about)


def _english(scores: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Of each item, the row of the score that is about its English."""
    of_english = [row for row in scores if row["metric"] == COPIED]
    first = {(row["presentation"], row["seed"]) for row in of_english[:1]}
    return {row["item"]: row for row in of_english if (row["presentation"], row["seed"]) in first}


def _rows(items: Sequence[Mapping[str, Any]], english: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for item in items:
        row = {**item, "candidates": [], "exemplars": []}
        said = english.get(item["item"])
        if item["status"] != "usable":
            yield row
        elif said is None:
            yield row | _refused("not_asked", "the model was not asked to put it into English")
        elif said["outcome"] != "answered" or not said["answer"]:
            yield row | _refused("no_english", f"the model put it into no English: {said['outcome']}")
        else:
            yield row | {"text": said["answer"]}


def _refused(reason: str, detail: str) -> dict[str, str]:
    return {"status": "refused", "reason": reason, "detail": detail}


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.items_file),
            Path(snakemake.input.scores),
            dataset=snakemake.wildcards.dataset,
            task=snakemake.wildcards.task,
            entry_json=entry_of(snakemake.params, "task"),
            output=Path(snakemake.output[0]),
        )
