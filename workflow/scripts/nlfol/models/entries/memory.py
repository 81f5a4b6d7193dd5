"""Memory of jobs with a model, in MB, where neither its entry nor a profile says so."""

MATERIALISING = 16_000
ASKING = 16_000
"""Local models, dialogue and embedding."""
TRAINING = 32_000
_UNKNOWN = 32_000


def of_server(weights: int | None, attempt: int = 1) -> int:
    """Return the memory of a server by the size of its weights in MB, more at every attempt; None is an unknown one."""
    return _UNKNOWN if weights is None else attempt * (8_000 + weights * 5 // 4)
