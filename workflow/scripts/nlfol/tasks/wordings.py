"""Wordings: what is compared of problems in other words, the whole question as a model is shown it among it."""

from collections.abc import Iterator
from typing import Any

from nlfol.diversification.diversifying import SYNTAX
from nlfol.problems.problem import Problem
from nlfol.tasks.item import shown

PROBLEM = "problem"
"""The unit of a whole question: its statements, question and options."""


def wordings(original: Problem, problem: Problem) -> Iterator[dict[str, Any]]:
    """Yield the rows of WORDINGS without cosines: the problem, rewritten statements, and rewritten words.

    Decoys have no original statement, so only their words are compared.
    """
    yield {"item": problem.name, "statement": None, "unit": PROBLEM, "before": shown(original), "after": shown(problem)}
    places = _places(original, problem)
    for place in sorted({rewrite.statement for rewrite in problem.rewrites}):
        if place in places:
            old, new = original.statements[places[place]].text, problem.statements[place].text
            yield {"item": problem.name, "statement": place, "unit": "statement", "before": old, "after": new}
    for rewrite in problem.rewrites:
        if rewrite.type == SYNTAX:
            continue
        words = {"before": rewrite.before, "after": rewrite.after}
        yield {"item": problem.name, "statement": rewrite.statement, "unit": "concept", **words}


def _places(original: Problem, problem: Problem) -> dict[int, int]:
    """Map statements to those of the original: by lines, where a glossary or decoys were added."""
    if len(original.statements) == len(problem.statements):
        return {place: place for place in range(len(problem.statements))}
    places: dict[int, int] = {}
    for place, statement in enumerate(problem.statements):
        at = len(places)
        if at < len(original.statements):
            old = original.statements[at]
            if statement.line == old.line and (old.line is not None or statement.text == old.text):
                places[place] = at
    return places
