"""The error of the datasets package."""


class DatasetError(ValueError):
    """A source that cannot be read at all; names the file, the place in it and the remedy."""
