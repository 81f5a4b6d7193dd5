# Source files -> sentences -> triples; or -> problems.


rule ingest_dataset:
    input:
        lambda wildcards: CONFIGURATION.datasets[wildcards.dataset].source_files,
    output:
        f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
    log:
        f"{RESULTS}/logs/ingest_dataset/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(CONFIGURATION.having("sentences")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=code("ingest_dataset"),
    message:
        "Reading the sentences of {wildcards.dataset}"
    script:
        "../scripts/ingest_dataset.py"


rule attach_ontology:
    input:
        sentences=f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
        ontology=lambda wildcards: CONFIGURATION.datasets[
            wildcards.dataset
        ].ontology_files,
    output:
        f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    log:
        f"{RESULTS}/logs/attach_ontology/{{dataset}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=code("attach_ontology"),
    message:
        "Attaching the ontology of {wildcards.dataset}"
    script:
        "../scripts/attach_ontology.py"


rule ingest_problems:
    input:
        lambda wildcards: CONFIGURATION.datasets[wildcards.dataset].source_files,
    output:
        f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    log:
        f"{RESULTS}/logs/ingest_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(CONFIGURATION.having("problems")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=code("ingest_problems"),
    message:
        "Reading the problems of {wildcards.dataset}"
    script:
        "../scripts/ingest_problems.py"
