"""Compare what two versions of the code make of the same experiments: the gate of a change that must change no result.

    python benchmarks/same_results.py few config/stability.yaml > stability.yaml   # the same experiment on few items
    python benchmarks/same_results.py record stability/ > before.json              # digests of a finished run
    python benchmarks/same_results.py keys config/*.yaml > keys.json               # request keys
    python benchmarks/same_results.py compare before.json after.json               # what differs; status 1 if anything

``record`` digests tables (CSV, Markdown, LaTeX), figures (SVG and their data) and Arrow files. Of an Arrow file it
takes schema, rows and metadata, but for checksums and digests of origins, which follow from those of the files
themselves. PDF and the report's page hold times and are left out, as is the run's digest below tables. Give the second
version the journal of the first: then answers and their seconds are equal, and a request that is sent again shows as a
journal that grew. Configurations that share a results folder need checkouts of their own.

``keys`` has Snakemake make the ITEMS files of a configuration that depend on no model's answers. It digests the keys
of the first requests of every dialogue model, dataset and task, for items spread evenly over the file.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

ROOT = Path(__file__).parents[1]
TEXTS = (".csv", ".md", ".tex", ".svg", ".jsonl")
FEW = {"count": 3, "sensitivity": 2}
VOLATILE = ("nlfol.checksum", "made_from", "code")
RUN = re.compile(rb"Run [0-9a-f]{12}: see manifest.json")
"""The note below each table: it changes with the file names of prompts, too."""


def few(config: Path) -> str:
    """Return a configuration with few items of each dataset and task, as YAML."""
    values = yaml.safe_load(config.read_text(encoding="utf-8"))
    for dataset in values["datasets"].values():
        dataset |= {key: min(value, FEW[key]) for key, value in dataset.items() if key in FEW}
    for task in values["tasks"].values():
        task["items"] = min(task.get("items", 12), 12)
    for model in values["models"].values():
        if "items" in model:
            model["items"] = 1
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)


def record(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the content of each file of a results folder, by its path in there."""
    return {path.relative_to(folder).as_posix(): _digest(path) for path in sorted(_kept(folder))}


def _kept(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        top = path.relative_to(folder).parts[0]
        if path.suffix in (*TEXTS, ".arrow") and top not in ("report", "logs", "weights"):
            yield path


def _digest(path: Path) -> str:
    if path.suffix != ".arrow":
        return hashlib.sha256(RUN.sub(b"", path.read_bytes())).hexdigest()
    with pa.OSFile(str(path), "rb") as source:
        table = pa.ipc.open_file(source).read_all()
    metadata = {
        key.decode(): value.decode()
        for key, value in (table.schema.metadata or {}).items()
        if not key.decode().startswith(VOLATILE)
    }
    content = json.dumps([str(table.schema.remove_metadata()), metadata, table.to_pylist()], default=str)
    return hashlib.sha256(content.encode()).hexdigest()


def keys(config: Path, most: int) -> dict[str, str]:
    """Return the digest of request keys of each dataset, task and dialogue model of a configuration."""
    sys.path.insert(0, str(ROOT / "workflow/scripts"))
    from nlfol.asking.asking import Asking, Offered
    from nlfol.asking.questions import dialogues
    from nlfol.config import as_json, read_configuration
    from nlfol.spending import settle_models
    from nlfol.tasks.registry import build_task

    configuration = settle_models(
        read_configuration(yaml.safe_load(config.read_text(encoding="utf-8"))), ROOT / "resources/providers.yaml"
    )
    rewritten = configuration.diversified("paper")
    pairs = [
        (dataset, task)
        for dataset, task in configuration.pairs()
        if dataset not in rewritten and not configuration.tasks[task].taken
    ]
    files = {pair: Path(configuration.results, "items", *pair).with_suffix(".arrow") for pair in pairs}
    _make([path.as_posix() for path in files.values()], config)
    found: dict[str, str] = {}
    for pair, path in files.items():
        offered = Offered.read(path)
        spread = offered.items[:: max(1, len(offered.items) // most)]
        task = build_task(as_json(configuration.tasks[pair[1]]))
        for dataset, name, model in configuration.jobs("chat"):
            if (dataset, name) == pair:
                entry: Any = configuration.models[model]
                asking = Asking(
                    replace(offered, items=spread),
                    *(dataset, name, task, model, as_json(entry)),
                    configuration.seed,
                    Path("unused"),
                )
                started = dialogues(asking, entry, ROOT / "resources/prompts", entry.identity)
                requests = [dialogue.advance() for dialogue in started]
                found[f"{config.stem}/{dataset}/{name}/{model}"] = _together(
                    request.key for request in requests if request is not None
                )
    return found


def _make(targets: list[str], config: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--configfile", str(config), "--cores", "2", "--quiet", "all", "--"]
    subprocess.run([*command, *targets], check=True, stdout=sys.stderr)


def _together(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def compare(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return a line for each file or job that differs."""
    marks = {(True, False): "-", (False, True): "+", (True, True): "≠"}
    return [
        f"{marks[name in before, name in after]} {name}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def main() -> int:
    """Run one of the commands; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, argument, count in (("few", "config", 1), ("record", "folder", 1), ("keys", "config", "+")):
        commands.add_parser(name).add_argument(argument, type=Path, nargs=count)
    commands.choices["keys"].add_argument("--most", type=int, default=40, help="items of a dataset and task")
    commands.add_parser("compare").add_argument("digests", type=Path, nargs=2)
    arguments = parser.parse_args()
    match arguments.command:
        case "few":
            print(few(arguments.config[0]))
        case "record":
            print(json.dumps(record(arguments.folder[0]), indent=1))
        case "keys":
            of_each = (keys(config, arguments.most) for config in arguments.config)
            print(json.dumps(dict(chain.from_iterable(each.items() for each in of_each)), indent=1))
        case _:
            lines = compare(*(json.loads(path.read_text(encoding="utf-8")) for path in arguments.digests))
            print("\n".join(lines) or "equal")
            return int(bool(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
