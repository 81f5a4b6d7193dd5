"""One turn at a file that one process at a time may write: the own lock against filelock, both in one run.

    python benchmarks/locks.py [--turns 1000]

CPU microseconds of a turn that nobody contests, by medians of five rounds that alternate. ``beside`` is filelock on a
file of its own. ``without_flock`` says what filelock makes of a journal on file systems that answer flock with an
error: where it falls back to a lock file it takes the journal itself for one, and deletes it.

Measured: 27 microseconds a turn against 112.
"""

import argparse
import errno
import fcntl
import json
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from unittest.mock import patch

import filelock

from nlfol.store.locks import alone


def turns(take: Callable[[], None], count: int) -> float:
    """CPU microseconds of one turn."""
    start = process_time()
    for _ in range(count):
        take()
    return 1e6 * (process_time() - start) / count


def without_flock(folder: Path, code: int) -> str:
    """Lock a journal by filelock where flock fails with an error number; return the outcome."""
    path = folder / f"journal.{code}"
    path.write_text("an answer\n", encoding="utf-8")
    with patch.object(fcntl, "flock", side_effect=OSError(code, os.strerror(code))), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with filelock.FileLock(path, timeout=4):
                pass
        except OSError as error:
            return f"{type(error).__name__}: {error}"
    return "locked, and the journal kept" if path.exists() else "locked, and the journal deleted"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=1_000)
    count = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def own() -> None:
            with alone(folder / "own", "ledger", patience=60):
                pass

        def library() -> None:
            with filelock.FileLock(folder / "beside", timeout=60, poll_interval=0.005):
                pass

        rounds = [(turns(own, count), turns(library, count)) for _ in range(5)]
        mine, theirs = (median(side) for side in zip(*rounds, strict=True))
        figures = {
            "own_us": round(mine, 1),
            "beside_us": round(theirs, 1),
            "ratio": round(theirs / mine, 1),
            "without_flock": {
                errno.errorcode[code]: without_flock(folder, code)
                for code in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
            },
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
