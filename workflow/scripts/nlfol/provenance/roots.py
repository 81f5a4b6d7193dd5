"""The root of a run: one digest of its journals, vectors and items, as Merkle trees (``nlfol.store.merkle``).

Each file is a tree: of the lines of a journal as they stand there, of the rows of ITEMS as canonical JSON, or of one
leaf, the SHA-256 of a file of vectors. The root is that of the files in the order of their names, each a leaf of
canonical JSON: its name, the number of its leaves and its root. Journals only grow, so lines that were added since do
not count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypedDict

from nlfol.provenance.fault import Fault
from nlfol.store.canonical import canonical
from nlfol.store.files import StoreError, digest, rows
from nlfol.store.merkle import MerkleTree
from nlfol.store.origins import metadata_at, name_of, place_of
from nlfol.store.schemas import ITEMS

_JOURNAL = "journal/"


class FileRoot(TypedDict):
    """The number of a file's leaves, and their root."""

    leaves: int
    root: str


def roots(items: Sequence[Path], responses: Sequence[Path], journals: Path) -> dict[str, FileRoot]:
    """Return by name the roots of ITEMS files, of all journals of dialogue models, and of the vectors of other models.

    Raises ``StoreError`` if a file cannot be read.
    """
    found = {name_of(path): path for path in items}
    for path in responses:
        about = metadata_at(path)
        if about.get("kind") == "chat":
            kept = (journals / about["model"]).glob("*.jsonl")
        elif about.get("kind") == "embedding":
            folders = (f"{about['dataset']}.{about['task']}*", ".interfaces")
            kept = (file for name in folders for file in (journals / "vectors").glob(f"{name}/**/*.arrow"))
        else:
            continue
        found |= {_JOURNAL + file.relative_to(journals).as_posix(): file for file in kept}
    return {name: _root(path) for name, path in sorted(found.items())}


def root_of(by_name: Mapping[str, FileRoot]) -> str:
    """Return the root over files."""
    tree = MerkleTree()
    for name, file in sorted(by_name.items()):
        tree.add(canonical({"file": name, **file}).encode())
    return tree.root


def root_faults(by_name: Mapping[str, FileRoot], root: str, results: Path, journals: Path | None) -> Iterator[Fault]:
    """Yield what differs from the roots that a manifest has; without the folder of ``journals``, of items alone."""
    if root_of(by_name) != root:
        yield Fault(str(results), None, "the manifest's root is not that of the files it lists", "run again")
    for name, recorded in by_name.items():
        path = place_of(name, results)
        if name.startswith(_JOURNAL):
            if journals is None:
                continue
            path = journals / name.removeprefix(_JOURNAL)
        try:
            now = _root(path, recorded["leaves"])
        except (OSError, StoreError) as error:
            yield Fault(str(path), None, f"a file of the run's root cannot be read: {error}", "restore it from a copy")
            continue
        if now["leaves"] < recorded["leaves"]:
            problem = f"{recorded['leaves'] - now['leaves']:,} of {recorded['leaves']:,} lines or rows are gone"
            yield Fault(str(path), None, f"{problem} since the run", "restore it from a copy")
        elif now != recorded:
            problem = f"its first {recorded['leaves']:,} lines or rows are not those of the run: their root differs"
            yield Fault(str(path), None, problem, "restore it from a copy")


def _root(path: Path, most: int | None = None) -> FileRoot:
    tree = MerkleTree()
    for leaf in islice(_leaves(path), most):
        tree.add(leaf)
    return {"leaves": tree.leaves, "root": tree.root}


def _leaves(path: Path) -> Iterable[bytes]:
    if path.suffix != ".jsonl":
        if metadata_at(path)["nlfol.schema"] == "items":
            yield from (canonical(row).encode() for row in rows(path, ITEMS))
        else:
            yield digest(path).encode()
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):  # else it is being written
                yield line[:-1]
