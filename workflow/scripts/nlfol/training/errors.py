"""The error of a training."""


class TrainingError(RuntimeError):
    """A training that cannot be: the message names it, what is missing, and the remedy."""
