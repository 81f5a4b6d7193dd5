"""Sheets of ``nlfol audit --sheet``: people rate problems in other words on them, or answer one wording of each.

A sheet has a row a problem, in an order drawn, for people to rate by the criteria of the task ``rating``, and to answer
the problem in both wordings (SoLT, tables 1, 2 and 5); or, as one of two, to answer it in one wording. The right
answers are not in it.
"""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nlfol.cli.lines import LineError, usable
from nlfol.cli.problems import problem_of
from nlfol.randomness import label_digest
from nlfol.tasks.item import shown
from nlfol.tasks.rating import CRITERIA

WORDINGS = ("original", "rewritten")
"""On a sheet with one wording of each problem 1 and 2, which tell people nothing."""

COLUMNS = ("id", "rater", *WORDINGS, *CRITERIA, "answer_original", "answer_rewritten")
APART = ("id", "rater", "wording", "problem", "answer")

Texts = dict[str, tuple[str, str]]
"""The texts of problems by id, in both wordings."""


class SheetError(ValueError):
    """A sheet that cannot be written: the message names the file and the remedy."""


def texts_of(records: Iterable[dict[str, Any] | LineError]) -> tuple[Texts, list[dict[str, Any]]]:
    """Return the texts of records ``{"id", "original", "rewritten"}``, and what is wrong with the other lines."""
    found: Texts = {}
    unusable = []
    for number, record in enumerate(records, 1):
        try:
            given = usable(record)
            name = given.get("id")
            if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
                raise LineError("'id' must be a text or a whole number")
            if str(name) in found:
                raise LineError(f"id {str(name)!r} was already given; give each problem an id of its own")
            original, rewritten = (shown(problem_of({"family": "free", **given}, wording)) for wording in WORDINGS)
            found[str(name)] = original, rewritten
        except LineError as error:
            unusable.append({"line": number, "reason": str(error)})
    return found, unusable


def write_sheets(
    paths: Sequence[Path], records: Iterable[dict[str, Any] | LineError], count: int | None, seed: int
) -> dict[str, Any]:
    """Write a sheet for one rater, or two for two groups, of which nobody sees both wordings of a problem.

    Sheets are to be copied for further raters: CSV in UTF-8 with a mark by which spreadsheets know it. Of two, the
    first has every other problem as it was and the rest in other words, the second the reverse. ``count`` problems are
    drawn, or all; a larger sample begins with a smaller one of the same seed. Raises ``SheetError`` if there are more
    paths, or a file is there already, since it may be filled in.
    """
    if len(paths) > 2:
        raise SheetError(f"{len(paths)} sheets; give --sheet once for both wordings, or twice to keep them apart")
    if taken := [str(path) for path in paths if path.exists() or paths.count(path) > 1]:
        raise SheetError(f"{taken[0]} is there already, and may be filled in; name another file")
    texts, unusable = texts_of(records)
    drawn = sorted(texts, key=lambda name: label_digest(seed, "raters", name))[:count]
    for sheet, path in enumerate(paths):
        if len(paths) == 1:
            rows = [{"id": name, **dict(zip(WORDINGS, texts[name], strict=True))} for name in drawn]
        else:
            wordings = [(place + sheet) % 2 for place in range(len(drawn))]
            rows = [
                {"id": name, "wording": str(wording + 1), "problem": texts[name][wording]}
                for name, wording in zip(drawn, wordings, strict=True)
            ]
        _write(path, COLUMNS if len(paths) == 1 else APART, rows)
    written = {"sheet": str(paths[0])} if len(paths) == 1 else {"sheets": [str(path) for path in paths]}
    return {**written, "problems": len(drawn), "of": len(texts), "unusable_lines": unusable}


def _write(path: Path, columns: Sequence[str], rows: Iterable[dict[str, str]]) -> None:
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, columns, restval="")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise SheetError(f"{path}: cannot be written ({error.strerror}); name another file") from error
