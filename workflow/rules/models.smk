# What the jobs of a model need of its entry; and its weights, where they are loaded here.

from nlfol.models.entries.embedding import vectors_folder
from nlfol.models.entries.model import ModelEntry, is_local, is_remote, is_served
from nlfol.models.journal.failures import failures_seen
from nlfol.models.local.materialisation import deciding_values, latest_stamp

# Without what only says where and for how long its jobs may run.
MODEL_ENTRY = entry_params(
    "model",
    ModelEntry,
    lambda wildcards: values("models", wildcards.model, "resources"),
)


# Without what only decides which jobs there are, and how answers are judged.
ASKED_TASK = task_entry(
    lambda entry: type(entry).model_fields.keys()
    - entry.NARROWS
    - (entry.DECIDES_SCORES - {"task"})
)


def model(wildcards):
    """A job's model: its entry."""
    return CONFIGURATION.models[wildcards.model]


def models_of(*kinds, where=lambda entry: True):
    """The names of the models of some kinds, of those that a test of their entries holds for."""
    return [
        name
        for name, entry in CONFIGURATION.models.items()
        if entry.kind in kinds and where(entry)
    ]


def local_models():
    """The names of the models whose weights are loaded here."""
    return models_of("chat", "embedding", where=is_local)


def weights_of(wildcards):
    """The materialised model, where there is one to load."""
    return f"{RESULTS}/weights/{wildcards.model}" if is_local(model(wildcards)) else []


def server_of(wildcards):
    """The service file of a model's server, where the workflow starts one."""
    served = is_served(model(wildcards))
    return f"{RESULTS}/servers/{wildcards.model}.json" if served else []


def journal_of(wildcards):
    """Where a job's answers are kept."""
    return Path(
        CONFIGURATION.journal,
        wildcards.model,
        f"{wildcards.dataset}.{wildcards.task}.jsonl",
    )


def vectors_of(wildcards):
    """Where a job's vectors are kept."""
    job = f"{wildcards.dataset}.{wildcards.task}"
    return str(vectors_folder(Path(CONFIGURATION.journal), model(wildcards), job))


rule materialise_model:
    output:
        directory(f"{RESULTS}/weights/{{model}}"),
    log:
        f"{RESULTS}/logs/materialise_model/{{model}}.log",
    wildcard_constraints:
        model=one_of(local_models()),
    conda:
        "../../envs/inference-cpu.yaml"
    resources:
        mem_mb=stated("mem_mb", growing(16_000)),
        runtime=240,
    params:
        **entry_params(
            "model", ModelEntry, lambda wildcards: deciding_values(model(wildcards))
        ),
        # What tells weights at a path apart without reading them.
        stamp=lambda wildcards: latest_stamp(
            model(wildcards), Path(weights_of(wildcards))
        ),
        code=code("materialise_model"),
    message:
        "Preparing the weights of {wildcards.model}"
    script:
        "../scripts/materialise_model.py"
