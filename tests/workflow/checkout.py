"""A copy of what a checkout holds, in which Snakemake runs for real, and a small experiment to run there."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import yaml
from tests.workflow.running import run_cold, run_warm

from nlfol.config.code import code_digest, recall_modules, remember_modules
from nlfol.results.analyses.registry import TABLES as TOPICS_OF_TABLES
from nlfol.results.analyses.registry import TOPICS

ROOT = Path(__file__).parents[2]

OWN_PROCESSES = {"NLFOL_OWN_PROCESSES": "1"}
"""Keeps jobs out of the process that small ones share."""

MODULES = ".snakemake/nlfol-modules.json"
"""File in which a start of Snakemake finds the modules that an earlier one read."""

SENTENCES = """\
story,text,formula
pets,Every cat sleeps.,∀x (Cat(x) → Sleeps(x))
pets,No dog sleeps.,∀x (Dog(x) → ¬Sleeps(x))
pets,Tom is a cat or a dog.,Cat(tom) ∨ Dog(tom)
pets,Tom sleeps.,Sleeps(tom)
chase,Some dog chases Tom.,"∃x (Dog(x) ∧ Chases(x, tom))"
chase,"Rex is a dog, and he chases every cat.","Dog(rex) ∧ ∀x (Cat(x) → Chases(rex, x))"
chase,No cat chases a dog.,"∀x ∀y (Cat(x) ∧ Dog(y) → ¬Chases(x, y))"
chase,"If Rex sleeps, no dog chases Tom.","Sleeps(rex) → ¬∃x (Dog(x) ∧ Chases(x, tom))"
"""
"""Eight sentences in two stories. "Tom sleeps." has one single edit, its negation; the others have many."""

ONTOLOGY = """\
predicates:
  Cat: {arity: 1, positive: "{} is a cat", negative: "{} is not a cat"}
  Dog: {arity: 1, positive: "{} is a dog", negative: "{} is not a dog"}
  Sleeps: {arity: 1, positive: "{} sleeps", negative: "{} does not sleep"}
  Chases: {arity: 2, positive: "{} chases {}", negative: "{} does not chase {}"}
constants:
  tom: Tom
  rex: Rex
"""

CHANCE: dict[str, Any] = {"kind": "chance"}
MINILM: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["minilm"]

ABOUT = {
    *("experiment", "sentences", "formula", "candidates", "dialogues", "choices", "translations"),
}
"""Subjects of the small experiment of all kinds of models."""

TABLES = [name for name, topic in TOPICS_OF_TABLES.items() if topic.about in ABOUT]
"""The tables that it has."""

RENDERED = {"write_manifest": 1, "render_tables": 1, "results/tables": 1}
"""The jobs that follow whenever a summary has changed."""

ANALYSED = [
    name
    for name, topic in TOPICS.items()
    if topic.files and topic.rows_about in ABOUT and {"scores", "cells"} & {*topic.inputs}
]
"""The analyses of all scores."""

SUMMARISED = {
    **{f"analyse_{topic}": 1 for topic in ANALYSED},
    **RENDERED,
}
"""The jobs that follow whenever a score has changed."""

WITH_POSITIONS = {"analyse_positions": 1, "analyse_dimensions": 1, **SUMMARISED}
"""The jobs that follow whenever a dialogue model's score of most similar has changed."""

OF_DIALOGUE = {"analyse_gold_audit": 1, **WITH_POSITIONS}
"""The jobs that follow whenever a dialogue model's scores of all tasks have changed."""


def interface(url: str, **settings: Any) -> dict[str, Any]:
    """The entry of a dialogue model behind an interface that needs no key."""
    entry = {"kind": "chat", "backend": "openai", "model": "scripted", "base_url": url, "api_key_env": None}
    return {**entry, **settings}


def configuration(**models: Mapping[str, Any]) -> dict[str, Any]:
    """The experiment of the sentences above: candidate sets of three members, and ranking sets of five."""
    return {
        "seed": 7,
        "datasets": {"mine": {"reader": "table", "path": "mine/sentences.csv", "ontology": "mine/ontology.yaml"}},
        "reasoning": 1,
        "tasks": {
            "logical_translation": {"limits": {"formula": 4}},
            "most_similar": {
                "protocol": "audited",
                "perturbations": 2,
                "minimum": 2,
                "presentations": ["formula", "english"],
            },
            "ranking": {
                "protocol": "audited",
                "perturbations": 1,
                "minimum": 1,
                "presentations": ["formula", "english"],
            },
        },
        "models": {name: dict(entry) for name, entry in (models or {"chance": CHANCE}).items()},
    }


@cache
def _copied() -> list[Path]:
    """Return the files of a checkout: those that Git knows, bytecode, and the imports of each module."""
    command = ["git", "ls-files", "-z", "--", ".", ":!tests", ":!benchmarks"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    known = [ROOT / name for name in filter(None, listed.split("\0"))]
    scripts, modules = ROOT / "workflow/scripts", ROOT / MODULES
    assert compileall.compile_dir(scripts, quiet=1)
    modules.parent.mkdir(exist_ok=True)
    recall_modules(modules)
    for script in scripts.glob("*.py"):
        code_digest(script.stem)
    remember_modules(modules)
    return [*(path for path in known if path.is_file()), modules, *sorted(scripts.rglob("__pycache__/*.pyc"))]


@dataclass(frozen=True, slots=True)
class Run:
    """Exit status of Snakemake, and everything that it and its jobs wrote to the terminal."""

    status: int
    output: str

    @property
    def jobs(self) -> dict[str, int]:
        """Number of jobs to run, by rule; empty where Snakemake says that nothing is to be done."""
        if "Nothing to be done" in self.output:
            return {}
        _, _, table = self.output.partition("Job stats:\n")
        counts = dict(re.findall(r"^(\S+) +(\d+)$", table.partition("\n\n")[0], re.MULTILINE))
        return {rule: int(count) for rule, count in counts.items() if rule != "total"}

    @property
    def messages(self) -> set[str]:
        """Messages of the jobs."""
        return set(re.findall(r"^Job \d+: (.*)$", self.output, re.MULTILINE))

    @property
    def errors(self) -> list[str]:
        """Errors of failed jobs."""
        return re.findall(r"^error: (.*)$", self.output, re.MULTILINE)

    @property
    def error(self) -> str:
        """The one error of failed jobs."""
        (error,) = self.errors
        return error


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with the project's files, where every relative path of a configuration starts."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Checkout:
        """Copy the project's files without its tests and benchmarks, and the small experiment's dataset beside them."""
        for path in _copied():
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        checkout = cls(folder)
        checkout.write("mine/sentences.csv", SENTENCES)
        checkout.write("mine/ontology.yaml", ONTOLOGY)
        return checkout

    def copy(self, folder: Path) -> Checkout:
        """Another checkout with the same files, results and times of change."""
        shutil.copytree(self.folder, folder)
        return Checkout(folder)

    def write(self, name: str, text: str) -> None:
        """Put a text file there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def configure(self, values: Mapping[str, Any]) -> None:
        """Write the configuration that the next runs take."""
        self.write("experiment.yaml", yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True))

    def snakemake(
        self,
        *arguments: str,
        cores: int = 2,
        config: str = "experiment.yaml",
        environment: Mapping[str, str] = {},
        timeout: float = 1200,
        cold: bool = False,
        killed: Callable[[], bool] | None = None,
    ) -> Run:
        """Run Snakemake here, with the interpreter that runs the tests.

        Args:
            arguments: Snakemake's, beside the next two.
            cores: how many jobs it may run at once.
            config: the configuration's file.
            environment: variables that are added; of those that an interpreter reads at its start, all others than
                ``PYTHONHASHSEED`` and ``PYTHONPATH`` have an effect on a cold run alone.
            timeout: in seconds.
            cold: start interpreters and share processes as outside of tests; else all jobs are forks of a warm process.
            killed: says when a run that is not cold is killed with all its jobs.

        Raises:
            TimeoutError: after the timeout; Snakemake and its jobs are killed.
        """
        whole = [*arguments, "--cores", str(cores), "--configfile", config]
        if cold:
            return Run(*run_cold(whole, self.folder, self.environment(environment), timeout))
        warm = self.environment({**OWN_PROCESSES, **environment})
        return Run(*run_warm(whole, self.folder, warm, timeout, killed))

    def run(self, *arguments: str, **options: Any) -> Run:
        """Run Snakemake as ``snakemake`` does; it must succeed."""
        run = self.snakemake(*arguments, **options)
        assert run.status == 0, run.output
        return run

    def fail(self, *arguments: str, **options: Any) -> Run:
        """Run Snakemake as ``snakemake`` does; it must fail, without a traceback."""
        run = self.snakemake(*arguments, **options)
        assert run.status != 0, run.output
        assert "Traceback" not in run.output, run.output
        return run

    def start(self, *arguments: str, output: Any = subprocess.DEVNULL, **environment: str) -> subprocess.Popen[bytes]:
        """Start Snakemake, cold, as the leader of a process group that can be killed with all its jobs."""
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *arguments, "--configfile", "experiment.yaml"],
            cwd=self.folder,
            env=self.environment(environment),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )

    def environment(self, added: Mapping[str, str]) -> dict[str, str]:
        """The environment of a run here: nothing of the user's settings."""
        inherited = {name: value for name, value in os.environ.items() if name not in ("NLFOL_DATA", "PYTHONHASHSEED")}
        return {**inherited, "XDG_CACHE_HOME": str(self.folder / "cache"), **added}

    def dry_run(self, *targets: str) -> Run:
        """Return Snakemake's plan."""
        return self.snakemake(*targets, "--dry-run")

    def read(self, name: str) -> str:
        """A text file's content."""
        return (self.folder / name).read_text(encoding="utf-8")

    def bytes(self, pattern: str) -> dict[str, bytes]:
        """The content of every file that matches a pattern, by its place."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in sorted(self.folder.glob(pattern))
            if path.is_file()
        }

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of one of the tables."""
        return pl.read_csv(self.folder / f"results/tables/{name}.csv").to_dicts()
