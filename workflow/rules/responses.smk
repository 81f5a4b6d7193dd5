# Candidates -> responses, one job a model, dataset and task.

PROMPTS = shipped("resources/prompts")


def templates(*kinds):
    """The templates of some kinds of tasks, after the one that all share."""
    return [
        f"{PROMPTS}/symbols.jinja",
        *(
            f"{PROMPTS}/{kind}/{path.name}"
            for kind in kinds
            for path in sorted(Path(PROMPTS, kind).glob("*.jinja"))
        ),
    ]


TEMPLATES = templates(*sorted({entry.task for entry in TASKS.values()}))


rule materialise_model:
    output:
        directory(f"{RESULTS}/weights/{{model}}"),
    log:
        f"{RESULTS}/logs/materialise_model/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_local, CONFIGURATION.models)),
    conda:
        "../../envs/inference-cpu.yaml"
    resources:
        mem_mb=stated("mem_mb", growing(16_000)),
        runtime=240,
    params:
        entry=weights_entry_of,
        stamp=stamp_of,
        code=code("weights", "materialise_model"),
    message:
        "Preparing the weights of {wildcards.model}"
    script:
        "../scripts/materialise_model.py"


rule ask_chat:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        prompts=lambda wildcards: templates(TASKS[wildcards.task].task),
        weights=weights_of,
        server=server_of,
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/ask_chat/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_local, models_of("chat"))),
    conda:
        inference_environment
    threads: cores
    resources:
        **PLACEMENT,
        gpu=gpus,
        gpu_model=stated("gpu_model"),
        # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
        tasks=0,
        # Not growing: an attempt ends by its time limit more often, and may then ask for more than any node has.
        mem_mb=stated("mem_mb", 16_000),
        runtime=stated("runtime", 720),
    params:
        entry=entry_of,
        task=task_of,
        seed=CONFIGURATION.seed,
        prompts=lambda wildcards, input: str(Path(input.prompts[0]).parent),
        journal=lambda wildcards: str(journal_of(wildcards)),
        sharers=f"{CONFIGURATION.journal}/.sharers",
        prices=PRICES,
        # Grows when a run ends with failed requests, which the next run then asks again.
        failures=failures_of,
        code=code("responses", "ask_chat"),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_chat.py"


use rule ask_chat as ask_api with:
    log:
        f"{RESULTS}/logs/ask_api/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_remote, models_of("chat"))),
    conda:
        "../../envs/api.yaml"
    threads: 1
    resources:
        **PLACEMENT,
        gpu=batch_gpus,
        mem_mb=stated("mem_mb", 4_000),
        # A batch may take a day.
        runtime=stated(
            "runtime",
            lambda wildcards, attempt: 1_500 if in_batches(wildcards.model) else 720,
        ),


use rule ask_chat as ask_served with:
    log:
        f"{RESULTS}/logs/ask_served/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_served, models_of("chat"))),
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


rule ask_embedding:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        weights=weights_of,
        server=server_of,
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/ask_embedding/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_local, models_of("embedding"))),
    conda:
        inference_environment
    threads: cores
    resources:
        **PLACEMENT,
        gpu=gpus,
        gpu_model=stated("gpu_model"),
        # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
        tasks=0,
        mem_mb=stated("mem_mb", growing(16_000)),
        runtime=stated("runtime", 240),
    params:
        entry=entry_of,
        task=task_of,
        seed=CONFIGURATION.seed,
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        prices=PRICES,
        code=code("responses", "ask_embedding"),
    message:
        "Comparing by {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_embedding.py"


use rule ask_embedding as ask_embedding_api with:
    log:
        f"{RESULTS}/logs/ask_embedding_api/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_remote, models_of("embedding"))),
    conda:
        "../../envs/api.yaml"
    threads: 1
    resources:
        **PLACEMENT,
        gpu=0,
        mem_mb=stated("mem_mb", 4_000),
        runtime=stated("runtime", 720),


use rule ask_embedding as ask_embedding_served with:
    log:
        f"{RESULTS}/logs/ask_embedding_served/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_served, models_of("embedding"))),
    conda:
        "../../envs/api.yaml"
    threads: 0
    resources:
        **PLACEMENT,
        gpu=0,
        tasks=0,
        mem_mb=1_000,
        runtime=stated("runtime", 720),


rule answer_by_reading:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_by_reading/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("reader")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        entry=entry_of,
        task=task_of,
        seed=CONFIGURATION.seed,
        code=code("reading", "answer_by_reading"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} by reading the candidates"
    script:
        "../scripts/answer_by_reading.py"


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
        entry=entry_of,
        task=task_of,
        seed=CONFIGURATION.seed,
        code=code("chance", "answer_by_chance"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} by chance"
    script:
        "../scripts/answer_by_chance.py"
