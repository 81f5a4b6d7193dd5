# What the jobs of a training need of its entry.

import json

from nlfol.training.entry import TrainingEntry

TRAININGS = CONFIGURATION.trainings
EXAMPLES = f"{RESULTS}/training/{{training}}/examples.arrow"


wildcard_constraints:
    training=one_of(TRAININGS),


def learnt_by(training):
    """Return the files of the answers that a training learns from, with the entry of their task."""
    return [
        {
            **dict(zip(["dataset", "task", "model"], job)),
            "items": files_of_pairs("items", [job[:2]])[0],
            "responses": files_of_jobs("responses", [job])[0],
            "scores": files_of_jobs("scores", [job])[0],
            # Without the keys that only select jobs.
            "entry_json": as_json(TASKS[job[1]], without=TASKS[job[1]].NARROWS),
        }
        for job in TRAININGS[training].entry.learnt
    ]


LEARNT = {name: learnt_by(name) for name in TRAININGS}
# Of the training that one has its items in common with.
COMMON = {
    name: LEARNT.get(training.entry.common, []) for name, training in TRAININGS.items()
}
TESTED = {
    name: [
        {"dataset": dataset, "file": file_of_dataset, "holds_problems": problems}
        for dataset in training.tested
        for problems in [dataset in CONFIGURATION.having("problems")]
        for file_of_dataset in [
            f"{RESULTS}/datasets/{dataset}/{'problems' if problems else 'triples'}.arrow"
        ]
    ]
    for name, training in TRAININGS.items()
}


def files_in(named, key):
    """Return the files under a key of what a training reads, each once, by its wildcard."""
    return lambda wildcards: list(
        dict.fromkeys(each[key] for each in named[wildcards.training])
    )


def listed_in(named):
    """Return what a training reads as JSON, by its wildcard."""
    return lambda wildcards: json.dumps(named[wildcards.training])


def training_entry(deciding):
    """Return some keys of a training's entry as a rule's parameters."""
    entries = {
        name: training.entry.model_dump(
            mode="json", by_alias=False, include=set(deciding)
        )
        for name, training in TRAININGS.items()
    }
    return entry_params("training", entries, lambda wildcards: wildcards.training)


# The training and the base of each model with an adapter that is trained here.
TRAINED = {
    name: [entry.trained, TRAININGS[entry.trained].base]
    for name, entry in CONFIGURATION.models.items()
    if getattr(entry, "trained", None)
}


def files_of_trained(stage, jobs):
    """Return a stage's files of those jobs whose models have trained adapters or are their bases."""
    compared = {*TRAINED, *(base for _, base in TRAINED.values())}
    return files_of_jobs(stage, [job for job in jobs if job[2] in compared])
