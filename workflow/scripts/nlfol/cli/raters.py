"""``nlfol audit --ratings``: what people say on sheets of problems in other words.

A sheet has a row a problem, in an order drawn, for people to rate by the criteria of the task ``rating``, and to answer
the problem in both wordings (SoLT, tables 1, 2 and 5); or, as one of two, to answer it in one wording. The right
answers are not in it.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.cli.lines import LineError, say
from nlfol.cli.sheets import ANSWERS, APART, COLUMNS, WORDINGS, Pair, Pairs, SheetError
from nlfol.problems import Problem
from nlfol.statistics.agreement import agreement, cohen_kappa
from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.differences import difference
from nlfol.tasks.item import labels
from nlfol.tasks.rating import CRITERIA, GREATEST, LEAST, RATING, rated, scaled

MAX_CELL = 1_000_000
"""Characters of a cell that are read."""

_SHOWN = 40
"""Characters of a wrong cell that an error shows."""


@dataclass(slots=True)
class _Filled:
    """Filled-in sheets: ratings by rater and id, and whether answers are right: to both wordings, or to one by id."""

    ratings: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)
    right: list[tuple[bool, bool]] = field(default_factory=list)
    apart: dict[str, dict[str, list[bool]]] = field(default_factory=lambda: {wording: {} for wording in WORDINGS})
    unanswered: Counter[str] = field(default_factory=Counter)
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
        "apart": _of_apart(filled),
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
            if missing and not {"id", "wording", "answer"} <= {*names}:
                raise SheetError(f"{path}: no column {', '.join(missing)}; keep the header that --sheet wrote")
            for number, cells in enumerate(csv.reader(file, delimiter=delimiter), 2):
                yield number, dict(zip(names, cells, strict=False))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SheetError(f"{path}: no sheet ({error}); save it as CSV in UTF-8") from error
    finally:
        csv.field_size_limit(before)


def _take(row: Mapping[str, str], path: Path, pairs: Pairs | None, seen: set[tuple[str, str]], filled: _Filled) -> None:
    """Add a row, counting what is right in a faulty one; raises ``LineError`` naming the cell and the remedy."""
    said = {name: (row.get(name) or "").strip() for name in (*COLUMNS, *APART)}
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
    if "wording" in row:
        _take_apart(said, pair, filled)
        return
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


def _take_apart(said: Mapping[str, str], pair: Pair | None, filled: _Filled) -> None:
    """Add a row of a sheet with one wording of each problem."""
    wording = dict(zip("12", WORDINGS, strict=True)).get(said["wording"])
    if wording is None:
        cell = _cut(said["wording"]) if said["wording"] else "empty"
        raise LineError(f"wording is {cell}; copy 1 or 2 from the sheet as it was written")
    if not said["answer"]:
        filled.unanswered[wording] += 1
        return
    problem = _known(pair).original if wording == "original" else _known(pair).rewritten
    is_right = _is_right(said, "answer", problem, "leave it empty")
    filled.apart[wording].setdefault(said["id"], []).append(is_right)


def _right(said: Mapping[str, str], pair: Pair | None) -> tuple[bool, bool]:
    known = _known(pair)
    original, rewritten = (
        _is_right(said, column, problem, "leave both empty")
        for column, problem in zip(ANSWERS, (known.original, known.rewritten), strict=True)
    )
    return original, rewritten


def _known(pair: Pair | None) -> Pair:
    if pair is None:
        raise LineError("there are answers; name the file of problems, so that they can be judged")
    return pair


def _is_right(said: Mapping[str, str], column: str, problem: Problem, otherwise: str) -> bool:
    words = {word.lower(): letter for letter, word in labels(problem).items()}
    letters = {letter.lower(): letter for letter in problem.by_letter}
    answer = {**words, **letters}.get(said[column].lower())
    if answer is None:
        known = ", ".join(dict.fromkeys((*letters.values(), *words)))
        cell = _cut(said[column]) if said[column] else "empty"
        raise LineError(f"{column} is {cell}; give one of {known}, or {otherwise}")
    return answer == problem.answer


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


def _of_apart(filled: _Filled) -> dict[str, Any] | None:
    """Return, for each wording, the share of right answers with its interval at 95 %, problems as clusters.

    ``drop`` is that of originals less that of the others, over the problems answered in both wordings.
    """
    if not any((*filled.apart.values(), filled.unanswered)):
        return None
    row: dict[str, Any] = {}
    means = {wording: {name: fmean(right) for name, right in of.items()} for wording, of in filled.apart.items()}
    for wording, found in filled.apart.items():
        right = [each for of_problem in found.values() for each in of_problem]
        mean = clustered_mean([*means[wording].values()], [*found]) if found else None
        row[wording] = {
            "problems": len(found),
            "answers": len(right),
            "right": sum(right),
            "unanswered": filled.unanswered[wording],
            **{end: None if mean is None else getattr(mean, end) for end in ("mean", "low", "high")},
        }
    original, rewritten = (means[wording] for wording in WORDINGS)
    common = [name for name in original if name in rewritten]
    row["problems"] = len(common)
    found_drop = None
    if common:
        found_drop = difference([original[name] for name in common], [rewritten[name] for name in common], common)
    ends = {"drop": "mean", "low": "low", "high": "high", "p": "p"}
    return row | {name: None if found_drop is None else getattr(found_drop, end) for name, end in ends.items()}


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
    if row["apart"] is not None:
        for wording in WORDINGS:
            found = row["apart"][wording]
            interval = f"[{number(found['low'])}, {number(found['high'])}]"
            said = f"{found['right']} of {found['answers']} right, {found['unanswered']} unanswered"
            lines.append(f"{wording}: {said}; by problem {number(found['mean'])} {interval}")
        interval = f"[{number(row['apart']['low'])}, {number(row['apart']['high'])}]"
        lines.append(f"drop over {row['apart']['problems']} problems: {number(row['apart']['drop'])} {interval}")
    lines += [f"{each['file']}, row {each['row']}: {each['error']}" for each in row["faults"]]
    say("\n".join(lines), sys.stderr)
