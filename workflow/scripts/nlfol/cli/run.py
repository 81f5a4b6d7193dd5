"""``nlfol run``: a configuration from a few words, for Snakemake to run."""

import csv
import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import typer
import yaml

from nlfol.asking.estimates import COSTS, total
from nlfol.cli.lines import say
from nlfol.cli.named import UnusableRunError, datasets_of, known_datasets, name_of, shipped_values
from nlfol.cli.watching import watch
from nlfol.config import Configuration, ConfigurationError, check_folders, check_texts, read_configuration
from nlfol.data.checking import check_gold
from nlfol.data.entry import read_entry
from nlfol.facts import GUESSERS
from nlfol.installed import PROJECT
from nlfol.logic.ontology.ontology import OntologyError
from nlfol.mappings import JsonDict, JsonObject
from nlfol.models.api.client import is_loopback
from nlfol.models.providers.registry import is_remote
from nlfol.provenance.manifest import unplanned
from nlfol.randomness import SEED
from nlfol.results.tables.headlines import closing_lines
from nlfol.results.tables.table import shown
from nlfol.spending import settle_models
from nlfol.store.records import SourceError
from nlfol.tasks.registry import KINDS
from nlfol.validation import nearest, read_yaml

_OWN = "tarski", "rules"
"""The datasets that tables of one's own are treated like, of sentences and of problems."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of ``nlfol run``; those of answering are for models that the default experiment lacks."""

    models: Sequence[str]
    datasets: Sequence[str]
    ontology: Path | None = None
    tasks: Sequence[str] = ()
    items: int | None = None
    seeds: Sequence[int] = ()
    temperature: float | None = None
    base_url: str | None = None
    key_variable: str | None = None
    structured: str | None = None


def experiment(wanted: Wanted, name: str | None = None) -> tuple[Path, JsonDict]:
    """Return the folder of an experiment in ``runs``, and the values of its configuration.

    The folder has the names of models and datasets unless another is given. Raises ``UnusableRunError`` if an argument
    names nothing that there is, or the configuration is not valid.
    """
    if wanted.structured is not None and not any(model.startswith("openai/") for model in wanted.models):
        raise UnusableRunError("--structured is for models openai/NAME; take it out")
    default = shipped_values("config.yaml")
    known = known_datasets()
    datasets: JsonDict = {}
    for given in wanted.datasets:
        datasets |= datasets_of(given, known, wanted.ontology)
    models = {}
    for given in wanted.models:
        called, entry = _model(given, wanted, default["models"])
        if called in models:
            raise UnusableRunError(f"two models would be called {called}; write a configuration (nlfol init)")
        models[called] = entry
    tasks = wanted.tasks or _tasks(datasets, known, default["tasks"])
    folder = Path("runs", name or ".".join([*models, *datasets]))
    values = {
        "seed": SEED,
        "results": f"{folder}/results",
        "datasets": datasets,
        "tasks": {task: {} if wanted.items is None else {"items": wanted.items} for task in tasks},
        "models": {**models, **{kind: {"kind": kind} for kind in GUESSERS}},
    }
    try:
        read_configuration(values)
    except ConfigurationError as error:
        raise UnusableRunError(str(error)) from error
    return folder, values


def text_of(folder: Path, values: Mapping[str, object]) -> str:
    """Return the text of a configuration, with the command that runs it."""
    command = shlex.join(["nlfol", "run", str(folder / "config.yaml")])
    header = f"# Written by nlfol run, which overwrites it: edit a copy. To run it:\n#     {command}\n\n"
    return header + yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, default_flow_style=None)


def written(folder: Path, text: str) -> Path:
    """Write the configuration of an experiment; return its path. Raises ``OSError`` if it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def run(
    file: Path, configuration: Configuration, options: Sequence[str], *, report: bool, yes: bool, verbose: bool
) -> int:
    """Make the tables of a configuration with Snakemake, and say where they are; return the exit status.

    If models may cost something, it first says how much, and asks. Raises ``UnusableRunError`` if it cannot.
    """
    results = configuration.results

    def made(*targets: str) -> int:
        command = _arguments(file, [f"{results}/{target}" for target in targets], options)
        return watch([sys.executable, "-m", "snakemake", *command], Path(results), verbose=verbose)

    paid = [name for name, entry in configuration.models.items() if is_remote(entry)]
    if paid:
        say(f"Estimating what asking {', '.join(paid)} costs", sys.stderr)
        if status := made("estimate.csv"):
            return status
        lines, may_be_dear = charges(Path(results, "estimate.csv"), configuration)
        say("\n".join(lines), sys.stderr)
        if may_be_dear and not yes:
            if not sys.stdin.isatty():
                raise UnusableRunError(f"this may cost more than {UNASKED:g}, and nobody can be asked here; give --yes")
            typer.confirm("Go on?", abort=True, err=True)
    say(f"Running {file}; tables go to {results}/tables", sys.stderr)
    status = made("tables", "report") if report else made("tables")
    if not status:
        say("\n".join((*closing_lines(Path(results)), *unplanned(Path(results, "manifest.json")))))
        again = shlex.join(["nlfol", "run", str(file), "--report"])
        say(f"Report: {results}/report/index.html" if report else f"To make the report: {again}")
    return status


UNASKED = 1.0
"""The highest cost that nobody is asked about, in any currency."""


def charges(estimate: Path, configuration: Configuration) -> tuple[list[str], bool]:
    """Return what an estimate says of the cost, and whether it may be more than ``UNASKED``.

    A price that is not known may be any, unless the model is asked on this machine.
    """
    with estimate.open(encoding="utf-8", newline="") as file:
        estimated = list(csv.DictReader(file))
    remote = {name: entry for name, entry in configuration.models.items() if is_remote(entry)}
    known: list[JsonDict] = [
        row | {name: float(row[name]) if row[name] else None for name in COSTS}
        for row in estimated
        if row["model"] in remote
    ]
    rows = [row for row in known if int(row["left"]) + int(row["following"])]
    left = sum(int(row["left"]) + int(row["following"]) for row in rows)
    lines, may_be_dear = [f"Requests to send: {left:,}"], False
    budget = configuration.budget
    for currency in sorted({row["currency"] for row in rows if row["currency"]}):
        expected, _, most = total(rows, currency)
        if budget is not None and budget.total is not None and budget.currency == currency:
            most = min(most, budget.total)
        may_be_dear |= most > UNASKED
        lines.append(f"Cost: {shown(expected)} {currency} expected, {shown(most)} {currency} at most")
        perhaps = fsum(row["perhaps"] or 0.0 for row in known if row["currency"] == currency)
        if most or perhaps:
            so_far = f" (so far {shown(perhaps)} {currency} at most)" if perhaps else ""
            lines.append(f"Attempts without a reply may be charged, too{so_far}; a budget limits them")
    for name in sorted({row["model"] for row in rows if not row["currency"]}):
        may_be_dear |= not is_loopback(urlsplit(remote[name].url).hostname or "")
        lines.append(f"No price is known of {name}; state it under price in the model's entry")
    return lines, may_be_dear


def configuration_of(file: Path) -> Configuration:
    """Return a configuration with what its models cost; raises ``UnusableRunError`` if it cannot be run."""
    try:
        check_texts([file])
        configuration = settle_models(read_configuration(read_yaml(file)), PROJECT / "resources/providers.yaml")
        check_folders(configuration)
        return configuration
    except ConfigurationError as error:
        raise UnusableRunError(f"{file}: {error}") from error
    except FileNotFoundError as error:
        raise UnusableRunError(f"no file {file}; write one with nlfol init") from error


def seeds_of(text: str) -> list[int]:
    """Numbers between commas; raises ``UnusableRunError`` if the values are not a valid experiment."""
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise UnusableRunError(f"--seeds {text}: give whole numbers, as 3,12,26")
    return [int(seed) for seed in text.split(",")]


def profile_of(name: str) -> str:
    """Return the folder of a profile by its name or path; raises ``UnusableRunError`` if there is none."""
    ours = sorted(path.name for path in (PROJECT / "profiles").iterdir())
    folder = PROJECT / "profiles" / name if name in ours else Path(name)
    if not (folder / "config.yaml").is_file():
        raise UnusableRunError(f"no profile {name}{nearest(name, ours)}; there is {', '.join(ours)}, or give a folder")
    return str(folder)


def tell_refused(configuration: Configuration) -> None:
    """Say which gold rows of local files are refused; raises ``UnusableRunError`` if a dataset cannot be read."""
    for name, entry in configuration.datasets.items():
        try:
            report = check_gold(entry, configuration.seed).told(name)
        except (SourceError, OntologyError) as error:
            raise UnusableRunError(f"datasets.{name}: {error}") from error
        if report:
            say(report, sys.stderr)


def dry_run(file: Path, results: str, options: Sequence[str]) -> NoReturn:
    """Become Snakemake, which shows what it would run."""
    command = _arguments(file, [f"{results}/tables"], [*options, "--dry-run"])
    os.execv(sys.executable, [sys.executable, "-m", "snakemake", *command])  # noqa: S606


def _arguments(file: Path, targets: Iterable[str], options: Sequence[str]) -> list[str]:
    # Always the project's own: one that lies in the folder may be anybody's.
    return ["--snakefile", str(PROJECT / "Snakefile"), "--configfile", str(file), *options, "--", *targets]


def _model(given: str, wanted: Wanted, known: JsonObject) -> tuple[str, JsonDict]:
    """Return a model's name and entry."""
    if given in known:
        return given, known[given]
    more: JsonDict = {"seeds": list(wanted.seeds)} if wanted.seeds else {}
    if wanted.temperature is not None:
        more["sampling"] = {"temperature": wanted.temperature}
    if given.startswith("hf:"):
        repository, _, revision = given.removeprefix("hf:").partition("@")
        if not re.fullmatch(r"[0-9a-f]{40}", revision):
            raise UnusableRunError(f"{given}: give the full commit hash, as branches move: hf:{repository}@COMMIT")
        source = {"hub": repository, "revision": revision}
        return name_of(repository.split("/")[-1]), {"kind": "chat", "backend": "transformers", "source": source, **more}
    if given.startswith("openai/"):
        model = given.removeprefix("openai/")
        reached: JsonDict = {}
        if wanted.base_url is not None:
            reached = {"base_url": wanted.base_url, "api_key_env": wanted.key_variable}
        elif wanted.key_variable is not None:
            reached = {"api_key_env": wanted.key_variable}
        if wanted.structured is not None:
            more["structured"] = wanted.structured
        return name_of(model), {"kind": "chat", "backend": "openai", "model": model, **reached, **more}
    raise UnusableRunError(
        f"no model {given}{nearest(given, known)}; give openai/NAME (with --base-url for another server), "
        f"hf:REPOSITORY@COMMIT, or one of {', '.join(known)}"
    )


def _tasks(datasets: JsonObject, known: JsonObject, entries: JsonObject) -> list[str]:
    """Return the tasks of the default experiment that fit these datasets."""
    alike = {
        name if name in known and known[name]["reader"] != "folio" else _OWN[entry["reader"] == "problems"]
        for name, entry in datasets.items()
    }
    holding = {name: read_entry(json.dumps(known[name])).holds for name in alike}
    kinds = []
    for name, entry in entries.items():
        kind = entry.get("task", name)
        taking = {name for name, holds in holding.items() if holds in KINDS[kind].takes}
        if taking & set(entry.get("datasets", taking)):
            kinds.append(kind)
    return list(dict.fromkeys(kinds))
