"""The manifest of a run: what was measured, and on what it ran.

The section ``experiment`` holds all that decides what is asked of whom and how it is judged: two runs of one experiment
have it in common, on whatever machine. Its SHA-256, of the canonical JSON, is the experiment's digest, and stands below
every table. The section ``environment`` holds what may differ between such runs.
"""

import importlib.metadata
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path, PurePath
from typing import Any, Self

import polars as pl

from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.mappings import JsonDict, JsonObject
from nlfol.provenance.environment import environment
from nlfol.provenance.roots import root_of, roots
from nlfol.store import schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.files import StoreError, digest, read_frames
from nlfol.store.origins import OUTSIDE, metadata_at, name_of, origins
from nlfol.store.parameters import paths_of

ELSEWHERE = "…/"
"""Stands for the folders of a path that is not in the folder of the experiment."""

_PRIVATE = ("slurm_account",)
"""Keys of the configuration that name people."""

_SUMMED = ("attempts", "prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "cost")
_SHOWN = 12
_COMMITTED = 32
"""Digits of the root: whoever can choose answers until twelve digits fit is not to find others in time."""


class ManifestError(StoreError):
    """A manifest that cannot be written or read."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files that a run was made from, by schema; the templates of all tasks, by kind; and published figures."""

    sentences: Sequence[Path]
    triples: Sequence[Path]
    items: Sequence[Path]
    responses: Sequence[Path]
    scores: Sequence[Path]
    prompts: Sequence[Path]
    figures: Sequence[Path]
    problems: Sequence[Path] = ()

    @classmethod
    def of_job(cls, job: Any) -> Self:
        """Return the inputs of a Snakemake job."""
        named = {name.replace("item_files", "items"): paths_of(paths) for name, paths in job.input.items()}
        return cls(**named)


def manifest(
    inputs: Inputs,
    *,
    given: JsonObject,
    resolved: JsonObject,
    code: Mapping[str, str],
    written: str,
    journals: Path = Path("journal"),
) -> dict[str, object]:
    """Return the manifest, as JSON values, with the root of items and of the folder of ``journals`` (``roots``).

    The configuration is ``given`` as the user wrote it, and ``resolved`` with every default filled in, less what
    decides no result (``config.experiment_json``). ``code`` has the digest of the code behind each script. Raises
    ``StoreError`` if a file is missing or of another schema, and as ``identities``.
    """
    experiment = {
        "configuration": public(resolved),
        "prompts": templates(inputs.prompts),
        "published": {path.name: digest(path) for path in inputs.figures},
        "data": data(inputs),
        "models": identities(inputs.responses),
        "judge": {"z3": importlib.metadata.version("z3-solver"), "rlimit": DEFAULT_BUDGET},
    }
    by_file = roots(inputs.items, inputs.responses, journals)
    return {
        "digest": sha256(canonical(experiment)),
        "experiment": experiment,
        "environment": {
            **environment(),
            "configuration": public(given),
            # Names as tables list them; the file is sorted.
            "order": {block: list(entries) for block, entries in given.items() if isinstance(entries, Mapping)},
            "code": dict(code),
            "written": written,
            "answers": answers(inputs.responses),
            "prices": prices(inputs.responses),
            "engines": engines(inputs.responses),
            "looks": looks(inputs.responses),
            "files": {name_of(path): digest(path) for path in (*inputs.responses, *inputs.scores)},
            "root": root_of(by_file),
            "roots": by_file,
        },
    }


def templates(paths: Sequence[Path]) -> dict[str, str]:
    """Return the digest of each template, by its path in the folder of prompts."""
    folder = min((path.parent for path in paths), key=lambda parent: len(parent.parts), default=Path())
    # Those of other packages lie elsewhere.
    names = [path.relative_to(folder) if path.is_relative_to(folder) else Path(*path.parts[-2:]) for path in paths]
    return {name.as_posix(): digest(path) for name, path in zip(names, paths, strict=True)}


def data(inputs: Inputs) -> dict[str, str]:
    """Return the digests of sources, of files of answers, and of the stage files made before a model is asked."""
    digests: dict[str, str] = {}
    for path in (*inputs.sentences, *inputs.triples, *inputs.problems, *inputs.items):
        outer = origins(metadata_at(path))
        digests |= {name: checksum for name, checksum in outer.items() if name.startswith(OUTSIDE)}
        digests[name_of(path)] = digest(path)
    for path in inputs.responses:
        digests |= {
            name: checksum for name, checksum in origins(metadata_at(path)).items() if name.startswith("answers/")
        }
    return digests


def identities(responses: Sequence[Path]) -> dict[str, str]:
    """Return the identity (model and revision) behind each name; raises ``ManifestError`` if two files disagree."""
    by_model: dict[str, tuple[str, Path]] = {}
    for path in responses:
        about = metadata_at(path)
        identity, first = by_model.setdefault(about["model"], (about["identity"], path))
        if identity != about["identity"]:
            raise ManifestError(
                f"{path}: {about['model']} answered as {about['identity']}, but as {identity} in {first}; run again"
            )
    return {model: public(identity) for model, (identity, _) in by_model.items()}


def engines(responses: Sequence[Path]) -> dict[str, list[Any]]:
    """Return the software and hardware of local models, each engine once, as recorded in responses."""
    by_model: dict[str, set[str]] = {}
    for path in responses:
        metadata = metadata_at(path)
        for entry in json.loads(metadata.get("engines", "[]")):
            by_model.setdefault(metadata["model"], set()).add(canonical(entry.get("engine", entry)))
    return {model: [json.loads(engine) for engine in sorted(texts)] for model, texts in by_model.items()}


def looks(responses: Sequence[Path]) -> dict[str, dict[str, list[int]]]:
    """Return by model, and by dataset and task, the numbers of items of earlier looks at fewer of the same items."""
    by_model: dict[str, dict[str, list[int]]] = {}
    for path in responses:
        about = metadata_at(path)
        if earlier := json.loads(about.get("looks", "[]")):
            by_model.setdefault(about["model"], {})[f"{about['dataset']}/{about['task']}"] = earlier
    return by_model


def prices(responses: Sequence[Path]) -> dict[str, object]:
    """Return the price of each dialogue model, with its date and source; omit models without one."""
    metadata = (metadata_at(path) for path in responses)
    stated = {about["model"]: json.loads(about.get("price", "null")) for about in metadata}
    return {model: price for model, price in stated.items() if price is not None}


def answers(responses: Sequence[Path]) -> dict[str, dict[str, object]]:
    """Return tokens, seconds and cost by dialogue model, equal requests once; a sum is null if nothing is known."""
    paths: dict[str, list[Path]] = {}
    for path in responses:
        paths.setdefault(metadata_at(path)["model"], []).append(path)
    frames = {model: read_frames(of_model, schemas.RESPONSES) for model, of_model in paths.items()}
    asked = {model: rows.filter(pl.col("request").is_not_null()) for model, rows in frames.items()}
    return {model: _answers(rows.unique("request", maintain_order=True)) for model, rows in asked.items() if len(rows)}


def _answers(asked: pl.DataFrame) -> dict[str, object]:
    return {
        "requests": len(asked),
        "seconds": _sum(asked["seconds"]),
        **{name: _sum(asked[name]) for name in _SUMMED if name in asked.columns},
        "served_models": sorted(asked["served_model"].drop_nulls().unique()),
        "fingerprints": sorted(asked["fingerprint"].drop_nulls().unique()),
    }


def _sum(column: pl.Series) -> int | float | None:
    known = column.drop_nulls().to_list()
    if not known:
        return None
    return sum(known) if column.dtype.is_integer() else fsum(known)


def public(value: Any) -> Any:
    """Return a JSON value without private parts: accounts, folders outside the experiment's, queries of URLs.

    Of a path that is absolute or leads out of the folder only the last part is left, after ``ELSEWHERE``.
    """
    if isinstance(value, Mapping):
        return {str(key): public(part) for key, part in value.items() if key not in _PRIVATE}
    if isinstance(value, list | tuple):
        return [public(part) for part in value]
    if not isinstance(value, str):
        return value
    if "://" in value:
        return re.sub(r"\?[^\s;/]*", "", value)
    path = PurePath(value)
    return f"{ELSEWHERE}{path.name}" if path.is_absolute() or ".." in path.parts else value


def to_text(values: Mapping[str, object]) -> str:
    """Return the text of the manifest's file: canonical values, sorted and indented."""
    return json.dumps(json.loads(canonical(values)), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def read(path: Path) -> JsonDict:
    """Read a manifest; raises ``ManifestError`` if it is missing or none, or its digest is not its experiment's."""
    try:
        values = json.loads(path.read_bytes())
        experiment, recorded = values["experiment"], values["digest"]
    except FileNotFoundError as error:
        raise ManifestError(f"{path}: no such file; run the stage that makes it") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ManifestError(f"{path}: not a manifest ({error}); delete the file and run again") from error
    if sha256(canonical(experiment)) != recorded:
        raise ManifestError(f"{path}: the digest does not match the experiment in it; delete the file and run again")
    return dict(values)


def note(path: Path) -> str:
    """Return the note below each table of the run: its digest and its root, shortened; raises as ``read``."""
    values = read(path)
    root = values.get("environment", {}).get("root")
    said = f"Run {values['digest'][:_SHOWN]}: see {path.name}."
    return f"{said} Journals and items: root {root[:_COMMITTED]}." if root else said


def unplanned(path: Path) -> list[str]:
    """Return a line on each model whose answers to some of its items were seen before, in a look that was not planned.

    A look is planned if the configuration's ``looks`` has its number of items. Raises as ``read``.
    """
    values = read(path)
    planned = values["experiment"]["configuration"].get("looks", [])
    lines = []
    for model, jobs in values["environment"].get("looks", {}).items():
        seen = {job: [count for count in counts if count not in planned] for job, counts in jobs.items()}
        listed = (f"{job} ({', '.join(map(str, counts))} items)" for job, counts in seen.items() if counts)
        if said := ", ".join(listed):
            lines.append(f"{model} was seen before on fewer of these items, and p is not adjusted for it: {said}.")
    return lines
