"""Judge a model's answers: items and responses -> scores."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from nlfol import facts
from nlfol.asking.judging import Responses, read_dialogues, score_tables, with_items
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER, Progress
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.tasks.item import Item
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
    cores: int = 1,
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
    kept = {key: metadata[key] for key in _KEPT} | {key: metadata[key] for key in _THINKING if key in metadata}
    written = {**kept, **facts.written(task.facts), **origin}
    if part.made:
        files.write(output, schemas.SCORES, part.gathered(schemas.SCORES, origin), written, chunk=_CHUNK)
        return
    count, listed = read_dialogues(responses, part)
    progress = Progress(f"judging {metadata['model']} on {metadata['dataset']}, {metadata['task']}")
    lost: Counter[str] = Counter()

    def watched() -> Iterator[tuple[Item, Responses]]:
        for done, dialogue in enumerate(with_items(items_file, responses, listed)):
            progress(done, count)
            yield dialogue
        progress(count, count)

    def counted(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
        for table in tables:
            columns = (table[name].to_pylist() for name in ("metric", "score", "pair"))
            # Those of a pair are evidence.
            lost.update(metric for metric, score, pair in zip(*columns, strict=True) if score is None and pair is None)
            yield table

    tables = counted(score_tables(task, metadata, responses, watched(), cores))
    files.write_tables(output, schemas.SCORES, tables, written, chunk=_CHUNK)
    for metric, nulls in lost.items():
        LOGGER.warning(f"{metric}: null for {nulls} answers, whose verdicts stand; the errors are above")


if __name__ == "__main__":
    run_job(main, cores=lambda job: job.threads)
