# Items -> responses of embedding models: the similarities of their vectors.


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
        model=one_of(models_of("embedding", where=is_local)),
    priority: 1  # the longest jobs first, and what they wait for
    conda:
        inference_environment
    threads: cores
    resources:
        **PLACEMENT,
        gpu=gpus,
        # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
        tasks=0,
        mem_mb=stated("mem_mb", growing(memory.ASKING)),
        runtime=stated("runtime", 240),
    params:
        **MODEL_ENTRY,
        **ASKED_TASK,
        seed=CONFIGURATION.seed,
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        providers=PROVIDERS,
        code=task_code("ask_embedding"),
    message:
        "Comparing by {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_embedding.py"


use rule ask_embedding as ask_embedding_api with:
    log:
        f"{RESULTS}/logs/ask_embedding_api/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("embedding", where=is_remote)),
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
        model=one_of(models_of("embedding", where=is_served)),
    conda:
        "../../envs/api.yaml"
    threads: 0
    resources:
        **PLACEMENT,
        gpu=0,
        tasks=0,
        mem_mb=1_000,
        runtime=stated("runtime", 720),
