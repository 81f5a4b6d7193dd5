# Vectors of embedding models -> how similar problems in other words, and what is proposed for them, are to the originals.

WORDINGS = f"{PROPOSED}/wordings/{{model}}.arrow"


def encoding_environment(wildcards):
    """The environment of a job that compares by an embedding model, wherever that runs."""
    return (
        inference_environment(wildcards)
        if is_local(model(wildcards))
        else "../../envs/api.yaml"
    )


def encoding_cores(wildcards):
    """Its cores: none at a server, as Snakemake runs all that ask it at once."""
    if is_served(model(wildcards)):
        return 0
    return cores(wildcards) if is_local(model(wildcards)) else 1


ENCODING = {
    **PLACEMENT,
    "gpu": lambda wildcards: gpus(wildcards) if is_local(model(wildcards)) else 0,
    "gpu_model": stated("gpu_model"),
    # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
    "tasks": 0,
    "mem_mb": stated(
        "mem_mb",
        lambda wildcards, attempt: (
            16_000 * attempt if is_local(model(wildcards)) else 4_000
        ),
    ),
    "runtime": stated("runtime", 720),
}


rule compare_rewrites:
    input:
        problems=originals_of,
        proposals=f"{PROPOSED}/proposals.arrow",
        weights=weights_of,
        server=server_of,
    output:
        f"{PROPOSED}/similarities/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/compare_rewrites/{{dataset}}/{{model}}.log",
    conda:
        encoding_environment
    threads: encoding_cores
    resources:
        **ENCODING,
    params:
        **MODEL_ENTRY,
        threshold=lambda wildcards: (
            CONFIGURATION.datasets[wildcards.dataset].filter.threshold
        ),
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        prices=PRICES,
        code=code("compare_rewrites"),
    message:
        "Comparing rewrites of {wildcards.dataset} by {wildcards.model}"
    script:
        "../scripts/compare_rewrites.py"


rule compare_wordings:
    input:
        originals=originals_of,
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        weights=weights_of,
        server=server_of,
    output:
        WORDINGS,
    log:
        f"{RESULTS}/logs/compare_wordings/{{dataset}}/{{model}}.log",
    conda:
        encoding_environment
    threads: encoding_cores
    resources:
        **ENCODING,
    params:
        **MODEL_ENTRY,
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        prices=PRICES,
        code=code("compare_wordings"),
    message:
        "Comparing the words of {wildcards.dataset} by {wildcards.model}"
    script:
        "../scripts/compare_wordings.py"
