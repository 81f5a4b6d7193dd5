# The validated configuration, and what several stages need of it.

import json
import os
import re
import sys
from pathlib import Path

# Where the project lies: not where the run is (--directory), nor where a workflow lies that uses this one as a module.
SOURCE = Path(str(workflow.current_basedir)).parents[1]
SCRIPTS = SOURCE / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

try:
    from nlfol.config import (
        ConfigurationError,
        as_json,
        code_digest,
        experiment_json,
        prefer_this_library,
        read_configuration,
        settle_capabilities,
    )
    from nlfol.datasets.entry import shipped
    from nlfol.models.local.devices import devices
    from nlfol.models.entries.embedding import vectors_folder
    from nlfol.models.journal.failures import failures_seen
    from nlfol.models.entries.interface import Interface
    from nlfol.models.local.materialisation import latest_stamp
    from nlfol.spending import settle_prices
    from nlfol.tasks.registry import TASKS as KINDS
except ModuleNotFoundError as error:
    raise WorkflowError(
        f"Snakemake's own environment has no {error.name}: install what nlfol needs there (pip install -c constraints.txt "
        "-r requirements.txt), or run `make tables`, which does so"
    ) from None

# Jobs are to use this checkout's library too, whatever checkout the environment was installed from.
prefer_this_library(os.environ)

PRICES = "resources/prices.yaml"

# A unit test that Snakemake has generated: one rule, on copies of its inputs, in a folder of its own. Its settings are
# not known yet while this is read, but for the command line.
IN_UNIT_TEST = (
    workflow.is_main_process
    and "--allowed-rules" in sys.argv
    and not Path(workflow.rundir).samefile(Path.cwd())
)
if IN_UNIT_TEST:
    # Answers are no inputs; without their journal a test would ask, and pay for, all of them again.
    config["journal"] = str(Path(workflow.rundir, config.get("journal", "journal")))

try:
    CONFIGURATION = settle_prices(
        settle_capabilities(
            read_configuration(config),
            SOURCE / "resources" / "capabilities.yaml",
        ),
        SOURCE / PRICES,
    )
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None

# Snakemake alone would go on with what an earlier run made of a file that is no longer there.
MISSING = [
    f"  datasets.{name}: no file {path}; correct the path, or put the file there"
    for name, dataset in CONFIGURATION.datasets.items()
    for path in [*dataset.source_files, *dataset.ontology_files]
    if not Path(path).exists()
]
if MISSING and not IN_UNIT_TEST:
    raise WorkflowError("\n".join(["the configuration cannot be used:", *MISSING]))

RESULTS = CONFIGURATION.results
if IN_UNIT_TEST and Path(RESULTS).is_absolute():
    raise WorkflowError(
        f"results: a generated unit test would write over {RESULTS}; generate it from an experiment whose results lie in "
        "a relative folder"
    )
TASKS = CONFIGURATION.tasks
# The tasks with candidates.
AUDITED = [name for name, entry in TASKS.items() if KINDS[entry.task].has_candidates()]
TABLE_NAMES = [
    "logical_translation",
    "dialogue",
    "embedding",
    "differences",
    "thinking",
    "agreement",
    "task_agreement",
    "repetitions",
    "other_metrics",
    "faults",
    "published",
    "complexity",
    "positions",
    "edit_mix",
    "set_sizes",
    "costs",
    "funnel",
    "refused",
    "refused_rows",
    "audit",
    "corrections",
    "gold_audit",
]
TABLES = expand(
    f"{RESULTS}/tables/{{table}}.{{suffix}}",
    table=TABLE_NAMES,
    suffix=["csv", "md", "tex"],
)

# The library's parts that decide what a stage's files hold: Snakemake does not track what a script imports. Of a script
# it tracks the time of change, which a checkout by Git renews; so the profiles turn that off (rerun-triggers).
LOGIC = ["logic", "ontology", "store"]
# The audit judges candidate sets and makes none.
CANDIDATES = ["candidates", "!candidates/audit"]
ASKING = [
    "candidates/randomness.py",
    "asking",
    "tasks",
]
CODE = {
    "sentences": [*LOGIC, "datasets"],
    "triples": [*LOGIC, "datasets"],
    "items": [*LOGIC, "english", *CANDIDATES, "tasks"],
    "audits": ["logic", "store", "candidates/audit"],
    "weights": [
        "store/canonical.py",
        "models/local/materialisation.py",
        "models/entries/source.py",
        "models/local/sources.py",
    ],
    "responses": [
        "ontology",
        "store",
        *ASKING,
        "models",
        "!models/serving",
        "spending.py",
    ],
    "estimates": [
        "ontology",
        "store",
        *ASKING,
        "models",
        "!models/serving",
        "spending.py",
        "statistics/estimates.py",
        "tables",
        "tasks",
    ],
    "reading": [
        *LOGIC,
        "english",
        *ASKING,
        "store/canonical.py",
        "models/entries/model.py",
    ],
    "chance": ["ontology", "store", *ASKING],
    "scores": [*LOGIC, "english", *CANDIDATES, "tasks"],
    "cells": [
        "store",
        "datasets/funnel.py",
        "datasets/reason.py",
        "candidates/sets.py",
        "statistics",
    ],
    "costs": ["store", "statistics/costs.py"],
    "complexity": [
        "logic",
        "store",
        "statistics/complexity.py",
        "statistics/corrections.py",
    ],
    "gold_audit": [
        "logic",
        "store",
        "datasets/patches.py",
        "datasets/sentence.py",
        "statistics/gold_audit.py",
        "statistics/series.py",
        "statistics/summary.py",
    ],
    "tables": ["store", "statistics", "tables", "provenance/manifest.py"],
    "manifest": [
        "store",
        "store/canonical.py",
        "provenance/environment.py",
        "provenance/manifest.py",
    ],
    "report": [
        "logic",
        "ontology",
        "store",
        "statistics",
        "tables",
        "report",
        "../render_tables.py",
    ],
}


def code(stage, script):
    """SHA-256 of a script and of the library's parts behind its stage."""
    return code_digest([*CODE[stage], f"../{script}.py"])


def models_of(*kinds):
    """The names of the models of some kinds."""
    return [name for name, model in CONFIGURATION.models.items() if model.kind in kinds]


def one_of(names):
    """A wildcard's constraint to some names; none matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


def is_local(name):
    """Whether a model's weights are loaded here."""
    return hasattr(CONFIGURATION.models[name], "source")


def tasks_of_form(*forms):
    """The names of the tasks' entries whose answers are of some forms."""
    return [name for name, entry in TASKS.items() if KINDS[entry.task].form in forms]


def jobs(*kinds, tasks=TASKS):
    """Dataset, task and model of each job of some kinds of models and some tasks."""
    return [job for job in CONFIGURATION.jobs(*kinds) if job[1] in tasks]


def task_of(wildcards):
    """What a task's entry says of how its items are asked, as JSON."""
    entry = TASKS[wildcards.task]
    return as_json(entry, without=entry.NARROWS | (entry.DECIDES_SCORES - {"task"}))


def weights_of(wildcards):
    """The materialised model, where there is one to load."""
    return f"{RESULTS}/weights/{wildcards.model}" if is_local(wildcards.model) else []


def weights_entry_of(wildcards):
    """The part of a model's entry that decides what its weights become, as JSON; the rest changes nothing."""
    entry = CONFIGURATION.models[wildcards.model]
    keys = {"kind", "backend", "source", "adapter", "context"}
    deciding = entry.model_dump(include=keys)
    # A valid entry's answers fit its context; the least limit fits any.
    return as_json(
        type(entry).model_validate(
            deciding | ({"limits": {"tokens": 1}} if entry.kind == "chat" else {})
        )
    )


def server_of(wildcards):
    """The service file of a model's server, where the workflow starts one."""
    served = is_served(wildcards.model)
    return f"{RESULTS}/servers/{wildcards.model}.json" if served else []


def stamp_of(wildcards):
    """What tells weights at a path apart without reading them."""
    return latest_stamp(
        CONFIGURATION.models[wildcards.model], Path(weights_of(wildcards))
    )


def is_remote(name):
    """Whether a model is behind somebody's interface."""
    return isinstance(CONFIGURATION.models[name], Interface) and not is_served(name)


def is_served(name):
    """Whether the workflow starts a server of a model."""
    return getattr(CONFIGURATION.models[name], "serve", None) is not None


def in_batches(name):
    """Whether a model's requests are answered in batches."""
    return getattr(CONFIGURATION.models[name], "batch", None) is not None


def local_weights(wildcards):
    """The weights of local dialogue models that are there already; none is made ready for an estimate."""
    return {
        name: f"{RESULTS}/weights/{name}"
        for name in filter(is_local, models_of("chat"))
        if Path(f"{RESULTS}/weights/{name}/source.json").exists()
    }


def journal_sizes(wildcards):
    """What changes whenever an answer is kept."""
    return {
        folder.name: sum(path.stat().st_size for path in folder.glob("*.*"))
        for folder in [
            *(Path(CONFIGURATION.journal, name) for name in models_of("chat")),
            *sorted(Path(CONFIGURATION.journal, "vectors", ".interfaces").glob("*")),
        ]
    }


def entry_of(wildcards):
    """A model's entry as JSON, without what only says where and for how long its jobs may run."""
    return as_json(CONFIGURATION.models[wildcards.model], without={"resources"})


def journal_of(wildcards):
    """Where a job's answers are kept."""
    return Path(
        CONFIGURATION.journal,
        wildcards.model,
        f"{wildcards.dataset}.{wildcards.task}.jsonl",
    )


def vectors_of(wildcards):
    """Where a job's vectors are kept."""
    entry = CONFIGURATION.models[wildcards.model]
    job = f"{wildcards.dataset}.{wildcards.task}"
    return str(vectors_folder(Path(CONFIGURATION.journal), entry, job))


def failures_of(wildcards):
    """What changes when a job ended with failed requests."""
    return failures_seen(journal_of(wildcards))


wildcard_constraints:
    dataset=one_of(CONFIGURATION.datasets),
    task=one_of(TASKS),
    model=one_of(CONFIGURATION.models),
