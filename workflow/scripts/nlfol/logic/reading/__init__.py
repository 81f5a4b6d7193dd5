"""Reading formulas: strictly, and tolerantly as models write them."""

from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.strict import MAX_LENGTH, parse, read
from nlfol.logic.reading.tolerant.ambiguities import Ambiguity, TolerantReading
from nlfol.logic.reading.tolerant.reading import close_universally, read_tolerantly
from nlfol.logic.reading.tolerant.replies import denies_by_dash

__all__ = [
    "MAX_LENGTH", "Ambiguity", "Reading", "TolerantReading", "close_universally", "denies_by_dash", "parse", "read",
    "read_tolerantly",
]  # fmt: skip
