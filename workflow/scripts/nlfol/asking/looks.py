"""Earlier looks at a model's answers to fewer of the same items, noted in a file beside the answers.

Samples of one seed are nested (``asking.sample``), so an earlier look at fewer items was at the first of these. A line
of the file has their number and the digest of their names, so a sample of another seed or edition does not count.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlfol.asking.asking import Asking, nested
from nlfol.store.canonical import canonical, sha256
from nlfol.tasks.item import Item

SUFFIX = ".looks"
_OPENING = b'{"items":'


def looked(asking: Asking, items: Sequence[Item], kept: Path) -> Mapping[str, str]:
    """Note a look at answers to some items, and return earlier looks at fewer of them as metadata of RESPONSES.

    The file stands beside ``kept``, which holds the answers. Raises ``OSError`` if it cannot be written.
    """
    path = kept.with_name(kept.name + SUFFIX)
    known = path.read_bytes().split(b"\n") if path.exists() else [b""]
    ordered = nested(items, asking.seed)
    if ordered and (line := _line(asking, ordered)) not in known:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            # A line that a crash has cut off does not count.
            file.write((b"" if known[-1] == b"" else b"\n") + line + b"\n")
    counts = {int(said) for line in known if (said := line.split(b",")[0].removeprefix(_OPENING)).isdigit()}
    earlier = [count for count in sorted(counts) if count < len(ordered) and _line(asking, ordered[:count]) in known]
    return {"looks": canonical(earlier)} if earlier else {}


def _line(asking: Asking, items: Sequence[Item]) -> bytes:
    names = canonical([asking.dataset, asking.task_name, sorted(item.item for item in items)])
    return canonical({"items": len(items), "sha256": sha256(names)}).encode()
