"""Explain the answers of a dataset and task: items and scores of all models -> evidence, a row a distinct pair."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import cast

from nlfol.asking.asking import usable_items
from nlfol.store import files, schemas
from nlfol.store.cores import in_order
from nlfol.store.files import StoreError
from nlfol.store.jobs import run_job
from nlfol.store.logs import Progress
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.schemas import EvidenceRow, ScoreRow
from nlfol.tasks.explaining import Pair, distinct_pairs, evidence_row
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

_COLUMNS = ["item", "presentation", "seed", "round", "verdict", "formula", "pair"]
_CHUNK = 1_024
"""Rows that are in memory at once."""
_KEPT = 16
"""Chunks of an earlier file that are."""
_PIECE = 32
"""Pairs that one core explains at a time."""


def main(
    items_file: Path,
    scores: Sequence[Path],
    task_json: str,
    output: Path,
    *,
    dataset: str,
    task: str,
    code: str = "",
    cores: int = 1,
) -> None:
    """Write the EVIDENCE file of a dataset and task: of the entry's ``explain``, in the order of the scores.

    What an output that is there already explains by the same ``code`` is kept, so that another model's answers alone
    are explained. Raises ``StoreError`` if items and scores do not fit.
    """
    kind = build_task(task_json)
    wanted = kind.entry.explain
    pairs, count = _pairs(kind, items_file, scores), len(_keys(scores, right=wanted == "all"))
    if wanted != "all":
        wrong = ((key, pair) for key, pair in pairs if pair.verdict != "equivalent")
        pairs = wrong if wanted == "wrong" else islice(wrong, wanted)
        count = count if wanted == "wrong" else min(count, wanted)
    progress = Progress(f"explaining answers to {task} on {dataset}")
    about = {"dataset": dataset, "task": task, "code": code, "scored": "yes" if wanted == "all" else "no"}

    def rows(known: Callable[[str], EvidenceRow | None]) -> Iterator[EvidenceRow]:
        asked = ((key, pair, known(key)) for key, pair in pairs)
        explained = in_order(partial(_explained, wanted == "all"), iter(lambda: list(islice(asked, _PIECE)), []), cores)
        for done, row in enumerate(chain.from_iterable(explained)):
            progress(done, count)
            yield row
        progress(count, count)

    with _explained_before(output, code, wanted == "all") as known:
        files.write(output, schemas.EVIDENCE, rows(known), {**about, **made_from(items_file, *scores)}, chunk=_CHUNK)


def _explained(with_scores: bool, asked: Sequence[tuple[str, Pair, EvidenceRow | None]]) -> list[EvidenceRow]:
    return [known or evidence_row(key, pair, with_scores=with_scores) for key, pair, known in asked]


def _pairs(task: AnyTask, items_file: Path, scores: Sequence[Path]) -> Iterator[tuple[str, Pair]]:
    """Yield the pairs of formulas of files of scores, each once, with their keys."""
    items = {item.item: item for item in usable_items(items_file)}
    seen: set[str] = set()
    for path in scores:
        batches = files.batches(path, schemas.SCORES, _COLUMNS)
        some = (batch.filter(batch["pair"].is_valid()).to_pylist() for batch in batches)
        rows = chain.from_iterable(cast("list[ScoreRow]", batch) for batch in some)
        try:
            yield from distinct_pairs(task, items, rows, seen)
        except KeyError as error:
            raise StoreError(f"{path}: item {error} is not in {items_file}; delete the scores and run again") from error


def _keys(scores: Sequence[Path], *, right: bool) -> set[str]:
    """Return the keys of pairs of files of scores, with or without those of right answers."""
    keys: set[str] = set()
    for batch in chain.from_iterable(files.batches(path, schemas.SCORES, ["pair", "verdict"]) for path in scores):
        rows = zip(batch["pair"].to_pylist(), batch["verdict"].to_pylist(), strict=True)
        keys.update(pair for pair, verdict in rows if pair is not None and (right or verdict != "equivalent"))
    return keys


@contextmanager
def _explained_before(output: Path, code: str, scored: bool) -> Iterator[Callable[[str], EvidenceRow | None]]:
    """Provide the rows of an earlier file by pair; none if it is unreadable or of other code."""
    with ExitStack() as stack:
        file = None
        with suppress(StoreError):
            about = metadata_at(output)
            if (about.get("code"), about.get("scored")) == (code, "yes" if scored else "no"):
                file = stack.enter_context(files.opened(output, schemas.EVIDENCE, threads=False))
        if file is None:
            yield lambda _: None
            return
        places = {
            pair: (number, place)
            for number in range(file.num_record_batches)
            for place, pair in enumerate(file.get_batch(number)["pair"].to_pylist())
        }
        batch_of = lru_cache(_KEPT)(file.get_batch)

        def known(pair: str) -> EvidenceRow | None:
            if pair not in places:
                return None
            number, place = places[pair]
            return cast("EvidenceRow", batch_of(number).slice(place, 1).to_pylist()[0])

        yield known


if __name__ == "__main__":
    run_job(main, cores=lambda job: job.threads)
