# Items -> responses of what is no language model.


rule answer_by_reference:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_by_reference/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("reader", "surface", "echo", "constant", "drifting", "merging")),
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
        model=one_of(models_of("chance")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        code=task_code("answer_by_chance"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} by chance"
    script:
        "../scripts/answer_by_chance.py"
