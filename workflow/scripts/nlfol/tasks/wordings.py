"""Wordings: what is compared of problems in other words, the whole question as a model is shown it among it."""

from collections.abc import Iterator
from pathlib import Path

from nlfol.facts import PROBLEM
from nlfol.problems.problem import Problem
from nlfol.problems.rewording.diversifying import SYNTAX
from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS, Reworded, problems_at
from nlfol.tasks.item import shown


def wordings(originals: Path, problems: Path) -> list[Reworded]:
    """Return the rows of WORDINGS without cosines: of each usable problem, its rewritten statements and words.

    ``problems`` is a PROBLEMS or REWORDED file. Decoys have no original statement, so only their words are compared.
    """
    before = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
    after = map(Problem.from_row, files.rows(problems, problems_at(problems)))
    return [row for problem in after if problem.is_usable for row in _wordings(before[problem.name], problem)]


def _wordings(original: Problem, problem: Problem) -> Iterator[Reworded]:
    yield {"item": problem.name, "statement": None, "unit": PROBLEM, "before": shown(original), "after": shown(problem)}
    indices = _places(original, problem)
    for index in sorted({rewrite.statement for rewrite in problem.rewrites}):
        if index in indices:
            old, new = original.statements[indices[index]].text, problem.statements[index].text
            yield {"item": problem.name, "statement": index, "unit": "statement", "before": old, "after": new}
    for rewrite in problem.rewrites:
        if rewrite.type == SYNTAX:
            continue
        old, new = rewrite.before, rewrite.after
        yield {"item": problem.name, "statement": rewrite.statement, "unit": "concept", "before": old, "after": new}


def _places(original: Problem, problem: Problem) -> dict[int, int]:
    """Map statements to those of the original: by lines, where a glossary or decoys were added."""
    if len(original.statements) == len(problem.statements):
        return {index: index for index in range(len(problem.statements))}
    indices: dict[int, int] = {}
    for index, statement in enumerate(problem.statements):
        at = len(indices)
        if at < len(original.statements):
            old = original.statements[at]
            if statement.line == old.line and (old.line is not None or statement.text == old.text):
                indices[index] = at
    return indices
