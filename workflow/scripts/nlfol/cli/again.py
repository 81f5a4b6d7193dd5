"""``nlfol verify --again``: each stage of a finished run made anew, in one process, and compared byte by byte.

The workflow's rules say what is made from what, and their scripts make it. Each stage gets the files that the run has,
so a difference is named where it arose. Answers come from copies of the journals: no model is loaded or asked.
"""

import io
import json
import os
import runpy
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from nlfol.installed import PROJECT
from nlfol.models.request import journals_alone
from nlfol.provenance.fault import Fault
from nlfol.provenance.manifest import ELSEWHERE, read, to_text
from nlfol.store.files import StoreError, check, metadata_of

_RESULTS, _JOURNAL = "results", "journal"
_SCRIPTS = PROJECT / "workflow" / "scripts"
_OF_MODELS = ("materialise_model", "train_adapter")
"""Scripts that need a model itself."""
_OF_RUN = ("git", "python", "packages", "hardware", "configuration", "code", "written", "root", "roots")
"""Parts of the manifest's environment that nobody can find out again, and the roots, which are compared apart."""


_UNEQUAL = ".pdf"
"""Figures that have other bytes each time that they are written; the same ones are there as SVG."""


@dataclass(slots=True)
class Again:
    """Counts of files that came out ``equal``, and what was not ``checked``, with the reason."""

    equal: int = 0
    unchecked: list[str] = field(default_factory=list)


def made_again(results: Path, journals: Path | None, done: Again) -> Iterator[Fault]:
    """Yield a fault for each file of a run that is missing, or not what its stage makes of the files before it.

    The folder of ``results`` has the manifest, whose configuration is run. Raises ``StoreError`` if it is none.
    """
    results = results.resolve()
    given = configured(results) | {"results": _RESULTS, "journal": _JOURNAL}
    given.pop("budget", None)
    if ELSEWHERE in json.dumps(given, ensure_ascii=False):
        done.unchecked.append(
            "what is made of files outside the experiment's folder: the manifest has their names alone"
        )
    journals = journals and journals.resolve()
    with TemporaryDirectory(prefix="nlfol-verify-") as name, chdir(name):
        _laid_out(results, journals)
        # A list, as nobody else is to be in this folder.
        found = [*_compared(planned(given, results), given, results, done, has_journals=journals is not None)]
    yield from found


def configured(results: Path) -> dict[str, object]:
    """Return a run's configuration as its user wrote it, entries in their order; raises ``StoreError``."""
    written = read(results / "manifest.json")["environment"]
    given = dict(written["configuration"])
    for block, names in written.get("order", {}).items():
        entries = given.get(block, {})
        given[block] = {name: entries[name] for name in names if name in entries}
    return given


def _laid_out(results: Path, journals: Path | None) -> None:
    """Link here what the experiment's folder has, and copy its journals, which stages may write to."""
    homes = dict.fromkeys([journals.parent, results.parent] if journals else [results.parent])
    # Templates are programs, so they are this version's own.
    _merge(Path("resources"), PROJECT / "resources", next(iter(homes)) / "resources")
    for path in (path for home in homes for path in home.iterdir()):
        target = Path(path.name)
        if path.name[0] != "." and path.name not in (results.name, _RESULTS, _JOURNAL) and not target.exists():
            target.symlink_to(path)
    for path in results.rglob("*"):
        if path.is_file():
            _link(Path(_RESULTS, path.relative_to(results)), results)
    if journals is not None:
        shutil.copytree(journals, _JOURNAL, ignore=shutil.ignore_patterns("*.claims"))


def _merge(target: Path, ours: Path, theirs: Path) -> None:
    target.mkdir()
    for name in {path.name for folder in (ours, theirs) if folder.is_dir() for path in folder.iterdir()}:
        one, other = ours / name, theirs / name
        if one.is_dir() and other.is_dir() and name != "prompts":
            _merge(target / name, one, other)
        elif one.exists() or name != "prompts":
            (target / name).symlink_to(one if one.exists() else other)


def planned(given: Mapping[str, object], results: Path) -> Sequence[Any]:
    """Return the jobs of Snakemake that make a configuration's tables, and report and figures if there are any."""
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

    wanted = {"tables", *(name for name in ("report", "figures") if (results / name).is_dir())}
    # The rules look for targets there, and let files be absent that others made something of.
    sys.argv[1:], os.environ["NLFOL_VERIFYING"] = [], "1"
    config = Path("config.again.json")
    config.write_text(json.dumps(given), encoding="utf-8")
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[config]),
            snakefile=PROJECT / "Snakefile",
        )
        dag = workflow.dag(DAGSettings(targets={f"{_RESULTS}/{name}" for name in wanted}, forceall=True))
        # What is printed is not wanted, but that the graph is made for it.
        with redirect_stdout(io.StringIO()):
            dag.printrulegraph()
        graph = workflow._workflow.dag
        return [job for level in graph.toposorted() for job in sorted(level, key=str) if job.rule.script]


def _compared(
    jobs: Sequence[Any], given: Mapping[str, object], results: Path, done: Again, *, has_journals: bool
) -> Iterator[Fault]:
    for job in jobs:
        script = PurePath(job.rule.script).stem
        outputs = [Path(path) for path in job.output]
        missing = [path for path in outputs if not path.exists() and str(path) not in job.temp_output]
        for path in missing:
            yield Fault(str(results.parent / path), None, "no such file, and the run must have it", "run again")
        if script in _OF_MODELS:
            done.unchecked.append(f"{outputs[0]}: made by {script}")
            continue
        for path in outputs:
            _unlink(path)
            path.parent.mkdir(parents=True, exist_ok=True)
        if problem := run_here(job, given):
            of_model, reason = problem
            if of_model and not (script == "ask_chat" and has_journals):
                done.unchecked.append(f"{outputs[0]}: {reason}")
            else:
                yield Fault(str(results.parent / outputs[0]), None, f"cannot be made again: {reason}", "see above")
        else:
            for path in outputs[:1] if script == "write_manifest" else outputs:
                kept = results / path.relative_to(_RESULTS)
                if not kept.exists():
                    continue
                said = _of_manifests(kept, path) if script == "write_manifest" else _difference(kept, path)
                done.equal += said is None
                if script == "write_figures" and kept.is_dir():
                    done.unchecked.append(f"{path}: PDF, which has other bytes each time; SVG is compared")
                if said is not None:
                    yield Fault(
                        str(kept), None, f"{script} makes another file of what the run has: {said}", "run again"
                    )
        for path in outputs:
            if (results / path.relative_to(_RESULTS)).exists():
                _unlink(path)
                _link(path, results)
    made = {path for job in jobs for path in job.output}
    for name in sorted(map(str, Path(_RESULTS).rglob("*.arrow"))):
        if name not in made:
            done.unchecked.append(f"{name}: its sources are not here, or the run is not one that makes it")


def _unlink(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _link(path: Path, results: Path) -> None:
    """Put a link to a file of the run where a job looks for it, unless something is there."""
    if path.is_relative_to(_RESULTS) and not path.exists():
        kept = results / path.relative_to(_RESULTS)
        if kept.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(kept)


def run_here(job: Any, given: Mapping[str, object]) -> tuple[bool, str] | None:
    """Run a job's script here; return None, or whether it lacks a model, and the last line that it said."""
    from snakemake.script import Snakemake

    parts: Any = (job.input, job.output, job.params, job.wildcards, 1, {}, job.log, given, job.rule.name, None)
    its = Snakemake(*parts, scriptdir=_SCRIPTS)
    script, said = PurePath(job.rule.script), io.StringIO()
    refused: list[str] = []
    try:
        with redirect_stderr(said), redirect_stdout(said), journals_alone(refused):
            runpy.run_path(str(_SCRIPTS / script.name), {"snakemake": its}, "__main__")
    except SystemExit as error:
        if error.code != 1:
            raise
        *_, last = ["no reason was given", *said.getvalue().splitlines()]
        return bool(refused), last.removeprefix("error: ")
    return None


def _of_manifests(kept: Path, made: Path) -> str | None:
    """Return which parts of two manifests differ, of those that can be found out again."""
    before, after = (json.loads(path.read_bytes()) for path in (kept, made))
    after["environment"] |= {name: part for name, part in before["environment"].items() if name in _OF_RUN}
    if to_text(after) == kept.read_text(encoding="utf-8"):
        return None
    return ", ".join(_parts(before, after)) or "its form"


def _parts(before: Any, after: Any, place: str = "", depth: int = 3) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping) and depth:
        for name in sorted({*before, *after}):
            yield from _parts(before.get(name), after.get(name), f"{place}.{name}".lstrip("."), depth - 1)
    elif before != after:
        yield place


def _difference(kept: Path, made: Path) -> str | None:
    """Return how a run's file differs from what was made anew; None if both have the same bytes."""
    if kept.is_dir():
        every = [path for folder in (kept, made) for path in folder.iterdir()]
        # Of a folder's list of checksums, which has those of PDFs, the plain check says that it holds.
        names = {path.name for path in every if path.name[0] != "." and path.suffix != _UNEQUAL} - {"checksums"}
        differing = (name for name in sorted(names) if _difference(kept / name, made / name) is not None)
        return next(differing, None)
    if not (kept.is_file() and made.is_file()):
        return "only one of both has it"
    if kept.read_bytes() == made.read_bytes():
        return None
    if kept.suffix != ".arrow":
        pairs = zip(kept.read_bytes().split(b"\n"), made.read_bytes().split(b"\n"), strict=False)
        line = next((number for number, (one, other) in enumerate(pairs, start=1) if one != other), None)
        return "one is longer" if line is None else f"line {line} is the first that differs"
    try:
        one, other = _table(kept), _table(made)
    except StoreError as error:
        return str(error)
    about, anew = metadata_of(one), metadata_of(other)
    keys = sorted(name for name in about.keys() | anew.keys() if about.get(name) != anew.get(name))
    rows = [number for number, pair in enumerate(zip(one.to_pylist(), other.to_pylist(), strict=False)) if _apart(pair)]
    said = [f"{one.num_rows} rows, not {other.num_rows}"] if one.num_rows != other.num_rows else []
    said += [f"{len(rows)} rows differ, first {rows[0] + 1}"] if rows else []
    said += [f"metadata {', '.join(key for key in keys if key != 'nlfol.checksum')}"] if len(keys) > 1 else []
    return "; ".join(said) or "its form"


def _table(path: Path) -> pa.Table:
    check(path)
    with pa.OSFile(str(path), "rb") as source:
        return pa.ipc.open_file(source).read_all()


def _apart(pair: tuple[object, object]) -> bool:
    return repr(pair[0]) != repr(pair[1])  # NaN equals itself here
