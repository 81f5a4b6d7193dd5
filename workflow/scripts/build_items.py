"""Make one task's items over a dataset, with their candidates: triples, or problems -> items."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from nlfol.data.gold import read_gold, stored
from nlfol.logic.judging import without_collecting
from nlfol.problems.forms import DEFAULT_FORMS, part_of, read_forms
from nlfol.problems.lexicon import DEFAULT_PATH, read_lexicon
from nlfol.problems.problem import Problem
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.store.problem_schemas import LANGUAGE_LABELS, PROBLEMS
from nlfol.store.schemas import ItemRow
from nlfol.tasks.item_rows import Exemplars, ProblemItems, sentence_row, warn_of_none
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import Surroundings

T = TypeVar("T")


def main(
    source: Path,
    *,
    dataset: str,
    task: str,
    task_json: str,
    seed: int,
    output: Path,
    part: Part = WHOLE,
    lexicon: Path = DEFAULT_PATH,
    forms: Path = DEFAULT_FORMS,
    originals: Path | None = None,
    language_labels: Path | None = None,
) -> None:
    """Write the ITEMS file of one dataset and task, from its TRIPLES or PROBLEMS file.

    A candidate set depends on the seed, the item's source and gold formula and the entry, not on names of entries:
    with fewer perturbations a set is part of the larger one. ``lexicon`` and ``forms`` are the words of problems that
    are drawn as examples; ``originals`` is the PROBLEMS file that reworded problems come from, ``language_labels``
    the LANGUAGE_LABELS file of the language of programs, where the entry names one.
    """
    kind, origin = build_task(task_json), made_from(*filter(None, (source, originals)))
    label = f"{dataset}, {task}"
    if part.made:
        rows: Iterable[ItemRow] = part.gathered(ItemRow, origin)
    elif metadata_at(source)["nlfol.schema"] == "problems":
        problems = _usable(source)
        words = partial(read_lexicon, lexicon)
        by_name = {} if originals is None else {problem.name: problem for problem in _usable(originals)}
        faults = None
        if language_labels is not None:
            faults = {row["item"]: row["fault"] for row in files.rows(language_labels, LANGUAGE_LABELS)}
        about_problems = Surroundings(
            seed, problems, words, lambda: part_of(read_forms(words(), forms), "shown"), by_name, faults
        )
        rows = _rows(part.rows(problems), ProblemItems(problems, kind, about_problems).row, label)
    else:
        usable = [row for row in files.rows(source, schemas.TripleRow) if row["status"] == "usable"]
        exemplars = Exemplars(usable, metadata_at(source).get("exemplars"), dataset, seed)
        build = partial(sentence_row, task=kind, seed=seed, exemplars=exemplars)
        rows = _rows(part.rows(kind.joined(usable)), build, label)
    about = {
        "dataset": dataset,
        "task": task,
        "task_kind": kind.kind,
        "protocol": kind.entry.sets_protocol or "",
        "style": kind.entry.sets_style or "",
        "seed": str(seed),
        **({"items": "stories"} if kind.joins_stories else {}),
        **({"examples": kind.entry.example_words} if kind.entry.example_words else {}),
        **({} if originals is None else {"original_reader": metadata_at(originals)["reader"]}),
        **stored(read_gold(source).refused),
        **origin,
    }
    if part.made or part.of == 1:
        rows = list(rows)
        warn_of_none(label, rows, kind)
    files.write(output, schemas.ITEMS, rows, about)


def _usable(path: Path) -> list[Problem]:
    return [Problem.from_row(row) for row in files.rows(path, PROBLEMS) if row["status"] == "usable"]


def _rows(sources: Sequence[T], build: Callable[[T], ItemRow], label: str) -> list[ItemRow]:
    rows = []
    with without_collecting():
        for number, source in enumerate(sources, 1):
            if number % 500 == 0:
                LOGGER.info(f"{label}: {number} of {len(sources)} items")
            rows.append(build(source))
    return rows


if __name__ == "__main__":
    run_job(main)
