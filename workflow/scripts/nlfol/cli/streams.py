"""Judging line by line, here or in processes; and an exit status that says whether a line failed."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import typer

from nlfol.cli.lines import opened, records, write

_CHUNK = 25
_AHEAD = 400
_CHUNKS = 16


def judge(
    file: Path | None,
    judged: Callable[[Any], dict[str, Any]],
    jobs: int,
    seen: Callable[[Iterator[dict[str, Any]]], Iterator[dict[str, Any]]] = iter,
) -> None:
    """As ``judge_lines``, of a file of JSON Lines."""
    with opened(file) as source:
        judge_lines(records(source), judged, jobs, seen)


def judge_lines(
    lines: Iterator[Any],
    judged: Callable[[Any], dict[str, Any]],
    jobs: int,
    seen: Callable[[Iterator[dict[str, Any]]], Iterator[dict[str, Any]]] = iter,
) -> None:
    """Write a row for each line.

    Args:
        lines: the input.
        judged: the row for a line.
        jobs: processes.
        seen: takes each row on its way out.

    Raises:
        typer.Exit: with status 1 if a row has an ``error``.
    """
    if jobs == 1:
        end(*write(seen(map(judged, lines))))
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            counts = write(seen(_in_order(pool, judged, lines)))
        except BaseException:
            # The output is closed: finish what is under way, start nothing more.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    end(*counts)


def end(rows: int, failed: int) -> None:
    """Say how many lines failed, if any.

    Raises:
        typer.Exit: with status 1 if one did.
    """
    if failed:
        sys.stderr.write(f"{failed} of {rows} lines failed: see 'error' in their rows\n")
        raise typer.Exit(1)


def _in_order(
    pool: ProcessPoolExecutor, judged: Callable[[Any], dict[str, Any]], lines: Iterator[Any]
) -> Iterator[dict[str, Any]]:
    """Results in the order of the lines, reading no further ahead than a bounded number of them."""
    while ahead := list(islice(lines, _CHUNK * _AHEAD)):
        yield from pool.map(judged, ahead, chunksize=min(_CHUNK, 1 + len(ahead) // _CHUNKS))
