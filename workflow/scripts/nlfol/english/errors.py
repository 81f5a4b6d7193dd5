"""Errors of the english package."""

from nlfol.logic.errors import FormulaSyntaxError, LogicError


class EnglishSyntaxError(FormulaSyntaxError):
    """A text that is no formula's rendering, with the line and column where reading ended."""

    @property
    def position(self) -> int:
        """Place of the first character that could not be read, from 0."""
        return self._position


class EnglishLengthError(LogicError):
    """A formula whose rendering is too long to be of use to a reader."""
