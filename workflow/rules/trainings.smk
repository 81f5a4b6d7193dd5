# What trainings learn from, by which models, and what depends on them.

from types import SimpleNamespace

from nlfol.training.entry import TrainingEntry

TRAININGS = CONFIGURATION.trainings
EXAMPLES = f"{RESULTS}/training/{{training}}/examples.arrow"


wildcard_constraints:
    training=one_of(TRAININGS.entries),


def answers_learnt(name):
    """The files of the answers that a training learns from, with the dataset, task and model of each."""
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


def files_learnt(stage):
    """Those of one stage."""
    return lambda wildcards: list(
        dict.fromkeys(each[stage] for each in answers_learnt(wildcards.training))
    )


def tested_by(name):
    """The datasets of which a training learns nothing, each with its file."""
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
    """A task's entry, of which those keys count that its requests, or what is learnt of answers, depend on."""
    entry = TASKS[name]
    return entry.model_dump_json(exclude=set(entry.NARROWS))


def training_entry(deciding):
    """A training's entry, of which those keys count that are named."""
    return entry_params(
        "training",
        TrainingEntry,
        lambda wildcards: TRAININGS.entries[wildcards.training].model_dump(
            mode="json", by_alias=False, include=set(deciding)
        ),
    )


def trained_adapter_of(wildcards):
    """The adapter of a model, where the experiment trains it."""
    trained = getattr(model(wildcards), "trained", None)
    return f"{RESULTS}/adapters/{trained}" if trained else []


# The training and the base of each model with an adapter that is trained here.
TRAINED = {
    name: [entry.trained, TRAININGS.base(entry.trained)]
    for name, entry in CONFIGURATION.models.items()
    if getattr(entry, "trained", None)
}


def files_of_trained(stage, jobs):
    """A stage's files of some jobs, of models with trained adapters and of their bases."""
    compared = {*TRAINED, *(base for _, base in TRAINED.values())}
    return files_of_jobs(stage, [job for job in jobs if job[2] in compared])


def base_of(wildcards):
    """The name of the model that a training trains."""
    return TRAININGS.base(wildcards.training)


def base_values(wildcards):
    """Of the entry of the model that is trained, what its adapter depends on."""
    entry = CONFIGURATION.models[base_of(wildcards)]
    prompting = entry.model_dump(
        mode="json", include={"device", "thinking", "template"}
    )
    return {**deciding_values(entry), **prompting}


def as_model(wildcards):
    """What the functions of a model's jobs take for its wildcards."""
    return SimpleNamespace(model=base_of(wildcards))


def for_training(resource, otherwise=None):
    """What a training's entry states of a resource, else the rule, else what is said of the model that it trains."""

    def value(wildcards):
        found = getattr(TRAININGS.entries[wildcards.training].resources, resource)
        if found is None:
            found = otherwise or stated(resource)(as_model(wildcards))
        return found

    return value


def training_cores(wildcards):
    """CPU cores of a training."""
    return TRAININGS.entries[wildcards.training].resources.threads or cores(
        as_model(wildcards)
    )


def training_gpus(wildcards):
    """GPUs of a training: one, where the model has any."""
    found = TRAININGS.entries[wildcards.training].resources.gpu
    return min(1, gpus(as_model(wildcards)) if found is None else found)


def training_environment(wildcards):
    """The environment of a training."""
    return inference_environment(as_model(wildcards))
