"""Explain the answers of a dataset and task: items and scores of all models -> evidence, a row a distinct pair."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import cast

from nlfol.asking.asking import usable_items
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.store.jobs import run_job
from nlfol.store.logs import Progress
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.schemas import EvidenceRow, ScoreRow
from nlfol.tasks.explaining import Pair, distinct_pairs, evidence_row
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

_COLUMNS = ["item", "presentation", "seed", "round", "verdict", "formula", "pair"]


def main(
    items_file: Path, scores: Sequence[Path], task_json: str, output: Path, *, dataset: str, task: str, code: str = ""
) -> None:
    """Write the EVIDENCE file of a dataset and task: of the entry's ``explain``, in the order of the scores.

    What an output that is there already explains by the same ``code`` is kept, so that another model's answers alone
    are explained. Raises ``StoreError`` if items and scores do not fit.
    """
    kind = build_task(task_json)
    wanted = kind.entry.explain
    pairs = dict(_pairs(kind, items_file, scores))
    if wanted != "all":
        wrong = ((key, pair) for key, pair in pairs.items() if pair.verdict != "equivalent")
        pairs = dict(wrong if wanted == "wrong" else islice(wrong, wanted))
    known = _explained_before(output, code, wanted == "all")
    progress = Progress(f"explaining answers to {task} on {dataset}")
    about = {"dataset": dataset, "task": task, "code": code, "scored": "yes" if wanted == "all" else "no"}

    def rows() -> Iterator[EvidenceRow]:
        for done, (key, pair) in enumerate(pairs.items()):
            progress(done, len(pairs))
            yield known.get(key) or evidence_row(key, pair, with_scores=wanted == "all")
        progress(len(pairs), len(pairs))

    files.write(output, schemas.EVIDENCE, rows(), {**about, **made_from(items_file, *scores)})


def _pairs(task: AnyTask, items_file: Path, scores: Sequence[Path]) -> Iterator[tuple[str, Pair]]:
    """Yield the pairs of formulas of files of scores, each once, with their keys."""
    items = {item.item: item for item in usable_items(items_file)}
    seen: set[str] = set()
    for path in scores:
        table = files.read(path, schemas.SCORES).select(_COLUMNS)
        batches = (batch.filter(batch["pair"].is_valid()).to_pylist() for batch in table.to_batches())
        rows = chain.from_iterable(cast("list[ScoreRow]", batch) for batch in batches)
        try:
            yield from distinct_pairs(task, items, rows, seen)
        except KeyError as error:
            raise StoreError(f"{path}: item {error} is not in {items_file}; delete the scores and run again") from error


def _explained_before(output: Path, code: str, scored: bool) -> Mapping[str, EvidenceRow]:
    """Return the rows of an earlier file by pair; none if it is unreadable or of other code."""
    try:
        about = metadata_at(output)
        if (about.get("code"), about.get("scored")) != (code, "yes" if scored else "no"):
            return {}
        return {row["pair"]: row for row in files.rows(output, EvidenceRow)}
    except StoreError:
        return {}


if __name__ == "__main__":
    run_job(main)
