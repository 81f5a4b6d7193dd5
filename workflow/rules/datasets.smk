# Source files -> sentences -> triples.


rule ingest_dataset:
    input:
        lambda wildcards: existing(CONFIGURATION.datasets[wildcards.dataset].path),
    output:
        f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
    conda:
        "../../envs/core.yaml"
    params:
        specification=lambda wildcards: as_json(
            CONFIGURATION.datasets[wildcards.dataset]
        ),
        code=code("sentences"),
    message:
        "Reading the sentences of {wildcards.dataset}"
    script:
        "../scripts/ingest_dataset.py"


rule attach_ontology:
    input:
        sentences=f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
        ontology=lambda wildcards: existing(
            CONFIGURATION.datasets[wildcards.dataset].ontology
        ),
    output:
        f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    conda:
        "../../envs/core.yaml"
    params:
        specification=lambda wildcards: as_json(
            CONFIGURATION.datasets[wildcards.dataset]
        ),
        code=code("triples"),
    message:
        "Attaching the ontology of {wildcards.dataset}"
    script:
        "../scripts/attach_ontology.py"
