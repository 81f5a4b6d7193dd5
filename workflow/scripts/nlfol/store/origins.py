"""The names of files, and of those that they were made from: one convention for all stages.

The metadata of a stage's file name it ``<schema>/<dataset>[/<task>[/<model>]]``, for example
``scores/folio/ranking/qwen3``, or ``<schema>/<training>``. Under ``made_from.<name>`` they have the SHA-256 of each
file that it was made from. Other files have names, too: ``source/<dataset>``, ``patches/<dataset>``,
``ontology/<dataset>``, a file of answers ``answers/<dataset>/<task>/<model>``, and ``set/<dataset>``, the digest of
the content of a generated set, in whatever file.
"""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc

from nlfol.store.files import StoreError, check, digest

PREFIX = "made_from."

OUTSIDE = ("source/", "patches/", "ontology/", "set/", "answers/")
"""Beginnings of names of files that no stage writes."""

_FOLDERS = dict.fromkeys(("sentences", "triples", "measures", "problems"), "datasets")
_PLACES = {
    **{
        stage: f"rewrites/{{0}}/{stage}.arrow"
        for stage in ("lexical", "proposals", "similarities", "choices", "reworded")
    },
    "wordings": "rewrites/{0}/wordings/{1}.arrow",
    **{stage: f"training/{{0}}/{stage}.arrow" for stage in ("examples", "losses")},
}


def made_from(*paths: Path) -> dict[str, str]:
    """Return the metadata ``made_from.<name>`` for stage files; raises ``StoreError`` for others, or equal names."""
    digests: dict[str, str] = {}
    path_of: dict[str, Path] = {}
    for path in paths:
        name = name_of(path)
        if name in path_of:
            raise StoreError(f"{path}: {name} was already read from {path_of[name]}; name it once")
        path_of[name] = path
        digests[f"{PREFIX}{name}"] = digest(path)
    return digests


def origins(metadata: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of the files that a file was made from, by name."""
    return {key.removeprefix(PREFIX): value for key, value in metadata.items() if key.startswith(PREFIX)}


def name_of(path: Path) -> str:
    """Return a stage file's name from its metadata; raises ``StoreError`` if it is missing or no stage's file."""
    metadata = metadata_at(path)
    parts = (metadata.get(part) for part in ("nlfol.schema", "training", "dataset", "task", "model"))
    return "/".join(filter(None, parts))


def place_of(name: str, results: Path) -> Path:
    """Return the path of a stage's file under the folder of results, by its name."""
    stage, _, rest = name.partition("/")
    if not rest:
        return results / "tables" / f"{stage}.arrow"
    if stage in _PLACES:
        return results / _PLACES[stage].format(*rest.split("/"))
    if stage in _FOLDERS:
        return results / _FOLDERS[stage] / rest / f"{stage}.arrow"
    return results / stage / f"{rest}.arrow"


def metadata_at(path: Path) -> dict[str, str]:
    """Return a stage file's metadata without its rows; raises ``StoreError`` if it is missing or no stage's file."""
    check(path)
    try:
        with pa.OSFile(str(path), "rb") as source:
            metadata = pa.ipc.open_file(source).schema.metadata or {}
    except pa.ArrowInvalid as error:
        raise StoreError(f"{path}: not a complete Arrow file ({error}); delete it and run again") from error
    if b"nlfol.schema" not in metadata:
        raise StoreError(f"{path}: no file of a stage; delete it and run again")
    return {key.decode(): value.decode() for key, value in metadata.items()}
