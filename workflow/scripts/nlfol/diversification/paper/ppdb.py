"""Paraphrases of PPDB: text lines of fields between ``|||``, as ``[NP] ||| phrase ||| paraphrase ||| features``.

The file, which may be packed by gzip, is read line by line, and only for phrases that are needed.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Mapping
from heapq import heappush, heappushpop
from pathlib import Path
from typing import IO

from nlfol.problems.errors import LexiconError

_SCORE = re.compile(r"\bPPDB2\.0Score=(-?[0-9.]+(?:[eE]-?[0-9]+)?)")
_MAX_LINE = 100_000


def read_ppdb(path: Path, phrases: Collection[str], most: int) -> Mapping[str, list[str]]:
    """The paraphrases of some phrases, those with the highest PPDB 2.0 score first, else in the order of the file.

    Args:
        path: the file.
        phrases: in small letters.
        most: how many of each are kept.

    Raises:
        LexiconError: if the file cannot be read or is not of the format.
    """
    best: dict[str, list[tuple[float, int, str]]] = {}
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), 1):
                fields = line.split(b" ||| ", 4)
                if len(fields) < 3:
                    raise LexiconError(
                        f"{path}: line {number} is not of PPDB's format, fields between ' ||| '; take the file from "
                        "its publisher"
                    )
                phrase = fields[1].decode("utf-8", "replace").strip().lower()
                if phrase not in phrases:
                    continue
                said = fields[2].decode("utf-8", "replace").strip()
                known = best.setdefault(phrase, [])
                if not said or said.lower() == phrase or "[" in said or any(said == each for _, _, each in known):
                    continue
                score = _SCORE.search(line.decode("utf-8", "replace"))
                entry = (float(score[1]) if score else 0.0, -number, said)
                if len(known) < most:
                    heappush(known, entry)
                else:
                    heappushpop(known, entry)
    except (OSError, EOFError, zlib.error) as error:
        raise LexiconError(f"{path}: cannot be read ({error}); name the file of PPDB's text") from error
    if not number:
        raise LexiconError(f"{path}: there is nothing in it; name the file of PPDB's text")
    return {phrase: [said for _, _, said in sorted(known, reverse=True)] for phrase, known in best.items()}


def _opened(path: Path) -> IO[bytes] | gzip.GzipFile:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")
