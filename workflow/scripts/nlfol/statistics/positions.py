"""Whether it matters where the right candidate is shown: answers by the position of the gold formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import fsum
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.statistics.differences import holm
from nlfol.statistics.position_test import expected_scores, position_test
from nlfol.statistics.summary import Origin, load
from nlfol.store import files, schemas
from nlfol.tasks.task import AnswerForm

Sizes = dict[tuple[str, str], dict[str, int]]
"""Candidates in the set of each item, by dataset and task."""


def sizes_of(paths: Iterable[Path]) -> Sizes:
    """The sizes of the sets of ITEMS files.

    Raises:
        StoreError: if a file is missing or no ITEMS file.
    """
    found: Sizes = {}
    for path in paths:
        table = files.read(path, schemas.ITEMS)
        about, columns = files.metadata_of(table), pl.from_arrow(table.select(["item", "candidates"]))
        assert isinstance(columns, pl.DataFrame)
        found[about["dataset"], about["task"]] = dict(columns.select("item", pl.col("candidates").list.len()).rows())
    return found


def positions(paths: Iterable[Path], sizes: Sizes) -> list[dict[str, Any]]:
    """The rows of ``claim_schemas.POSITIONS`` for scores files, in the files' order.

    Only dialogue models' choices of a candidate have a position; other answers make no rows. The p-values of all rows
    are one family and are adjusted together (``differences.holm``).

    Args:
        paths: of the scores files.
        sizes: of the candidate sets.

    Raises:
        SummaryError: if the metadata of a file are wanting.
        StoreError: if a file is missing or no scores file, or no size is given of an item.
    """
    rows = [row for path in paths for row in _of_file(path, sizes)]
    tested = [row for row in rows if row["p"] is not None]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["adjusted"] = adjusted
    return rows


def _of_file(path: Path, sizes: Sizes) -> Iterator[dict[str, Any]]:
    source, scores = load(path)
    if source.asked.form is not AnswerForm.CHOICE:
        return
    shown = scores.filter(pl.col("position").is_not_null())
    for (presentation,), answers in shown.group_by("presentation", maintain_order=True):
        yield from _of_answers(source, str(presentation), _sized(path, source, answers, sizes))


def _sized(path: Path, source: Origin, answers: pl.DataFrame, sizes: Sizes) -> pl.DataFrame:
    known = sizes.get((source.dataset, source.task), {})
    unknown = next((item for item in answers["item"] if item not in known), None)
    if unknown is not None:
        raise files.StoreError(f"{path}: no ITEMS file given has item {unknown!r}; build the items and judge again")
    size = [known[item] for item in answers["item"]]
    expected = expected_scores(size, answers["score"].to_list())
    return answers.with_columns(size=pl.Series(size, dtype=pl.Int64), expected=pl.Series(expected))


def _of_answers(source: Origin, presentation: str, answers: pl.DataFrame) -> Iterator[dict[str, Any]]:
    tested = position_test(*(answers[name].to_list() for name in ("item", "size", "position", "score")))
    by_position = answers.sort("position", maintain_order=True).group_by("position", maintain_order=True)
    for position, some in ((None, answers), *((place, some) for (place,), some in by_position)):
        found = tested if position is None else None
        yield {
            "dataset": source.dataset,
            "task": source.task,
            "task_kind": source.task_kind,
            "protocol": source.protocol,
            "presentation": presentation,
            "model": source.model,
            "position": position,
            "answers": some.height,
            "right": round(fsum(some["score"])),
            "expected": fsum(some["expected"]),
            "statistic": None if found is None else found.statistic,
            "freedom": None if found is None else found.freedom,
            "p": None if found is None else found.p,
            "adjusted": None,
        }
