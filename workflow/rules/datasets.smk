# Source files -> sentences -> triples.


# What is generated depends on the experiment's seed; what is read does not.
def drawing_seed(wildcards):
    drawn = CONFIGURATION.datasets[wildcards.dataset].reader == "grammar"
    return CONFIGURATION.seed if drawn else None


rule ingest_dataset:
    input:
        lambda wildcards: CONFIGURATION.datasets[wildcards.dataset].source_files,
    output:
        f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
    log:
        f"{RESULTS}/logs/ingest_dataset/{{dataset}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=drawing_seed,
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
        seed=drawing_seed,
        code=code("attach_ontology"),
    message:
        "Attaching the ontology of {wildcards.dataset}"
    script:
        "../scripts/attach_ontology.py"
