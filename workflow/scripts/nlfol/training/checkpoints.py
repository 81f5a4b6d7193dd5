"""Where a training goes on after it was killed: a folder of our own, in which whole checkpoints are marked.

The checkpoints of transformers' Trainer hold the state of the optimizer and of random generators as pickles. They are
read back nevertheless, because nobody else can have written them: the folder is its owner's alone, made by the job
itself and deleted once the adapter is there; and Trainer reads them with ``weights_only``, which runs nothing.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from nlfol.store.canonical import sha256
from nlfol.store.files import digest

_MARK = "complete.sha256"


class CheckpointError(RuntimeError):
    """A folder of checkpoints that somebody else could have written."""


def open_work(folder: Path) -> Path:
    """Make a folder of checkpoints, or find it again; those of other trainings beside it are deleted.

    Args:
        folder: ``.NAME-DIGEST``, where the digest is of all that the training depends on.

    Raises:
        CheckpointError: if it is there and not its owner's alone.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{name}-*"):
        if other != folder and len(other.name) == len(folder.name):
            shutil.rmtree(other)
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077 or folder.is_symlink():
        raise CheckpointError(f"{folder}: others can write this folder of checkpoints; delete it and run again")
    return folder


def mark(checkpoint: Path) -> None:
    """Say of a checkpoint that it is whole."""
    text = _digest(checkpoint)
    with (checkpoint / _MARK).open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def latest(folder: Path) -> Path | None:
    """The last whole checkpoint of a folder; those that a kill has cut short are deleted."""
    numbered = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    for checkpoint in numbered:
        said = checkpoint / _MARK
        if said.is_file() and said.read_text(encoding="ascii") == _digest(checkpoint):
            return checkpoint
        shutil.rmtree(checkpoint)
    return None


def _digest(checkpoint: Path) -> str:
    paths = sorted(path for path in checkpoint.rglob("*") if path.is_file() and path.name != _MARK)
    return sha256("\n".join(f"{digest(path)}  {path.relative_to(checkpoint)}" for path in paths))
