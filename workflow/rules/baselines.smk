# Items -> responses without asking a model: answers from a file, references and guessers.

import json


rule answer_from_file:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        answers=answers_file,
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_from_file/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("answers")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        # As text, which a reason for a rerun shows in one line.
        jobs=lambda wildcards: json.dumps(
            [
                job[:2]
                for job in CONFIGURATION.jobs("answers")
                if job[2] == wildcards.model
            ]
        ),
        code=task_code("answer_from_file"),
    message:
        "Reading the answers of {wildcards.model} to {wildcards.task} on {wildcards.dataset} from a file"
    script:
        "../scripts/answer_from_file.py"


rule answer_by_reference:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_by_reference/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of(*REFERENCES)),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        code=task_code("answer_by_reference"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} as {wildcards.model}"
    script:
        "../scripts/answer_by_reference.py"


rule answer_by_chance:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_by_chance/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of(*GUESSERS)),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        code=task_code("answer_by_reference"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} as {wildcards.model}"
    script:
        "../scripts/answer_by_reference.py"
