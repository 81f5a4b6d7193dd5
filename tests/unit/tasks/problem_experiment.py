"""Scores of models that answer problems by a script, for tests of tables and of the report."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.unit.tasks.problem_items import rows

import align_programs
import judge_answers
from nlfol.asking.asking import usable_items
from nlfol.asking.responses import response_row
from nlfol.problems.problem import Problem
from nlfol.problems.programs import CLAUSES
from nlfol.results.analyses.answers import classification, items_of
from nlfol.results.statistics.summary import load
from nlfol.store import files, schemas
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.tasks.item import Item
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.program_gold import gold_answer
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry
from nlfol.tasks.task import AnyTask
from nlfol_extras.analyses.solvers import solvers

Answer = Callable[[int, Item], str | None]

ANSWERING = QuestionAnswering(QuestionAnsweringEntry())
PROGRAM = Program(ProgramEntry(shots=0))


class Experiment:
    """Items, and scores of models that answer by a script."""

    def __init__(self, folder: Path, problems: Iterable[Problem], dataset: str = "toy", named: str = "") -> None:
        self.named = named
        self.folder = folder
        self.dataset = dataset
        self.problems = tuple(problems)
        self.answers: list[tuple[Path, Path]] = []
        self.items: dict[str, Path] = {}

    def add(self, task: AnyTask, model: str, *answers: Answer, kind: str = "chat") -> None:
        """Add a model with a seed for each script; None is a request that was cut off."""
        about = {"dataset": self.dataset, "task": self.named or task.kind, "task_kind": task.kind, "protocol": ""}
        path = self.items.setdefault(task.kind, self.folder / f"{task.kind}.arrow")
        if not path.exists():
            words = task.entry.example_words
            drawn = {**about, "style": "", **({"examples": words} if words else {})}
            files.write(path, schemas.ITEMS, rows(self.problems, task), drawn)
        asked = usable_items(path)
        presentation = task.entry.shown_as[0]
        listed: list[schemas.ResponseRow] = []
        for seed, answer in enumerate(answers):
            for number, each in enumerate(asked):
                text = answer(number, each)
                outcome = "truncated" if text is None else "answered"
                listed.append(response_row(each, presentation, seed=seed, answer=text, outcome=outcome))
        responses, scores = (self.folder / f"{task.kind}.{model}.{part}.arrow" for part in ("responses", "scores"))
        said = {**about, "model": model, "kind": kind, "identity": model, "available": str(len(asked))}
        files.write(responses, schemas.RESPONSES, listed, said)
        judge_answers.main(path, responses, task.entry.model_dump_json(), scores)
        self.answers.append((responses, scores))

    def align(self, task: AnyTask, model: str) -> Path:
        """Return the PROGRAMS file of a model that was added, by the keys of the entry that the rule gives."""
        problems = self.folder / "problems.arrow"
        if not problems.exists():
            files.write(problems, PROBLEMS, [each.to_row() for each in self.problems], {"dataset": self.dataset})
        parts = ("responses", "scores", "programs")
        responses, scores, output = (self.folder / f"{task.kind}.{model}.{part}.arrow" for part in parts)
        entry_json = task.entry.model_dump_json(include=set(task.entry.DECIDES_SCORES))
        align_programs.main(self.items[task.kind], problems, responses, scores, entry_json, output=output)
        return output

    @property
    def scores(self) -> list[Path]:
        return [scores for _, scores in self.answers]

    @property
    def solvers(self) -> dict[str, Any]:
        return {row["model"]: row for row in solvers([*map(load, self.scores)], items_of(self.items.values()))}

    @property
    def classification(self) -> dict[tuple[str, str], Any]:
        found = classification(map(load, self.scores), items_of(self.items.values()))
        return {(row["model"], row["label"]): row for row in found if row["group"] == "all"}


def gold(_: int, each: Item) -> str:
    return json.dumps(gold_answer(each.asked, CLAUSES))


def answered(label: str | None) -> str:
    return json.dumps({"reasoning": "", "answer": label})
