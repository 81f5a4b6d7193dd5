"""Why a program's answer is wrong, by what would make it right.

The symbols of a concept are merged; a symbol of several concepts is split; both; the query alone is replaced. The first
of these that gives the right answer is the cause. Else it is the logic of some line.

What a map can explain is no fault of logic: one wrong symbol in a line is drift and, if it is another concept's,
collision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from nlfol.alignment import counterfactuals
from nlfol.alignment.aligning import Alignment, Sentence
from nlfol.programs.language import DEFAULT_POLICY, Lines, Policy
from nlfol.programs.outcome import Execution, Outcome
from nlfol.programs.symbols import LineError


class Cause(StrEnum):
    """Why an answer is wrong; ``right``, if it is not. A program that is not executed stays what it is."""

    RIGHT = "right"
    DRIFT = "drift"
    COLLISION = "collision"
    DRIFT_AND_COLLISION = "drift_and_collision"
    QUERY = "query"
    LOGIC = "logic"
    UNPARSABLE = "unparsable"
    FAILED = "failed"


_TRIED: dict[Cause, Callable[[Alignment], Lines]] = {
    Cause.DRIFT: counterfactuals.merged,
    Cause.COLLISION: counterfactuals.split,
    Cause.DRIFT_AND_COLLISION: counterfactuals.in_concepts,
    Cause.QUERY: counterfactuals.asked_right,
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a program's answer is wrong.

    Attributes:
        cause: the first that explains it.
        execution: of the program as it is.
        tried: the answers of the programs that were tried; None for one that gives none.
        place: where a fault of logic is: the first place that no map makes equivalent.
        lines: the program's lines there, if any.
        gold: the gold lines in the program's symbols.
        difference: what tells them apart: a counter-model, literals of clauses, or places.
    """

    cause: Cause
    execution: Execution
    tried: dict[Cause, str | None] = field(default_factory=dict)
    place: str | None = None
    lines: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    difference: Any = None


def cause_of(
    alignment: Alignment,
    answer: str,
    options: Sequence[str] = (),
    *,
    program: str | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> Explanation:
    """Why the answer of an aligned program is wrong.

    Args:
        alignment: of the program.
        answer: letter of the right option.
        options: as of ``nlfol.programs.execute``.
        program: the program as written; by default, as its lines are put together.
        policy: how to execute it.

    Raises:
        OptionsError: if options cannot be used.
    """
    language = alignment.program.language
    found = language.execute(alignment.program.text if program is None else program, options, policy)
    if found.outcome is Outcome.UNPARSABLE:
        return Explanation(Cause.UNPARSABLE, found)
    if found.outcome is Outcome.FAILED:
        return Explanation(Cause.FAILED, found)
    if found.answer == answer:
        return Explanation(Cause.RIGHT, found)
    tried: dict[Cause, str | None] = {}
    for cause, changed in _TRIED.items():
        tried[cause] = language.execute(changed(alignment).text, options, policy).answer
        if tried[cause] == answer:
            return Explanation(cause, found, tried)
    wrong = next((sentence for sentence in alignment.sentences if not sentence.fits), None)
    if wrong is None:
        place = alignment.extra[0] if alignment.extra else None
        lines = alignment.program.lines.get(place, ()) if place else ()
        return Explanation(Cause.LOGIC, found, tried, place, lines)
    return _logic(alignment, wrong, found, tried)


def _logic(alignment: Alignment, wrong: Sentence, found: Execution, tried: dict[Cause, str | None]) -> Explanation:
    language = alignment.language
    try:
        gold = language.rewritten(wrong.gold, alignment.most_frequent())
        difference = language.difference(gold, wrong.lines) if wrong.lines and wrong.error is None else None
    except LineError:
        gold, difference = wrong.gold, None  # a negated conjunction: the line is shown in its concepts
    return Explanation(Cause.LOGIC, found, tried, wrong.place, wrong.lines, gold, difference)
