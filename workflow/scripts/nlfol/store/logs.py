"""What a job says while it runs: to the terminal, and to the log file that its rule declares."""

from __future__ import annotations

import logging
import math
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

LOGGER = logging.getLogger("nlfol")
"""Everything that this library reports on progress."""


class Progress:
    """Says how far something is, at the start, at the end, and every few seconds between.

    Args:
        label: what it is.
        every: seconds between two messages.
    """

    def __init__(self, label: str, every: float = 10.0) -> None:
        self._label = label
        self._every = every
        self._last = -math.inf

    def __call__(self, done: int, total: int) -> None:
        """So many of so many are there."""
        now = monotonic()
        if done in (0, total) or now - self._last >= self._every:
            self._last = now
            LOGGER.info(f"{self._label}: {done} of {total} answers")


@contextmanager
def job_log(path: str) -> Iterator[None]:
    """Send the library's messages to standard error and to a file while a job runs.

    An error of this library's own is one that its message explains: it ends the job with that message. Any other error
    keeps its traceback. Both stand in the file as well.

    Args:
        path: the log file; its folder is made.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    file = logging.FileHandler(path, mode="w", encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(logging.Formatter("%(message)s"))
    LOGGER.setLevel(logging.INFO)
    LOGGER.handlers = [file, terminal]
    try:
        yield
    except Exception as error:
        explained = type(error).__module__.partition(".")[0] == "nlfol"
        LOGGER.error("error: %s", error if explained else "".join(traceback.format_exception(error)).rstrip())
        raise SystemExit(1) from None
    finally:
        LOGGER.handlers = []
        file.close()
