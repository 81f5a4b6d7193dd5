"""Messages of a job while it runs: to the terminal, and to the log file that its rule declares."""

import atexit
import errno
import gc
import logging
import math
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

LOGGER = logging.getLogger("nlfol")
"""Everything that this library reports on progress."""


_DISK = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EROFS: "choose another folder for the results",
    errno.EACCES: "see to its permissions",
}


def _explanation(error: Exception) -> str:
    """Return an error in one line; empty if only its traceback explains it."""
    if isinstance(error, OSError) and error.errno in _DISK:
        return f"{error}; {_DISK[error.errno]} and run again"
    return str(error) if type(error).__module__.startswith("nlfol") else ""


_FINAL = "another attempt would end in the same way"
"""Last line of the log of such a job."""
_OF_INPUT = (ValueError, TypeError, LookupError, AttributeError, AssertionError, ArithmeticError, NameError)


def may_pass(error: Exception) -> bool:
    """Return whether an error of a job may be gone at its next attempt, as that of a file, a server or a lock may.

    Those classes of the library have an attribute of this name.
    """
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    if any(isinstance(each, OSError | MemoryError) or getattr(each, "may_pass", False) for each in chain):
        return True
    return not (type(error).__module__.startswith("nlfol") or isinstance(error, _OF_INPUT))


def ended_for_good(log: Path) -> bool:
    """Return whether a job with this log ended with an error that another attempt would have, too."""
    with suppress(OSError), log.open("rb") as file:
        file.seek(-min(log.stat().st_size, 200), os.SEEK_END)
        return file.read().decode(errors="replace").rstrip().endswith(f" {_FINAL}")
    return False


class _LogFile(logging.FileHandler):
    """A log file that a full disk cuts short: the terminal has all of it, the reason included."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


class Progress:
    """Logs progress ``of`` what is counted, with the time left; ``failed`` of those done, and ``spent``, in words.

    The terminal has a line every ``every`` seconds; the log has one every second, and the last count.
    """

    def __init__(self, label: str, every: float = 10.0, of: str = "answers") -> None:
        self._label = label
        self._of = of
        self._every = every
        self._last = self._logged = -math.inf
        self._start: tuple[float, int] | None = None
        self._unsaid = ""
        self.failed = 0
        self.spent = ""

    def __call__(self, done: int, total: int) -> None:
        """Log that so many of so many are done, failures included."""
        now = monotonic()
        started, before = self._start = self._start or (now, done)
        parts = [f"{done - self.failed} of {total} {self._of}"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.spent:
            parts.append(f"{self.spent} so far")
        if before < done < total:
            parts.append(f"about {_duration((now - started) / (done - before) * (total - done))} left")
        self._unsaid = f"{self._label}: {', '.join(parts)}"
        if done in (0, total) or now - self._last >= self._every:
            self._last = self._logged = now
            self._say(logging.INFO)
        elif now - self._logged >= 1:
            self._logged = now
            self._say(logging.DEBUG)

    def close(self) -> None:
        """Log the last count if it is not logged yet."""
        self._say(logging.DEBUG)

    def _say(self, level: int) -> None:
        if self._unsaid:
            LOGGER.log(level, self._unsaid)
        self._unsaid = ""


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@contextmanager
def job_log(path: str) -> Iterator[None]:
    """Send the library's messages to standard error and to a file, in a folder that is made, while a job runs.

    An error of this library, or of a full or read-only disk, ends the job with its message; any other error also keeps
    its traceback. Both are written to the file, too.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    file = _LogFile(path, mode="w", encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(logging.Formatter("%(message)s"))
    terminal.setLevel(logging.INFO)
    LOGGER.setLevel(logging.DEBUG)
    LOGGER.handlers = [file, terminal]
    # Collecting garbage when the process ends frees nothing, and takes a seventh of a short job's time.
    atexit.register(gc.freeze)
    try:
        yield
    except Exception as error:
        LOGGER.error("error: %s", _explanation(error) or "".join(traceback.format_exception(error)).rstrip())
        if not may_pass(error):
            LOGGER.debug(_FINAL)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        LOGGER.error("stopped: what was answered before is kept; run again to go on")
        raise SystemExit(130) from None
    finally:
        LOGGER.handlers = []
        file.close()
