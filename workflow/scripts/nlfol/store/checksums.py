"""The checksum that a stage's Arrow file holds of itself.

The metadata of its schema, which stand at its head and again in its footer, have under ``nlfol.checksum`` the SHA-256
of the file's bytes as they are with a placeholder in both places. So any byte that changes is seen when the file is
read, before anything in it is interpreted. Files of earlier versions have no checksum and are read as they are.
"""

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

KEY = "nlfol.checksum"
_MARK = b"nlfol-sha256-"
PLACEHOLDER = (_MARK + b"0" * 64).decode()
"""What stands in the metadata while a file is written."""

_MARKED = re.compile(re.escape(_MARK) + b"([0-9a-f]{64})")
_MAGIC = b"ARROW1"
_HEAD = 16
"""Bytes before the schema: the padded magic, a marker and the schema's length."""
_TAIL = 10
"""Bytes after the footer: its length and the magic."""
_BLOCK = 1 << 20


class DamagedError(ValueError):
    """A file that is not as it was written."""


def add_checksum(path: Path) -> None:
    """Replace the placeholders of a written file by its checksum.

    Raises:
        ValueError: if the metadata have the placeholder elsewhere, too.
    """
    with path.open("r+b") as file:
        places = [place for place, _ in _marks(file)]
        if len(places) != 2:
            raise ValueError(f"the metadata may not say {PLACEHOLDER!r}")
        found = _digest(file, places).encode()
        for place in places:
            file.seek(place)
            file.write(found)


def check(path: Path) -> bool:
    """Verify a file against its checksum; return False if it has none.

    Raises:
        DamagedError: if its bytes have changed.
        FileNotFoundError: if there is no file.
    """
    with path.open("rb") as file:
        marks = _marks(file)
        if not marks:
            return False
        said = {digest for _, digest in marks}
        if len(marks) != 2 or said != {_digest(file, [place for place, _ in marks]).encode()}:
            raise DamagedError("damaged: its bytes are not those that its checksum is of")
    return True


def _marks(file: BinaryIO) -> list[tuple[int, bytes]]:
    """Return the positions of checksums in the schema at the head and in the footer, and the checksums."""
    size = os.fstat(file.fileno()).st_size
    head, tail = _at(file, 0, _HEAD), _at(file, max(0, size - _TAIL), _TAIL)
    if len(head) < _HEAD or not head.startswith(_MAGIC) or not tail.endswith(_MAGIC):
        raise DamagedError("not a complete Arrow file")
    (schema,), (footer,) = struct.unpack("<i", head[-4:]), struct.unpack("<i", tail[:4])
    start = size - _TAIL - footer
    if schema < 0 or footer < 0 or _HEAD + schema > start:
        raise DamagedError("not a complete Arrow file")
    return [
        (begin + match.start(1), match[1])
        for begin, length in ((_HEAD, schema), (start, footer))
        for match in _MARKED.finditer(_at(file, begin, length))
    ]


def _at(file: BinaryIO, place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)


def _digest(file: BinaryIO, places: list[int]) -> str:
    """Return the SHA-256 of a file with zeros in some places."""
    found = hashlib.sha256()
    for begin, block in _blocks(file):
        changed = bytearray(block)
        for place in places:
            low, high = max(place, begin), min(place + 64, begin + len(block))
            if low < high:
                changed[low - begin : high - begin] = b"0" * (high - low)
        found.update(changed)
    return found.hexdigest()


def _blocks(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    file.seek(0)
    begin = 0
    while block := file.read(_BLOCK):
        yield begin, block
        begin += len(block)
