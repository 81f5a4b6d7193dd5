"""``nlfol audit --sheet`` and ``--ratings``: forms on which people rate problems in other words, and what they say.

A sheet has a row a problem, in an order drawn, for people to rate by the criteria of the task ``rating``, and to answer
the problem in both wordings (SoLT, tables 1, 2 and 5). The right answers are not in it.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.cli.lines import LineError, say, usable
from nlfol.cli.problems import problem_of
from nlfol.problems import Problem
from nlfol.randomness import label_digest
from nlfol.statistics.agreement import agreement, cohen_kappa
from nlfol.statistics.clusters import clustered_mean
from nlfol.tasks.item import labels, shown
from nlfol.tasks.rating import CRITERIA, GREATEST, LEAST, RATING, rated, scaled

ANSWERS = ("answer_original", "answer_rewritten")
COLUMNS = ("id", "rater", "original", "rewritten", *CRITERIA, *ANSWERS)

MAX_CELL = 1_000_000
"""Characters of a cell that are read."""

_SHOWN = 40
"""Characters of a wrong cell that an error shows."""


class SheetError(ValueError):
    """A sheet that cannot be read at all: the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A problem in both wordings."""

    original: Problem
    rewritten: Problem


@dataclass(slots=True)
class Pairs:
    """Those of records, by id, and what is wrong with the other lines."""

    by_id: dict[str, Pair] = field(default_factory=dict)
    unusable: list[dict[str, Any]] = field(default_factory=list)


def pairs_of(records: Iterable[dict[str, Any] | LineError]) -> Pairs:
    """Return the pairs of records ``{"id", "original", "rewritten"}``."""
    found = Pairs()
    for number, record in enumerate(records, 1):
        try:
            name, pair = _pair(record)
            if name in found.by_id:
                raise LineError(f"id {name!r} was already given; give each problem an id of its own")
            found.by_id[name] = pair
        except LineError as error:
            found.unusable.append({"line": number, "reason": str(error)})
    return found


def _pair(record: dict[str, Any] | LineError) -> tuple[str, Pair]:
    record = usable(record)
    name = record.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise LineError("'id' must be a text or a whole number")
    plain = {"family": "free", **record}
    return str(name), Pair(problem_of(plain, "original"), problem_of(plain, "rewritten"))


def write_sheet(path: Path, pairs: Pairs, count: int | None, seed: int) -> dict[str, Any]:
    """Write a sheet for one rater, to be copied for others: CSV in UTF-8 with a mark by which spreadsheets know it.

    ``count`` problems are drawn, or all; a larger sample begins with a smaller one of the same seed. Raises
    ``SheetError`` if the file is there already, since it may be filled in.
    """
    drawn = sorted(pairs.by_id, key=lambda name: label_digest(seed, "raters", name))[:count]
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="")
            writer.writeheader()
            for name in drawn:
                pair = pairs.by_id[name]
                writer.writerow({"id": name, "original": shown(pair.original), "rewritten": shown(pair.rewritten)})
    except FileExistsError as error:
        raise SheetError(f"{path} is there already, and may be filled in; name another file") from error
    except OSError as error:
        raise SheetError(f"{path}: cannot be written ({error.strerror}); name another file") from error
    return {"sheet": str(path), "problems": len(drawn), "of": len(pairs.by_id), "unusable_lines": pairs.unusable}


@dataclass(slots=True)
class _Filled:
    """Filled-in sheets: ratings, and whether the answers to both wordings are right, by rater and id."""

    ratings: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)
    right: list[tuple[bool, bool]] = field(default_factory=list)
    unrated: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)


def read_ratings(paths: Sequence[Path], pairs: Pairs | None) -> dict[str, Any]:
    """Return the one row for filled-in sheets; without problems, answers are a fault.

    The column ``rater``, or else the file, names a rater. Raises ``SheetError`` if a file is no sheet.
    """
    filled = _Filled()
    seen: set[tuple[str, str]] = set()
    for path in paths:
        for number, row in _rows(path):
            try:
                _take(row, path, pairs, seen, filled)
            except LineError as error:
                filled.faults.append({"file": str(path), "row": number, "error": str(error)})
    return {
        "raters": [_of_rater(name, filled) for name in dict.fromkeys((*filled.ratings, *filled.unrated))],
        "ratings": {name: _of_criterion(name, filled.ratings) for name in (RATING, *CRITERIA)},
        "answers": _of_answers(filled.right),
        "faults": filled.faults,
        "unusable_lines": [] if pairs is None else pairs.unusable,
    }


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the rows of a sheet with their number in a spreadsheet, whatever its delimiter."""
    before = csv.field_size_limit(MAX_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            delimiter = max(",;\t", key=header.count)
            names = next(csv.reader([header], delimiter=delimiter), [])
            missing = [name for name in ("id", *CRITERIA) if name not in names]
            if missing:
                raise SheetError(f"{path}: no column {', '.join(missing)}; keep the header that --sheet wrote")
            for number, cells in enumerate(csv.reader(file, delimiter=delimiter), 2):
                yield number, dict(zip(names, cells, strict=False))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SheetError(f"{path}: no sheet ({error}); save it as CSV in UTF-8") from error
    finally:
        csv.field_size_limit(before)


def _take(row: Mapping[str, str], path: Path, pairs: Pairs | None, seen: set[tuple[str, str]], filled: _Filled) -> None:
    """Add a row, counting what is right in a faulty one; raises ``LineError`` naming the cell and the remedy."""
    said = {name: (row.get(name) or "").strip() for name in COLUMNS}
    name, rater = said["id"], said["rater"] or path.stem
    if not name:
        if any(said.values()):
            raise LineError("id is empty; copy it from the sheet as it was written")
        return
    pair = None if pairs is None else pairs.by_id.get(name)
    if pairs is not None and pair is None:
        raise LineError(f"id {_cut(name)} is of no problem in the file of problems; correct it, or name the other file")
    if (rater, name) in seen:
        raise LineError(f"{rater} has rated {_cut(name)} in an earlier row; delete one, or fill in 'rater'")
    seen.add((rater, name))
    faults = []
    if not any(said[criterion] for criterion in CRITERIA):
        filled.unrated[rater] += 1
    elif wrong := [criterion for criterion in CRITERIA if said[criterion] not in _SCALE]:
        cells = ", ".join(
            f"{criterion} is {_cut(said[criterion]) if said[criterion] else 'empty'}" for criterion in wrong
        )
        faults.append(f"{cells}; give a whole number from {LEAST} to {GREATEST}, or leave all four empty")
    else:
        filled.ratings.setdefault(rater, {})[name] = tuple(int(said[criterion]) for criterion in CRITERIA)
    if any(said[answer] for answer in ANSWERS):
        try:
            filled.right.append(_right(said, pair))
        except LineError as error:
            faults.append(str(error))
    if faults:
        raise LineError("; and ".join(faults))


_SCALE = tuple(map(str, range(LEAST, GREATEST + 1)))


def _right(said: Mapping[str, str], pair: Pair | None) -> tuple[bool, bool]:
    if pair is None:
        raise LineError("there are answers; name the file of problems, so that they can be judged")
    found = []
    for column, problem in zip(ANSWERS, (pair.original, pair.rewritten), strict=True):
        words = {word.lower(): letter for letter, word in labels(problem).items()}
        letters = {letter.lower(): letter for letter in problem.by_letter}
        answer = {**words, **letters}.get(said[column].lower())
        if answer is None:
            known = ", ".join(dict.fromkeys((*letters.values(), *words)))
            cell = _cut(said[column]) if said[column] else "empty"
            raise LineError(f"{column} is {cell}; give one of {known}, or leave both empty")
        found.append(answer == problem.answer)
    return found[0], found[1]


def _cut(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _of_rater(name: str, filled: _Filled) -> dict[str, Any]:
    ratings = filled.ratings.get(name, {})
    means = {criterion: [each[place] for each in ratings.values()] for place, criterion in enumerate(CRITERIA)}
    return {
        "rater": name,
        "rated": len(ratings),
        "unrated": filled.unrated[name],
        "means": {criterion: fmean(values) if values else None for criterion, values in means.items()},
    }


def _of_criterion(name: str, ratings: Mapping[str, Mapping[str, tuple[int, ...]]]) -> dict[str, Any]:
    """Return a criterion's mean over problems, averaged over raters, and Cohen's kappa (of ``rating``, by all four)."""
    places = range(len(CRITERIA)) if name == RATING else (CRITERIA.index(name),)
    by_problem: dict[str, list[int]] = {}
    for of_rater in ratings.values():
        for problem, given in of_rater.items():
            by_problem.setdefault(problem, []).extend(given[place] for place in places)
    kappas: dict[bool, list[float]] = {False: [], True: []}
    for one, other in combinations(ratings.values(), 2):
        both = [
            [each[problem][place] for problem in one if problem in other for place in places] for each in (one, other)
        ]
        for weighted, found in kappas.items():
            kappa = cohen_kappa(*both, weighted=weighted) if both[0] else None
            if kappa is not None:
                found.append(kappa)
    row: dict[str, Any] = {"problems": len(by_problem), **dict.fromkeys(("mean", "low", "high"))}
    if by_problem:
        scores = [scaled(fmean(given)) for given in by_problem.values()]
        mean = clustered_mean(scores, list(by_problem))
        row |= {
            key: None if end is None else rated(end) for key in ("mean", "low", "high") for end in [getattr(mean, key)]
        }
    means = {weighted: fmean(found) if found else None for weighted, found in kappas.items()}
    return {**row, "kappa": means[False], "weighted_kappa": means[True], "pairs_of_raters": len(kappas[False])}


def _of_answers(right: Sequence[tuple[bool, bool]]) -> dict[str, Any] | None:
    """Count how often both wordings, one or none are answered rightly (SoLT, table 5)."""
    if not right:
        return None
    found = agreement([float(one) for one, _ in right], [float(other) for _, other in right])
    counts = Counter(right)
    return {
        "answers": len(right),
        "both": counts[True, True],
        "original_only": counts[True, False],
        "rewritten_only": counts[False, True],
        "neither": counts[False, False],
        "kappa": found.kappa,
    }


def show(row: Mapping[str, Any]) -> None:
    """Write what raters said to standard error, for people."""

    def number(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    lines = [f"{each['rater']}: {each['rated']} rated, {each['unrated']} not" for each in row["raters"]]
    for name, found in row["ratings"].items():
        interval = f"[{number(found['low'])}, {number(found['high'])}]"
        kappas = f"kappa {number(found['kappa'])}, weighted {number(found['weighted_kappa'])}"
        lines.append(f"{name:22} {number(found['mean'])} {interval}  {kappas}")
    if row["answers"] is not None:
        lines.append(
            ", ".join(
                f"{name}: {number(value) if name == 'kappa' else value}" for name, value in row["answers"].items()
            )
        )
    lines += [f"{each['file']}, row {each['row']}: {each['error']}" for each in row["faults"]]
    say("\n".join(lines), sys.stderr)
