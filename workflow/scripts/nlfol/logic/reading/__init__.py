"""Reading formulas: strictly, and tolerantly as models write them."""

from nlfol.logic.reading.strict.reading import MAX_LENGTH, Reading, parse, parse_once, read

__all__ = ["MAX_LENGTH", "Reading", "parse", "parse_once", "read"]
