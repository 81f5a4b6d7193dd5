# Scores -> examples to learn from, without tested problems -> adapters of local models.

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


rule export_training:
    input:
        item_files=files_in(LEARNT, "items"),
        responses=files_in(LEARNT, "responses"),
        scores=files_in(LEARNT, "scores"),
        common=files_in(COMMON, "scores"),
        tested=files_in(TESTED, "file"),
        prompts=lambda wildcards: templates(
            *sorted({TASKS[each["task"]].task for each in LEARNT[wildcards.training]})
        ),
    output:
        arrow=EXAMPLES,
        jsonl=f"{RESULTS}/training/{{training}}/examples.jsonl",
    log:
        f"{RESULTS}/logs/export_training/{{training}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **training_entry(TrainingEntry.DECIDES_EXAMPLES),
        answers=listed_in(LEARNT),
        common=listed_in(COMMON),
        tested=listed_in(TESTED),
        originals=json.dumps(
            {
                name: block.original or name
                for name, block in CONFIGURATION.datasets.items()
            }
        ),
        seed=CONFIGURATION.seed,
        prompts=lambda wildcards, input: str(Path(input.prompts[0]).parent),
        code=code("export_training"),
    message:
        "Gathering examples for {wildcards.training}"
    script:
        "../scripts/export_training.py"


rule train_adapter:
    input:
        examples=EXAMPLES,
        weights=lambda wildcards: (
            f"{RESULTS}/weights/{TRAININGS[wildcards.training].base}"
        ),
    output:
        adapter=directory(f"{RESULTS}/adapters/{{training}}"),
        losses=f"{RESULTS}/training/{{training}}/losses.arrow",
    log:
        f"{RESULTS}/logs/train_adapter/{{training}}.log",
    conda:
        inference_environment
    threads: cores
    resources:
        **{resource: stated(resource) for resource in PLACES},
        gpu=lambda wildcards: min(1, gpus(wildcards)),
        tasks=0,
        mem_mb=stated("mem_mb", 32_000),
        runtime=stated("runtime", 1_440),
    params:
        **training_entry(TrainingEntry.DECIDES_ADAPTER),
        **entry_params(
            "model",
            {
                name: deciding_values(training.learner)
                | training.learner.model_dump(
                    mode="json", include={"device", "thinking", "template"}
                )
                for name, training in TRAININGS.items()
            },
            lambda wildcards: wildcards.training,
        ),
        code=code("train_adapter"),
    message:
        "Training {wildcards.training}"
    script:
        "../scripts/train_adapter.py"
