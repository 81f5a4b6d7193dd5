# The answers that trainings learn from, the models that learn, and files that depend on them.

import json
from types import SimpleNamespace

from nlfol.training.entry import TrainingEntry

TRAININGS = CONFIGURATION.trainings
EXAMPLES = f"{RESULTS}/training/{{training}}/examples.arrow"


wildcard_constraints:
    training=one_of(TRAININGS.entries),


def answers_learnt(name):
    """Return the files of the answers that a training learns from, with the dataset, task and model of each."""
    return [
        {
            "dataset": source.dataset,
            "task": source.task,
            "model": learnt,
            "items": f"{RESULTS}/items/{source.dataset}/{source.task}.arrow",
            **{
                stage: f"{RESULTS}/{stage}/{source.dataset}/{source.task}/{learnt}.arrow"
                for stage in ["responses", "scores"]
            },
        }
        for source in TRAININGS.entries[name].sources
        for learnt in source.models
    ]


def common_answers(wildcards):
    """Return those of the training with which a training has its items in common."""
    other = TRAININGS.entries[wildcards.training].common
    return answers_learnt(other) if other else []


def as_sources(answers):
    """Return files of answers as JSON, with the entries of their tasks."""
    return json.dumps(
        [{**each, "entry_json": task_json(each["task"])} for each in answers]
    )


def files_learnt(stage):
    """Return the files of one stage that a training learns from."""
    return lambda wildcards: list(
        dict.fromkeys(each[stage] for each in answers_learnt(wildcards.training))
    )


def tested_by(name):
    """Return the datasets of which a training learns nothing, each with its file."""
    problems = CONFIGURATION.having("problems")
    return [
        {
            "dataset": dataset,
            "file": f"{RESULTS}/datasets/{dataset}/{'problems' if dataset in problems else 'triples'}.arrow",
            "holds_problems": dataset in problems,
        }
        for dataset in TRAININGS.tested(name)
    ]


def task_json(name):
    """Return a task's entry without the keys that only select jobs."""
    entry = TASKS[name]
    return entry.model_dump_json(exclude=set(entry.NARROWS))


def training_entry(deciding):
    """Return some keys of a training's entry as a rule's parameters."""
    entries = {
        name: entry.model_dump(mode="json", by_alias=False, include=set(deciding))
        for name, entry in TRAININGS.entries.items()
    }
    return entry_params("training", entries, lambda wildcards: wildcards.training)


def trained_adapter_of(wildcards):
    """Return the adapter of a model, where the experiment trains it."""
    trained = getattr(model(wildcards), "trained", None)
    return f"{RESULTS}/adapters/{trained}" if trained else []


# The training and the base of each model with an adapter that is trained here.
TRAINED = {
    name: [entry.trained, TRAININGS.base(entry.trained)]
    for name, entry in CONFIGURATION.models.items()
    if getattr(entry, "trained", None)
}


def files_of_trained(stage, jobs):
    """Return a stage's files of those jobs whose models have trained adapters or are their bases."""
    compared = {*TRAINED, *(base for _, base in TRAINED.values())}
    return files_of_jobs(stage, [job for job in jobs if job[2] in compared])


def base_of(wildcards):
    """Return the name of the model that a training trains."""
    return TRAININGS.base(wildcards.training)


def base_values(training):
    """Return the values of the trained model's entry that its adapter depends on."""
    entry = CONFIGURATION.models[TRAININGS.base(training)]
    prompting = entry.model_dump(
        mode="json", include={"device", "thinking", "template"}
    )
    return {**deciding_values(entry), **prompting}


def as_model(wildcards):
    """Return wildcards of the trained model for functions of a model's jobs."""
    return SimpleNamespace(model=base_of(wildcards))


def for_training(resource, otherwise=None):
    """Return a resource as the training's entry states it, else the rule, else the entry of the trained model."""

    def value(wildcards):
        found = getattr(TRAININGS.entries[wildcards.training].resources, resource)
        if found is None:
            found = otherwise or stated(resource)(as_model(wildcards))
        return found

    return value


def training_cores(wildcards):
    """Return the CPU cores of a training."""
    return TRAININGS.entries[wildcards.training].resources.threads or cores(
        as_model(wildcards)
    )


def training_gpus(wildcards):
    """Return the GPUs of a training: one, where the model has any."""
    found = TRAININGS.entries[wildcards.training].resources.gpu
    return min(1, gpus(as_model(wildcards)) if found is None else found)


def training_environment(wildcards):
    """Return the environment of a training."""
    return inference_environment(as_model(wildcards))
