"""Agreement of ``nlfol entails`` with the labels of FOLIO's annotators.

    python benchmarks/entailment.py --folio-validation folio-validation.jsonl

The file is FOLIO v0.0's: one problem a line with ``story_id``, ``premises``, ``premises-FOL``, ``conclusion``,
``conclusion-FOL`` and ``label`` (True, False, and Uncertain or Unknown). It is not shipped; its publishers give it at
github.com/Yale-LILY/FOLIO. Its formulas are read and judged by the very function behind ``nlfol entails``. What cannot
be read is refused and listed; premises that contradict one another have a column of their own, since they entail all.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

from nlfol.cli.formula_rows import Judging, entailed

LABELS = {"True": "true", "False": "false", "Uncertain": "uncertain", "Unknown": "uncertain"}
"""Labels of the file, and the command's words for them."""

ROWS = ("true", "false", "uncertain")
COLUMNS = (*ROWS, "unknown", "inconsistent")


@dataclass(frozen=True)
class Problem:
    """One problem of FOLIO's.

    Attributes:
        name: its line and story.
        record: what ``nlfol entails`` is asked.
        label: the annotators', as the command would say it.
        is_complete: whether there are as many formulas as premises.
    """

    name: str
    record: dict[str, Any]
    label: str
    is_complete: bool


@dataclass(frozen=True)
class Judged:
    """A problem with the row that ``nlfol entails`` writes for it, and the milliseconds of processor time it took."""

    problem: Problem
    row: dict[str, Any]
    milliseconds: float

    @property
    def is_refused(self) -> bool:
        """Return whether a formula could not be read or used."""
        return self.row["error"] is not None

    @property
    def column(self) -> str:
        """Return the command's label, or that the premises are inconsistent."""
        return "inconsistent" if self.row["inconsistent"] else str(self.row["label"])


def problems(path: Path) -> list[Problem]:
    """The problems of a file.

    Raises:
        ValueError: if a line is no problem of FOLIO's; it names file, line, key and remedy.
    """
    needed = "needed is FOLIO v0.0's folio-validation.jsonl"
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{where}: not JSON: {error}; {needed}") from error
        missing = [key for key in ("premises-FOL", "conclusion-FOL", "label") if key not in row]
        if missing:
            raise ValueError(f"{where}: no {', '.join(map(repr, missing))}; {needed}")
        if row["label"] not in LABELS:
            raise ValueError(f"{where}: label {row['label']!r} is not one of {', '.join(LABELS)}; {needed}")
        name = f"line {number}, story {row.get('story_id')}"
        record = {"id": name, "premises": row["premises-FOL"], "conclusion": row["conclusion-FOL"]}
        complete = len(row.get("premises", row["premises-FOL"])) == len(row["premises-FOL"])
        found.append(Problem(name, record, LABELS[row["label"]], complete))
    if not found:
        raise ValueError(f"{path}: no problems; {needed}")
    return found


def judge(problem: Problem) -> Judged:
    """Put one problem to ``nlfol entails``."""
    start = process_time()
    row = entailed(problem.record, Judging())
    return Judged(problem, row, 1000 * (process_time() - start))


def report(judged: Sequence[Judged]) -> str:
    """Counts, the matrix of labels against verdicts, cost, and every problem that is refused or judged otherwise."""
    readable = [one for one in judged if not one.is_refused]
    refused = [one for one in judged if one.is_refused]
    cells = Counter((one.problem.label, one.column) for one in readable)
    agreed = sum(cells[label, label] for label in ROWS)
    milliseconds = [one.milliseconds for one in readable] or [0.0]
    found = Counter(one.column for one in readable)
    incomplete = sum(not one.problem.is_complete for one in judged)
    lines = [
        f"problems {len(judged)}, readable {len(readable)}, refused {len(refused)}",
        f"decided {len(readable) - found['unknown']}, inconsistent premises {found['inconsistent']}",
        f"premises without a formula, or the other way round: {incomplete}",
        f"verdict as labelled {agreed} of {len(readable)}",
        f"{'label':>12} | " + " ".join(f"{column:>12}" for column in COLUMNS),
    ]
    lines += [f"{label:>12} | " + " ".join(f"{cells[label, column]:12}" for column in COLUMNS) for label in ROWS]
    cost = f"mean {mean(milliseconds):.1f}, median {median(milliseconds):.1f}, most {max(milliseconds):.1f}"
    lines.append(f"milliseconds of processor time a problem: {cost}")
    lines += [f"refused: {one.problem.name}: {one.row['error']}" for one in refused]
    otherwise = [one for one in readable if one.column != one.problem.label]
    lines += [f"labelled {one.problem.label}, found {one.column}: {one.problem.name}" for one in otherwise]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge all problems of a file; exit status 2 if it is not one of FOLIO's."""
    parser = argparse.ArgumentParser(description="nlfol entails on FOLIO's problems, against their labels.")
    parser.add_argument("--folio-validation", type=Path, required=True, help="FOLIO v0.0's folio-validation.jsonl")
    options = parser.parse_args(arguments)
    try:
        found = problems(options.folio_validation)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(report([judge(problem) for problem in found]))


if __name__ == "__main__":
    main()
