"""Checksums of files that people read, in a file beside them as ``sha256sum --check`` reads it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from nlfol.store.disk import digest

NAME = "checksums"


def write_checksums(folder: Path, paths: Iterable[Path]) -> None:
    """Write the SHA-256 of files below a folder to ``checksums`` in it."""
    lines = sorted(f"{path.relative_to(folder).as_posix()}\n{digest(path)}" for path in paths)
    text = "".join(f"{checksum}  {name}\n" for name, checksum in (line.split("\n") for line in lines))
    (folder / NAME).write_text(text, encoding="utf-8", newline="\n")


def read_checksums(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that a file of checksums names, and its SHA-256; raises ``ValueError`` for another line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        checksum, between, name = line[:64], line[64:66], line[66:]
        if len(checksum) < 64 or between != "  " or not name:
            raise ValueError(f"line {number} is no checksum and name")
        yield path.parent / name, checksum
