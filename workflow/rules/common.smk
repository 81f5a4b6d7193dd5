# The validated configuration, and what several stages need of it.

import gc
import os
import re
import sys
from functools import cache
from pathlib import Path

# Where the project lies: not where the run is (--directory), nor where a workflow lies that uses this one as a module.
SOURCE = Path(str(workflow.current_basedir)).parents[1]
SCRIPTS = SOURCE / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

from nlfol.plugins import PluginError, prompts, registered

try:
    from nlfol.results.analyses.registry import FILES, TOPICS
    from nlfol.config import (
        ConfigurationError,
        check_folders,
        check_texts,
        code_digest,
        prepare_jobs,
        read_configuration,
        recall_modules,
        remember_modules,
        subjects,
    )
    from nlfol.data.entries.block import shipped
    from nlfol.facts import GUESSERS, REFERENCES
    from nlfol.models.entries.embedding import vectors_folder
    from nlfol.models.providers.registry import is_local, is_remote, is_served
    from nlfol.asking.adherence import failures_seen
    from nlfol.models.local.devices import devices
    from nlfol.models.local.materialisation import deciding_values
    from nlfol.spending import settle_models
    from nlfol.store.parameters import entry_params
    from nlfol.tasks.registry import KINDS, STAGES, task_of
except ModuleNotFoundError as error:
    sys.exit(
        f"Snakemake's own environment has no {error.name}: install what nlfol needs there (pip install -c constraints.txt "
        "-r requirements.txt), or run `make tables`, which does so"
    )
except PluginError as error:
    sys.exit(f"error: {error}")

# Else Python looks through all that is imported for garbage, again and again while the graph of jobs grows.
gc.freeze()

# Jobs are to use this checkout's library too, whatever checkout the environment was installed from, and start fast.
prepare_jobs(os.environ)

# What the digests of code are made of, so that only the first start reads all modules.
MODULES = Path(".snakemake/nlfol-modules.json")
recall_modules(MODULES)

PROVIDERS = "resources/providers.yaml"

# Of two values for one key Snakemake takes the last, and of a file that is not UTF-8 it shows a traceback.
try:
    check_texts(workflow.configfiles or ["config.yaml"])
except ConfigurationError as error:
    sys.exit(str(error))


# A configuration given with --configfile replaces the default one instead of being merged into it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


try:
    CONFIGURATION = settle_models(read_configuration(config), SOURCE / PROVIDERS)
    check_folders(CONFIGURATION)
except ConfigurationError as error:
    sys.exit(str(error))

# Snakemake alone would go on with what an earlier run made of a lost file, which only verifying may do.
MISSING = [
    (
        f"  datasets.{name}: {path} is a pipe or device; copy what it gives into a file"
        if Path(path).exists()
        else f"  datasets.{name}: no file {path}; correct the path, or put the file there"
    )
    for name, dataset in CONFIGURATION.datasets.items()
    for path in [*dataset.source_files, *dataset.ontology_files]
    if not Path(path).is_file() and not Path(path).is_dir()
]
if MISSING and "NLFOL_VERIFYING" not in os.environ:
    sys.exit("\n".join(["the configuration cannot be used:", *MISSING]))

RESULTS = CONFIGURATION.results
TASKS = CONFIGURATION.tasks
# And what datasets ask of models that they name.
ASKED = {**TASKS, **{kind: stage.entry_type() for kind, stage in STAGES.items()}}
REWRITING, ASSEMBLING = STAGES


# Snakemake goes by the time of a script: the profiles turn that off, and rules have the digest of its code instead.
def code(script, **job):
    """Return the digest of a script's code for a job, as Snakemake names it if it has changed."""
    return f"code of {script}: {code_digest(script, **job)}"


def task_code(script):
    """Return the code of the job of one task, by its wildcards."""
    return lambda wildcards: code(script, kind=ASKED[wildcards.task].task)


@cache
def values(block, name, *without):
    """The values of an entry of the configuration, but for keys on which nothing depends that a rule makes."""
    entry = getattr(CONFIGURATION, block)[name]
    return entry.model_dump(mode="json", exclude=set(without))


# Shards change nothing, and the filter by similarity has a rule of its own.
APART = ("shards", "similarity")
DATASET_ENTRY = entry_params(
    "dataset",
    {name: values("datasets", name, *APART) for name in CONFIGURATION.datasets},
    lambda wildcards: wildcards.dataset,
)


def task_entry(deciding):
    """A task's entry, of which those keys count that a function of it gives."""
    entries = {
        name: entry.model_dump(mode="json", include=set(deciding(entry)))
        for name, entry in ASKED.items()
    }
    return entry_params("task", entries, lambda wildcards: wildcards.task)


def stage_entry(stage):
    """A stage's entry, as a rule's parameters."""
    entries = {stage: ASKED[stage].model_dump(mode="json")}
    return entry_params("task", entries, lambda wildcards: stage)


def one_of(names):
    """A wildcard's constraint to some names; none matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    dataset=one_of(CONFIGURATION.datasets),
    task=one_of(ASKED),
    model=one_of(CONFIGURATION.models),
