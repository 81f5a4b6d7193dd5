"""Datasets that commands are given by name, those of the shipped configurations and files, and ``nlfol init``."""

import re
import shlex
from pathlib import Path
from typing import get_args

from nlfol.data.entries.block import shipped
from nlfol.data.entries.problems import PinnedEntry
from nlfol.data.entry import ENTRIES
from nlfol.installed import PROJECT
from nlfol.mappings import JsonDict, JsonObject
from nlfol.store.records import SourceError, read_table
from nlfol.validation import nearest, read_bytes, read_yaml


class UnusableRunError(ValueError):
    """Arguments that stand for no experiment."""


def shipped_values(name: str) -> JsonDict:
    """Return the content of a shipped configuration."""
    values: JsonDict = read_yaml(PROJECT / name)
    return values


def known_datasets() -> JsonDict:
    """Return the entries of the shipped datasets, by name, and of those that are downloaded, by their readers."""
    named = shipped_values("config.yaml")["datasets"] | shipped_values("config/folio.yaml")["datasets"]
    readers = {get_args(entry.model_fields["reader"].annotation)[0]: entry for entry in ENTRIES}
    pinned = {name: {"reader": name} for name, entry in readers.items() if issubclass(entry, PinnedEntry)}
    return {**pinned, **named}


def datasets_of(given: str, known: JsonObject, ontology: Path | None) -> JsonDict:
    """Return the entries of a dataset, last, and of those that it is made from, by name; ``UnusableRunError``."""
    if given in known:
        entry = dict(known[given])
        entry |= {key: shipped(entry[key]) for key in ("path", "ontology") if "/" in str(entry.get(key, ""))}
        return {**(datasets_of(entry["of"], known, None) if "of" in entry else {}), given: entry}
    path = Path(given)
    if path.suffix or path.exists():
        if not path.is_file():
            raise UnusableRunError(
                f"no file {given}; name a table of sentences or problems, or one of {', '.join(known)}"
            )
        try:
            columns = read_table(path, read_bytes(path)).columns
        except SourceError as error:
            raise UnusableRunError(str(error)) from error
        if "question" in columns:
            return {name_of(path.stem): {"reader": "problems", "path": given}}
        if {"premises", "conclusion", "label"} <= set(columns):
            return {name_of(path.stem): {"reader": "folio_questions", "path": given}}
        entry = {"reader": "table", "path": given, **({} if ontology is None else {"ontology": str(ontology)})}
        return {name_of(path.stem): entry}
    raise UnusableRunError(f"no dataset {given}{nearest(given, known)}; there is {', '.join(known)}, or name a file")


def started(path: Path) -> str:
    """Write a commented configuration to start from; raises ``UnusableRunError`` if the file is there already."""
    text = (PROJECT / "resources/experiment.yaml").read_text(encoding="utf-8")
    ours = "resources/datasets"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text.replace(ours, shipped(ours)))
    except FileExistsError as error:
        raise UnusableRunError(f"{path} is there already; name another file") from error
    command = ["nlfol", "run", str(path)]
    return f"{path} written. Edit it, then run it:\n    {shlex.join(command)}"


def name_of(text: str) -> str:
    """Return a text as the name of an entry."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.") or "model"
