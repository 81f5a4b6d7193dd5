"""The reader: no language model, but a parser of the candidates' English and a decision of what they mean.

Free English it cannot read, so it is handed the gold formula as the meaning of the sentence. What it scores is thus no
model's ability: it is the ceiling, and shows that the texts of the candidates alone, as models see them, settle every
item, and with one answer only. It sees neither the formulas of candidates nor their roles. It says what it makes of
them in the form of a dialogue model's answer, and is judged as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.syntax import Formula
from nlfol.tasks.reference import ReaderError


def equivalent(what: str, meaning: Formula, candidates: Sequence[Formula], wanted: int) -> list[int]:
    """The numbers, from 1, of the candidates that are equivalent to a formula.

    Args:
        what: the formula in words, for messages.
        meaning: the formula.
        candidates: in the order in which they are shown.
        wanted: how many there should be.

    Raises:
        ReaderError: if there are more or fewer, or one is not decided.
    """
    outcomes = [equivalence(meaning, candidate).outcome for candidate in candidates]
    for number, outcome in enumerate(outcomes, 1):
        if outcome not in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT):
            raise ReaderError(f"whether candidate {number} is equivalent to {what} is {outcome}")
    found = [number for number, outcome in enumerate(outcomes, 1) if outcome is Outcome.EQUIVALENT]
    if len(found) != wanted:
        raise ReaderError(f"{len(found)} candidates are equivalent to {what}, {wanted} should be: {found}")
    return found
