# Scores -> examples to learn from, without tested problems -> adapters of local models.

import json


rule export_training:
    input:
        item_files=files_learnt("items"),
        responses=files_learnt("responses"),
        scores=files_learnt("scores"),
        common=lambda wildcards: [each["scores"] for each in common_answers(wildcards)],
        tested=lambda wildcards: [
            each["file"] for each in tested_by(wildcards.training)
        ],
        prompts=lambda wildcards: templates(
            *sorted(
                {
                    TASKS[each["task"]].task
                    for each in answers_learnt(wildcards.training)
                }
            )
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
        answers=lambda wildcards: as_sources(answers_learnt(wildcards.training)),
        common=lambda wildcards: as_sources(common_answers(wildcards)),
        tested=lambda wildcards: json.dumps(tested_by(wildcards.training)),
        originals=lambda wildcards: json.dumps(
            {name: TRAININGS.original(name) for name in CONFIGURATION.datasets}
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
        weights=lambda wildcards: f"{RESULTS}/weights/{base_of(wildcards)}",
    output:
        adapter=directory(f"{RESULTS}/adapters/{{training}}"),
        losses=f"{RESULTS}/training/{{training}}/losses.arrow",
    log:
        f"{RESULTS}/logs/train_adapter/{{training}}.log",
    conda:
        training_environment
    threads: training_cores
    resources:
        **{resource: for_training(resource) for resource in PLACES},
        gpu=training_gpus,
        tasks=0,
        mem_mb=for_training("mem_mb", 32_000),
        runtime=for_training("runtime", 1_440),
    params:
        **training_entry(TrainingEntry.DECIDES_ADAPTER),
        **entry_params(
            "model",
            {name: base_values(name) for name in TRAININGS.entries},
            lambda wildcards: wildcards.training,
        ),
        code=code("train_adapter"),
    message:
        "Training {wildcards.training}"
    script:
        "../scripts/train_adapter.py"
