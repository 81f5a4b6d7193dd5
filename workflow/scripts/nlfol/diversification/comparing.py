"""Comparisons of rewritten problems with their originals, as rows."""

from collections.abc import Iterator
from typing import Any

from nlfol.diversification.audit import Check, audit
from nlfol.problems.dialects.registry import CONTROLLED
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem

_VERDICTS = {Check.UNREAD: "unread", Check.SECOND_READING: "unread", Check.ADDED_STATEMENT: "added"}
"""Verdicts of faults that do not change the meaning."""


def verdicts(original: Problem, problem: Problem, lexicon: Lexicon) -> Iterator[dict[str, Any]]:
    """Yield the rows of REWRITTEN for a rewritten problem: a verdict on each rewritten statement and on each fault."""
    rewritten = sorted({rewrite.statement for rewrite in problem.rewrites})
    if original.family not in CONTROLLED or original.language is None:
        detail = "its English is of no family"
        yield from (_verdict(problem, place, "unread", Check.UNREAD, detail) for place in rewritten)
        return
    faulty = set()
    for check, statement, detail in audit(original, problem, lexicon):
        faulty.add(statement)
        yield _verdict(problem, statement, _VERDICTS.get(check, "changed"), check, detail)
    yield from (_verdict(problem, place, "kept", None, None) for place in rewritten if place not in faulty)


def _verdict(
    problem: Problem, statement: int | None, verdict: str, check: Check | None, detail: str | None
) -> dict[str, Any]:
    return {
        "item": problem.name,
        "statement": statement,
        "verdict": verdict,
        "check": None if check is None else check.value,
        "detail": detail,
    }


def wordings(original: Problem, problem: Problem) -> Iterator[dict[str, Any]]:
    """Yield the rows of WORDINGS without similarities: rewritten statements and rewritten words, before and after.

    Decoys have no original statement, so only their words are compared.
    """
    places = _places(original, problem)
    for place in sorted({rewrite.statement for rewrite in problem.rewrites}):
        if place in places:
            old, new = original.statements[places[place]].text, problem.statements[place].text
            yield {"item": problem.name, "statement": place, "unit": "statement", "before": old, "after": new}
    for rewrite in problem.rewrites:
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
