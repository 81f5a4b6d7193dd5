"""Digests of large files, each read again only if its size or time has changed.

Digests stand in a file among Snakemake's own, if there is such a folder. If it is lost, files are read once more.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from time import time
from typing import Final

from nlfol.mappings import JsonDict
from nlfol.store.disk import digest

PLACE: Final = Path(".snakemake/nlfol-digests.json")

_RACE = 2.0
"""Seconds after a change in which a file may change again without another time."""


def known_digests(paths: Sequence[Path]) -> list[str]:
    """Return the SHA-256 of each file's bytes, in hexadecimal."""
    known, fresh, digests = _known(), {}, []
    for path in paths:
        stat = path.stat()
        state = [stat.st_size, stat.st_mtime_ns]
        kept = known.get(str(path))
        if not (isinstance(kept, list) and kept[:2] == state and len(kept) == 3):
            kept = [*state, digest(path)]
            if time() - stat.st_mtime > _RACE:
                fresh[str(path)] = kept
        digests.append(str(kept[2]))
    if fresh and PLACE.parent.is_dir():
        own = PLACE.with_name(f"{PLACE.name}.{os.getpid()}")
        own.write_text(json.dumps(known | fresh), encoding="utf-8")
        os.replace(own, PLACE)
    return digests


def _known() -> JsonDict:
    try:
        known = json.loads(PLACE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
