"""Published files, pinned by their SHA-256, downloaded once and cached."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from nlfol.store.files import placed
from nlfol.store.records import SourceError, read_content
from nlfol.validation import describe_faults

_TIMEOUT = 60.0
_LARGEST = 100_000_000


class Pin(BaseModel):
    """A file's place of publication, full commit and SHA-256, and its licence as an SPDX identifier.

    Without a SHA-256 the commit in the URL alone says which file it is, so that a copy at hand is taken as it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    commit: str = Field(pattern=r"^[0-9a-f]{40}$")
    path: str
    url: str = Field(pattern=r"^https?://")
    sha256: str = Field("", pattern=r"^([0-9a-f]{64})?$")
    licence: str

    @field_validator("path")
    @classmethod
    def _is_inside(cls, path: str) -> str:
        if Path(path).is_absolute() or ".." in Path(path).parts:
            raise ValueError(f"{path!r} is no path inside a repository")
        return path

    @classmethod
    def from_file(cls, path: Path) -> Pin:
        """Read a pin; raises ``SourceError`` if the file is missing or not a pin."""
        try:
            return cls.model_validate_json(read_content(path, "pin"))
        except ValidationError as error:
            raise SourceError(f"{path}: not a pin: {describe_faults(error, 'file')}") from error

    @classmethod
    def all_from_file(cls, path: Path) -> list[Pin]:
        """Read a list of pins; raises ``SourceError`` if the file is missing or no such list."""
        try:
            return TypeAdapter(list[Pin]).validate_json(read_content(path, "pins"))
        except ValidationError as error:
            raise SourceError(f"{path}: not a list of pins: {describe_faults(error, 'file')}") from error


def data_folders() -> list[Path]:
    """Return the folders searched for a file before it is downloaded: ``NLFOL_DATA`` (like PATH), or ``data``."""
    return [Path(folder) for folder in os.environ.get("NLFOL_DATA", "data").split(os.pathsep) if folder]


def cache_folder() -> Path:
    """Return the folder of downloads: ``nlfol`` in the user's cache folder (``XDG_CACHE_HOME``)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nlfol"


def fetch(pin: Pin, folder: Path | None = None) -> Path:
    """Return the path of the pinned file in the cache, after putting it there from ``data_folders`` or by a download.

    In the cache, which is ``cache_folder()`` by default, files are arranged as in their repository, in a folder for
    each commit. The name of a local file needs only to end with the pinned one: ``ProofWriter_dev.json`` may be
    ``data/ProofWriter/dev.json``. Raises ``SourceError``, which names URL, SHA-256 and the remedy, if the file cannot
    be downloaded or stored, or has another SHA-256.
    """
    kept = (folder or cache_folder()) / pin.commit / pin.path
    if _is(kept, pin):
        return kept
    at_hand = (path for root in data_folders() for path in sorted(root.rglob(f"*{kept.name}")))
    for path in at_hand:
        if _is(path, pin):
            _keep(path.read_bytes(), kept)
            return kept
    import http.client  # start-up time: entries of datasets import this module
    import urllib.request

    check = f"check that its SHA-256 is {pin.sha256}, " if pin.sha256 else ""
    remedy = (
        f"download it where there is a network, {check}and put it into a folder that "
        "NLFOL_DATA names (or 'data'), or give its place as 'path' or 'ontology' in the dataset's configuration"
    )
    try:
        with urllib.request.urlopen(pin.url, timeout=_TIMEOUT) as response:  # noqa: S310  (the pin admits http only)
            content: bytes = response.read(_LARGEST + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise SourceError(f"{pin.url}: cannot be downloaded ({error}); {remedy}") from error
    digest = hashlib.sha256(content).hexdigest()
    if pin.sha256 not in ("", digest):
        raise SourceError(f"{pin.url}: SHA-256 {digest} instead of {pin.sha256}: not the pinned file; {remedy}")
    _keep(content, kept)
    return kept


def _is(path: Path, pin: Pin) -> bool:
    return path.is_file() and pin.sha256 in ("", hashlib.sha256(path.read_bytes()).hexdigest())


def _keep(content: bytes, path: Path) -> None:
    """Write and rename, so that a concurrent reader sees the whole file or none."""
    try:
        with placed(path) as temporary:
            temporary.write_bytes(content)
    except OSError as error:
        raise SourceError(f"{path}: cannot be written ({error}); set XDG_CACHE_HOME to a writable folder") from error
