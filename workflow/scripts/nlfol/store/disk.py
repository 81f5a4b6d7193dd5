"""Files of any kind: digests, and writing at once and whole. Needs no PyArrow, so neither do models."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(ValueError):
    """A stage file that is missing, damaged or of another schema."""


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """Provide a temporary file beside a path, which takes its place once the body has written it whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~umask())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def umask() -> int:
    """Return the permissions that new files do not have; temporary ones are their owner's alone."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def digest(path: Path, *more: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal; of several files, that of theirs one after another."""
    if more:
        return hashlib.sha256("".join(map(digest, (path, *more))).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
