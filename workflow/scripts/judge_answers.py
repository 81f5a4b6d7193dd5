"""Judge a model's answers: items and responses -> scores."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nlfol import facts
from nlfol.asking.judging import read_dialogues, score_rows, with_items
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER, Progress
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.tasks.metrics import open_meteor
from nlfol.tasks.registry import build_task

_KEPT = ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")
_CHUNK = 8_192
"""Rows that are in memory at once."""
_THINKING = ("thinking", "apart_from_thinking", "reasoning")


def main(
    items_file: Path,
    responses: Path,
    task_json: str,
    output: Path,
    *,
    glosses: Path | None = None,
    part: Part = WHOLE,
) -> None:
    """Write the SCORES file: a row a dialogue and metric; raises ``StoreError`` if items and responses do not fit.

    ``glosses`` is the GLOSSES file of tasks that compare texts by an embedding model. Raises ``ValueError`` if what
    judging needs is not there.
    """
    metadata = metadata_at(responses)
    origin = made_from(items_file, responses, *([glosses] if glosses else []))
    task = build_task(task_json)
    if folder := getattr(task.entry, "meteor", None):
        open_meteor(folder)  # here an error is the job's, and no item's
    if glosses:
        task.cosines = {(row["gloss"], row["gold"]): row["similarity"] for row in files.rows(glosses, schemas.GLOSSES)}
    count, listed = read_dialogues(responses, part)
    progress = Progress(f"judging {metadata['model']} on {metadata['dataset']}, {metadata['task']}")
    lost: Counter[str] = Counter()

    def judged() -> Iterator[dict[str, Any]]:
        for done, (item, dialogue) in enumerate(with_items(items_file, responses, listed)):
            progress(done, count)
            yield from score_rows(task, metadata, responses, item, dialogue)
        progress(count, count)

    def counted(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            # Those of a pair are evidence.
            if row["score"] is None and row["pair"] is None:
                lost[row["metric"]] += 1
            yield row

    rows = part.gathered(schemas.SCORES, origin) if part.made else judged()
    kept = {key: metadata[key] for key in _KEPT} | {key: metadata[key] for key in _THINKING if key in metadata}
    files.write(output, schemas.SCORES, counted(rows), {**kept, **facts.written(task.facts), **origin}, chunk=_CHUNK)
    for metric, count in lost.items():
        LOGGER.warning(f"{metric}: null for {count} answers, whose verdicts stand; the errors are above")


if __name__ == "__main__":
    run_job(main)
