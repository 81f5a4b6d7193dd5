"""``nlfol sheets``: problems in two wordings for two groups of people, and how many they answer rightly in which.

Each group has half of the problems in the first wording and the others in the second, so nobody reads one twice (SoLT,
table 5). A filled sheet is a file of answers, of which other columns mean nothing.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nlfol.asking.answer_files import read_answer_file
from nlfol.asking.asking import usable_items
from nlfol.problems import Problem
from nlfol.randomness import generator
from nlfol.store import files, schemas
from nlfol.store.records import SourceError

COLUMNS = ("dataset", "task", "item", "text", "question", "options", "answer")

TASK = "question_answering"

Wording = tuple[str, Mapping[str, Problem]]
"""A dataset's name, and its problems by item."""


def read_wording(path: Path) -> Wording:
    """Read a file of items of question answering; raises ``SourceError`` if it holds something else."""
    about = files.metadata_of(files.read(path, schemas.ITEMS))
    problems = {item.item: item.problem for item in usable_items(path) if item.problem is not None}
    if about.get("task_kind") != TASK or not problems:
        raise SourceError(f"{path}: no problems to answer; give results/items/DATASET/{TASK}.arrow")
    return about["dataset"], problems


def write_sheets(first: Wording, second: Wording, folder: Path, seed: int) -> list[Path]:
    """Write a sheet for each group, in an order of its own.

    Raises ``SourceError`` if no item is in both wordings, or one is another problem.
    """
    items = sorted(first[1].keys() & second[1].keys())
    if not items:
        raise SourceError(f"{first[0]} and {second[0]} have no item in common; give a dataset and its other wording")
    if other := next((item for item in items if first[1][item].answer != second[1][item].answer), None):
        raise SourceError(f"item {other!r} has another answer in {second[0]} than in {first[0]}: not the same problem")
    draw = generator(seed, "sheets", first[0], second[0])
    draw.shuffle(items)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"group_{number}.csv" for number in (1, 2)]
    for path, wordings in zip(paths, ((first, second), (second, first)), strict=True):
        rows = [_row(wordings[index % 2], item) for index, item in enumerate(items)]
        draw.shuffle(rows)
        # Spreadsheets know UTF-8 by its mark.
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            lines = csv.DictWriter(file, COLUMNS)
            lines.writeheader()
            lines.writerows(rows)
    return paths


def _row(wording: Wording, item: str) -> dict[str, str]:
    name, problem = wording[0], wording[1][item]
    options = "\n".join(problem.lettered)
    texts = {"text": problem.context, "question": problem.question.text, "options": options}
    # A cell that begins so is a formula to a spreadsheet.
    texts = {key: f"'{text}" if text.startswith(("=", "+", "-", "@")) else text for key, text in texts.items()}
    return {"dataset": name, "task": TASK, "item": item, **texts, "answer": ""}


def contingency(first: Wording, second: Wording, filled: Sequence[Path]) -> dict[str, int]:
    """Count the items that both wordings were answered of, by where they were answered rightly.

    ``unanswered`` are items of which an answer is missing in either wording, ``unread`` those that have one with no
    letter of an option. Raises ``SourceError`` for an unusable sheet, an item that is in no wording, or two answers to
    one question.
    """
    answers: dict[tuple[str, str], bool | None] = {}
    for location, dataset, item, answer in _answers(filled):
        problem = dict((first, second)).get(dataset, {}).get(item)
        if problem is None:
            raise SourceError(f"{location}: no item {item!r} of {dataset!r} was given out")
        if (dataset, item) in answers:
            raise SourceError(f"{location}: a second answer to {item!r} of {dataset!r}; keep one")
        letter = answer.partition(")")[0].strip().upper()
        answers[dataset, item] = letter == problem.answer if letter in problem.by_letter else None
    names = {(True, True): "both_right", (True, False): "original_only", (False, True): "diversified_only"}
    counts = Counter(dict.fromkeys((*names.values(), "neither", "unread", "unanswered"), 0))
    for item in first[1].keys() & second[1].keys():
        keys = (first[0], item), (second[0], item)
        if not answers.keys() >= set(keys):
            counts["unanswered"] += 1
            continue
        one, other = (answers[key] for key in keys)
        counts["unread" if one is None or other is None else names.get((one, other), "neither")] += 1
    return dict(counts)


def _answers(filled: Sequence[Path]) -> Iterator[tuple[str, str, str, str]]:
    for path in filled:
        for row in read_answer_file(path).rows:
            if answer := str(row.answer or "").strip():
                yield f"{path}: {row.place}", row.dataset or "", row.item, answer
