"""Sources of a model's weights."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag

from nlfol.models.entries.base import Part

_SHA256 = r"^[0-9a-f]{64}$"

Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
"""A full commit hash of a repository."""

REPOSITORY = r"^\w[\w.-]*/[\w.-]+$"
"""One of the Hugging Face hub, ``owner/name``."""


def _relative(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{value!r} is no path inside a package or repository; write it relative, without '..'")
    return value


class PackageSource(Part):
    """Weights that lie in an installed Python package, which is never imported."""

    package: str = Field(min_length=1)
    """Name of the distribution."""
    version: str = Field(min_length=1)
    """Its exact version."""
    file: Annotated[str, Field(min_length=1), AfterValidator(_relative)]
    """A file in it (GGUF, safetensors) or a directory in it, by the end of its path."""
    sha256: str = Field(pattern=_SHA256)
    """Digest of the file, or of the ``model.safetensors`` in a directory."""

    @property
    def identity(self) -> str:
        """The source in one line, revision included."""
        return f"package:{self.package}@{self.version}/{self.file}#sha256:{self.sha256}"


class HubSource(Part):
    """A repository of the Hugging Face hub, downloaded once and read from its cache."""

    hub: str = Field(pattern=REPOSITORY)
    """``owner/name``."""
    revision: Commit
    """The full commit hash: a branch or a tag can move."""
    file: Annotated[str, Field(min_length=1), AfterValidator(_relative)] | None = None
    """A GGUF file in it, the only one that is downloaded; None is all of the repository."""

    @property
    def identity(self) -> str:
        """The source in one line, revision included."""
        return f"hub:{self.hub}@{self.revision}{f'/{self.file}' if self.file else ''}"


class PathSource(Part):
    """A directory, or a GGUF file, on this machine."""

    path: str = Field(min_length=1)
    """Absolute, or relative to the working directory."""

    @property
    def identity(self) -> str:
        """The source in one line; its content's digest is added when it is materialised."""
        return f"path:{PurePosixPath(self.path).name}"


class TrainedAdapter(Part):
    """An adapter that this experiment trains."""

    trained: str = Field(min_length=1)
    """The name of its entry under ``training``."""


def _only(*names: str) -> Callable[[Any], str | None]:
    """Return a discriminator of alternatives that have one of some keys each."""

    def only(value: Any) -> str | None:
        keys = value if isinstance(value, dict) else type(value).model_fields if isinstance(value, BaseModel) else ()
        named = [name for name in names if name in keys]
        return named[0] if len(named) == 1 else None

    return only


Source = Annotated[
    Annotated[PackageSource, Tag("package")] | Annotated[HubSource, Tag("hub")] | Annotated[PathSource, Tag("path")],
    Discriminator(
        _only("package", "hub", "path"),
        custom_error_type="source",
        custom_error_message="a source has exactly one of the keys 'package', 'hub' and 'path'",
    ),
]
"""Sources of weights."""

Adapter = Annotated[
    Annotated[PathSource, Tag("path")] | Annotated[TrainedAdapter, Tag("trained")],
    Discriminator(
        _only("path", "trained"),
        custom_error_type="adapter",
        custom_error_message="an adapter has exactly one of the keys 'path' and 'trained'",
    ),
]
"""Sources of an adapter."""
