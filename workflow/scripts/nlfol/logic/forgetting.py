"""Memory that does not grow with the number of formulas, where they have few parts in common."""

from nlfol.logic import interning, measuring, profiles
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, FURTHER_FAMILIES
from nlfol.logic.reading.strict import reading


def forget() -> None:
    """Drop what is remembered of formulas to save work on others like them; no result depends on it."""
    for family in (FIRST_FAMILY, *FURTHER_FAMILIES):
        family.forget()
    reading.forget()
    measuring.forget()
    profiles.forget()
    interning.forget()
