"""What proves how two members of a candidate set stand to each other."""

from __future__ import annotations

from typing import NamedTuple

from nlfol.logic.equivalence import Outcome, Verdict
from nlfol.logic.structures import Structure


class Certificate(NamedTuple):
    """A relation of one member to another.

    Attributes:
        to: the other member's place in the set.
        verdict: equivalent or not equivalent.
        means: what decided, see ``Verdict``.
        counter_model: a finite structure in which exactly one of the two is true, confirmed by the plain definition of
            truth; None for a proof.
        word: of two regular expressions, the shortest word that exactly one of them matches; None for a proof.
    """

    to: int
    verdict: Outcome
    means: str
    counter_model: Structure | None = None
    word: str | None = None

    @classmethod
    def of(cls, to: int, verdict: Verdict) -> Certificate:
        """From a verdict; reading its counter-model confirms it."""
        return cls(to, verdict.outcome, verdict.means, verdict.counter_model)
