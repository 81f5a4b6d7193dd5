# Scores -> examples to learn from, without tested problems -> adapters of local models.

from nlfol.data.entry import root_of


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
                name: root_of(CONFIGURATION.datasets, name)
                for name in CONFIGURATION.datasets
            }
        ),
        asked=json.dumps(ADEQUATE),
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
        mem_mb=stated("mem_mb", memory.TRAINING),
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
