"""Compare what two versions of the code make of the same experiments: the gate of a change that must change no result.

    python benchmarks/same_results.py gate OLD_CHECKOUT NEW_CHECKOUT [--items 4] [--runs .cache/gate]
    python benchmarks/same_results.py gate OLD NEW --moved relation fault detail counter_model on_boards blocks score
    python benchmarks/same_results.py record stability/ > before.json              # digests of one finished run
    python benchmarks/same_results.py compare before.json after.json

``gate`` runs the default experiment and few items of ``config/{round_trip,stability,paper}.yaml``, with the answers of
``scripted_models.py``, in copies of both checkouts, each by its own code. The second copy gets the first one's journal,
so that answers and their seconds are equal, and a request that is sent again shows as a journal that grew. It prints
what differs, and exits with 1 if anything does. Finished runs in ``RUNS/old`` are taken as they are; those in
``RUNS/new`` are made again. All takes about 15 minutes of two cores for each checkout.

Compared are tables (CSV, Markdown, LaTeX), figures (SVG, their data and specifications), the report's data, and Arrow
files by schema, rows and metadata, but for checksums and digests of origins and code. PDF and the rest of the report's
page hold times and are left out, as is the run's digest below tables.

``--moved`` names columns of SCORES that the new code has in files of their own, ``evidence/{dataset}/{task}.arrow``, by
the key ``pair``. Each row is compared with the old one: a value that is null in SCORES is the evidence's, texts of both
are joined by "; ", and a score is the evidence's column of the name of its metric.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

CONFIGURATIONS = {"default": 0, "round_trip": 8741, "stability": 8742, "paper": 8743}
"""Ports of the scripted servers, which stand in the configurations."""

TEXTS = (".csv", ".md", ".tex", ".svg", ".jsonl")
VOLATILE = ("nlfol.checksum", "made_from", "code")
RUN = re.compile(rb"Run [0-9a-f]{12}: see manifest.json(?:\. Journals and items: root [0-9a-f]{32})?")
"""The note below each table: it changes with the file names of prompts and with journals, too."""

ITEMS = re.compile(rb'id="data-items">(.*?)</script>', re.DOTALL)
COPY = "import sys, pathlib, tests.workflow.checkout as c; c.Checkout.make(pathlib.Path(sys.argv[1]))"
KEY = "pair"


def record(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the content of each file of a results folder, by its path in there."""
    return {path.relative_to(folder).as_posix(): _digest(path) for path in sorted(_kept(folder))}


def _kept(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        place = path.relative_to(folder).as_posix()
        is_page = place in ("report/index.html", "report/figures.json")
        if is_page or (path.suffix in (*TEXTS, ".arrow") and not place.startswith(("report/", "logs/", "weights/"))):
            yield path


def _digest(path: Path) -> str:
    if path.suffix == ".arrow":
        table = _read(path)
        content = json.dumps([str(table.schema.remove_metadata()), _metadata(table), table.to_pylist()], default=str)
        return hashlib.sha256(content.encode()).hexdigest()
    text = path.read_bytes()
    if path.suffix == ".html" and (items := ITEMS.search(text)):
        text = gzip.decompress(base64.b64decode(items[1]))
    return hashlib.sha256(RUN.sub(b"", text)).hexdigest()


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path), "rb") as source:
        return pa.ipc.open_file(source).read_all()


def _metadata(table: pa.Table) -> dict[str, str]:
    found = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    return {key: value for key, value in found.items() if not key.startswith(VOLATILE)}


def compare(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return a line for each file that differs."""
    marks = {(True, False): "-", (False, True): "+", (True, True): "≠"}
    return [
        f"{marks[name in before, name in after]} {name}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def differences(old: Path, new: Path, moved: Sequence[str] = ()) -> list[str]:
    """Return a line for each file of two results folders that differs, of Arrow files with what does.

    Args:
        old: the first folder.
        new: the second.
        moved: columns of SCORES that the second has as evidence.
    """
    lines = []
    for line in compare(record(old), record(new)):
        mark, name = line.split(maxsplit=1)
        if mark == "≠" and name.endswith(".arrow"):
            of_moved = moved if name.startswith("scores/") else ()
            lines += [f"{line}: {what}" for what in _differing(old / name, new / name, of_moved, new)]
        elif not (moved and mark == "+" and name.startswith("evidence/")):
            lines.append(line)
    return lines


def _differing(old: Path, new: Path, moved: Sequence[str], results: Path) -> Iterator[str]:
    before, after = _read(old), _read(new)
    rows = after.to_pylist()
    if moved:
        dataset, task = new.relative_to(results / "scores").parts[:2]
        evidence = results / f"evidence/{dataset}/{task.removesuffix('.arrow')}.arrow"
        known = {row[KEY]: row for row in _read(evidence).to_pylist()} if evidence.exists() else {}
        rows = [_joined(row, known.get(row.get(KEY), {}), moved) for row in rows]
    may = {*moved, KEY} if moved else set()
    fields = {
        name: {field.name: str(field) for field in table.schema if field.name not in may}
        for name, table in (("old", before), ("new", after))
    }
    if fields["old"] != fields["new"]:
        yield f"columns {sorted(fields['old'].items() ^ fields['new'].items())}"
    changed = {key for key, _ in _metadata(before).items() ^ _metadata(after).items()}
    if changed := changed - {"nlfol.version"} if moved else changed:
        yield f"metadata {sorted(changed)}"
    if before.num_rows != after.num_rows:
        yield f"{before.num_rows} and {after.num_rows} rows"
        return
    names = [name for name in before.column_names if name in moved or name in fields["new"]]
    for name, values in zip(names, map(before.column, names), strict=True):
        wrong = [place for place, value in enumerate(values.to_pylist()) if repr(value) != repr(rows[place].get(name))]
        if wrong:
            yield f"{name} in {len(wrong)} rows, first {wrong[0]}"


def _joined(row: Mapping[str, Any], evidence: Mapping[str, Any], moved: Sequence[str]) -> dict[str, Any]:
    joined = dict(row)
    for name in moved:
        theirs = evidence.get(row["metric"] if name == "score" else name)
        if name == "score" and isinstance(theirs, str):
            theirs = float(theirs == "equivalent")
        ours = row.get(name)
        both = isinstance(ours, str) and isinstance(theirs, str)
        joined[name] = f"{ours}; {theirs}" if both else theirs if ours is None else ours
    return joined


def copy(checkout: Path, folder: Path) -> None:
    """Copy what a checkout runs, by its own list of files."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-c", COPY, str(folder)], cwd=checkout, env=_environment(checkout), check=True)


def run(checkout: Path, folder: Path, name: str, items: int) -> None:
    """Run a configuration in a copy of a checkout, by its own code; raises `RuntimeError` that names the log."""
    command = [str(checkout / "benchmarks/scripted_models.py"), str(folder), str(checkout / f"config/{name}.yaml")]
    command += ["--items", str(items), "--port", str(CONFIGURATIONS[name])]
    if name == "default":
        targets = ["results/tables", "results/report", "results/figures"]
        command = ["-m", "snakemake", "--cores", "2", "--quiet", "all", "--", *targets]
    log = folder.with_suffix(".log")
    with log.open("wb") as output:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env=_environment(checkout),
            stdout=output,
            stderr=output,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{checkout}: {name} failed; see {log}")


def _environment(checkout: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": f"{checkout / 'workflow/scripts'}{os.pathsep}{checkout}"}


def results_of(folder: Path) -> Path:
    """Return the results folder of a finished run."""
    (tables,) = folder.glob("*/tables")
    return tables.parent


def gate(
    checkouts: tuple[Path, Path], runs: Path, names: Sequence[str], *, items: int, moved: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a line for each difference between the runs of two checkouts."""
    old, new = checkouts
    for name in names:
        before, after = runs / "old" / name, runs / "new" / name
        if not list(before.glob("*/report/index.html")):
            copy(old, before)
            run(old, before, name, items)
        shutil.rmtree(after, ignore_errors=True)
        copy(new, after)
        shutil.copytree(before / "journal", after / "journal", symlinks=True, dirs_exist_ok=True)
        run(new, after, name, items)
        yield from (f"{name}: {line}" for line in differences(results_of(before), results_of(after), moved))
        yield from (f"{name}: {line}" for line in compare(_journals(before), _journals(after)))


def _journals(folder: Path) -> dict[str, str]:
    """Return digests of the journals of answers and of vectors below a checkout."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "journal").rglob("*")
        if path.suffix in (".jsonl", ".arrow")
    }


def main() -> int:
    """Run one of the commands; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    gating = commands.add_parser("gate")
    gating.add_argument("checkouts", type=Path, nargs=2, metavar="CHECKOUT")
    gating.add_argument("--items", type=int, default=4, help="of a dataset and task; not of the default experiment")
    gating.add_argument("--runs", type=Path, default=Path(".cache/gate"), help="folder of the copies")
    gating.add_argument("--only", nargs="+", choices=CONFIGURATIONS, default=list(CONFIGURATIONS))
    gating.add_argument("--moved", nargs="+", default=[], help="columns of SCORES that are evidence now")
    commands.add_parser("record").add_argument("folder", type=Path)
    commands.add_parser("compare").add_argument("digests", type=Path, nargs=2)
    given = parser.parse_args()
    if given.command == "record":
        print(json.dumps(record(given.folder), indent=1))
        return 0
    if given.command == "compare":
        lines = iter(compare(*(json.loads(path.read_text(encoding="utf-8")) for path in given.digests)))
    else:
        old, new = (path.resolve() for path in given.checkouts)
        lines = gate((old, new), given.runs.resolve(), given.only, items=given.items, moved=given.moved)
    is_equal = True
    for line in lines:
        is_equal = False
        print(line, flush=True)
    if is_equal:
        print("equal")
    return int(not is_equal)


if __name__ == "__main__":
    sys.exit(main())
