"""GPUs of this machine, claimed by jobs that no scheduler gives them to.

A GPU belongs to one job at a time, of whichever experiment: a job holds a lock file of each of its GPUs until it ends,
however it ends, and sees no others.
"""

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from nlfol.store.logs import LOGGER

VISIBLE = "CUDA_VISIBLE_DEVICES"


def devices(environment: MutableMapping[str, str] = os.environ, folder: Path = Path("/dev")) -> list[str]:
    """Return the NVIDIA GPUs that this process may use, by number or as ``CUDA_VISIBLE_DEVICES`` calls them."""
    if VISIBLE in environment:
        return [name for name in environment[VISIBLE].split(",") if name]
    numbers = [path.name.removeprefix("nvidia") for path in folder.glob("nvidia[0-9]*")]
    return sorted(numbers, key=int)


@contextmanager
def claimed(
    count: int,
    environment: MutableMapping[str, str] = os.environ,
    available: Sequence[str] | None = None,
    locks: Path | None = None,
) -> Iterator[list[str]]:
    """Hold GPUs, and name them in ``CUDA_VISIBLE_DEVICES``, until the block ends; wait while other jobs hold them.

    If there are fewer than ``count``, hold all. Within a SLURM job nothing is done: its GPUs are allotted and named
    already. ``available`` is ``devices()``, and ``locks`` the system's temporary folder, if left out.
    """
    names = devices(environment) if available is None else available
    count = min(count, len(names))
    if not count or "SLURM_JOB_ID" in environment:
        yield []
        return
    before = environment.get(VISIBLE)
    with ExitStack() as held:
        taken = _take(count, names, Path(tempfile.gettempdir()) if locks is None else locks, held)
        environment[VISIBLE] = ",".join(taken)
        try:
            yield taken
        finally:
            if before is None:
                del environment[VISIBLE]
            else:
                environment[VISIBLE] = before


def _take(count: int, names: Sequence[str], locks: Path, held: ExitStack) -> list[str]:
    """Take all or none: jobs that hold one and wait for another could wait for ever."""
    logged = False
    while True:
        with ExitStack() as attempt:
            taken: list[str] = []
            for name in names:
                if len(taken) < count and _lock(locks / f"nlfol-gpu-{name.replace('/', '-')}.lock", attempt):
                    taken.append(name)
            if len(taken) == count:
                held.push(attempt.pop_all())
                return taken
        if not logged:
            LOGGER.info(f"waiting for {count} of the GPUs {', '.join(names)}: others use them")
            logged = True
        time.sleep(0.5)


def _lock(path: Path, held: ExitStack) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        # Another user's file in a shared folder can be opened, but not with the wish to make it.
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    held.callback(os.close, descriptor)
    return True
