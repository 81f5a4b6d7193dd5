"""A published file, pinned by its SHA-256, fetched once and kept in a cache."""

from __future__ import annotations

import hashlib
import http.client
import os
import tempfile
import urllib.request
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from nlfol.datasets.errors import DatasetError
from nlfol.validation import describe_faults

_TIMEOUT = 60.0
_LARGEST = 100_000_000


class Pin(BaseModel):
    """Where a file is published, and what it must be.

    Attributes:
        repository: owner and name on GitHub.
        commit: the commit, in full.
        path: the file's path in the repository.
        url: where its bytes are served.
        sha256: of its bytes.
        licence: SPDX identifier.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    commit: str = Field(pattern=r"^[0-9a-f]{40}$")
    path: str
    url: str = Field(pattern=r"^https?://")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    licence: str

    @field_validator("path")
    @classmethod
    def _is_inside(cls, path: str) -> str:
        if Path(path).is_absolute() or ".." in Path(path).parts:
            raise ValueError(f"{path!r} is no path inside a repository")
        return path

    @classmethod
    def from_file(cls, path: Path) -> Pin:
        """Read a pin.

        Raises:
            DatasetError: if the file is missing or not a pin.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read ({error.strerror}); correct the key 'pin'") from error
        except ValidationError as error:
            raise DatasetError(f"{path}: not a pin: {describe_faults(error, 'file')}") from error


def data_folders() -> list[Path]:
    """Where files at hand are looked for before they are downloaded: ``NLFOL_DATA`` (like PATH), or ``data``."""
    return [Path(folder) for folder in os.environ.get("NLFOL_DATA", "data").split(os.pathsep) if folder]


def cache_folder() -> Path:
    """Where downloads are kept: ``nlfol`` in the user's cache folder (``XDG_CACHE_HOME``)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nlfol"


def fetch(pin: Pin, folder: Path) -> Path:
    """The pinned file in the cache, put there from one of the ``data_folders`` or by a download.

    In the cache files lie as in their repository, in a folder for each commit. Of files at hand the end of the name
    counts: ``ProofWriter_dev.json`` may be ``data/ProofWriter/dev.json``.

    Raises:
        DatasetError: if it cannot be downloaded or stored, or has another SHA-256; names URL, SHA-256 and the remedy.
    """
    kept = folder / pin.commit / pin.path
    if _is(kept, pin):
        return kept
    at_hand = (path for place in data_folders() for path in sorted(place.rglob(f"*{kept.name}")))
    for path in at_hand:
        if _is(path, pin):
            _keep(path.read_bytes(), kept)
            return kept
    remedy = (
        f"download it where there is a network, check that its SHA-256 is {pin.sha256}, and put it into a folder that "
        "NLFOL_DATA names (or 'data'), or give its place as 'path' or 'ontology' in the dataset's configuration"
    )
    try:
        with urllib.request.urlopen(pin.url, timeout=_TIMEOUT) as response:  # noqa: S310  (the pin admits http only)
            content: bytes = response.read(_LARGEST + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise DatasetError(f"{pin.url}: cannot be downloaded ({error}); {remedy}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != pin.sha256:
        raise DatasetError(f"{pin.url}: SHA-256 {found} instead of {pin.sha256}: not the pinned file; {remedy}")
    _keep(content, kept)
    return kept


def _is(path: Path, pin: Pin) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == pin.sha256


def _keep(content: bytes, path: Path) -> None:
    try:
        _store(content, path)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be written ({error}); set XDG_CACHE_HOME to a writable folder") from error


def _store(content: bytes, path: Path) -> None:
    """Write and rename, so that a concurrent reader sees the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
