"""Reading formulas: strictly, and tolerantly as models write them."""

from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.strict import MAX_LENGTH, parse, read
from nlfol.logic.reading.tolerant.ambiguities import Ambiguity, TolerantReading
from nlfol.logic.reading.tolerant.reading import close_universally, read_tolerantly

__all__ = [
    "MAX_LENGTH", "Ambiguity", "Reading", "TolerantReading", "close_universally", "parse", "read", "read_tolerantly",
]  # fmt: skip
