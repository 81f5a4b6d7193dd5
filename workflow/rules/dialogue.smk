# Items -> responses of dialogue models, one job a model, dataset and task.

ANSWERS_OF_ONE = f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow"


rule ask_chat:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        prompts=lambda wildcards: templates(ASKED[wildcards.task].task),
        weights=weights_of,
        server=server_of,
    output:
        ANSWERS_OF_ONE,
    log:
        f"{RESULTS}/logs/ask_chat/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=one_job(is_local))),
    priority: 1  # the longest jobs first, and what they wait for
    conda:
        inference_environment
    threads: cores
    resources:
        **PLACEMENT,
        gpu=gpus,
        # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
        tasks=0,
        # Not growing: an attempt ends by its time limit more often, and may then ask for more than any node has.
        mem_mb=stated("mem_mb", memory.ASKING),
        runtime=stated("runtime", 720),
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        prompts=lambda wildcards, input: str(Path(input.prompts[0]).parent),
        journal=lambda wildcards: str(journal_of(wildcards)),
        sharers=f"{CONFIGURATION.journal}/.sharers",
        providers=PROVIDERS,
        # Grows when a run ends with failed requests, which the next run then asks again.
        failures=lambda wildcards: failures_seen(journal_of(wildcards)),
        code=task_code("ask_chat"),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_chat.py"


use rule ask_chat as ask_api with:
    log:
        f"{RESULTS}/logs/ask_api/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=one_job(is_remote))),
    conda:
        "../../envs/api.yaml"
    threads: 1
    resources:
        **PLACEMENT,
        gpu=0,
        mem_mb=stated("mem_mb", 4_000),
        # A batch may take a day.
        runtime=stated(
            "runtime",
            lambda wildcards, attempt: 1_500 if model(wildcards).batch else 720,
        ),


use rule ask_chat as ask_served with:
    log:
        f"{RESULTS}/logs/ask_served/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=one_job(is_served))),
    conda:
        "../../envs/api.yaml"
    # Snakemake runs all that ask a server at once, and would need a core for each.
    threads: 0
    resources:
        **PLACEMENT,
        gpu=0,
        tasks=0,
        mem_mb=1_000,
        runtime=stated("runtime", 720),
