# Source files -> sentences -> triples, or source files -> problems.

SENTENCES = f"{RESULTS}/datasets/{{dataset}}/sentences.arrow"
TRIPLES = f"{RESULTS}/datasets/{{dataset}}/triples.arrow"
ADEQUATE = [
    name for name, block in CONFIGURATION.datasets.items() if block.reader == "adequate"
]


rule ingest_dataset:
    input:
        source_files,
        parts=drawn_parts_of(SENTENCES),
    output:
        SENTENCES,
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
        code=dataset_code("ingest_dataset"),
    message:
        "Reading the sentences of {wildcards.dataset}"
    script:
        "../scripts/ingest_dataset.py"


use rule ingest_dataset as ingest_dataset_part with:
    input:
        source_files,
    output:
        temp(part_file(SENTENCES)),
    log:
        f"{RESULTS}/logs/ingest_dataset/{{dataset}}/{{scatteritem}}.log",
    message:
        "Generating the sentences of {wildcards.dataset}, {wildcards.scatteritem}"


rule attach_ontology:
    input:
        sentences=SENTENCES,
        ontology=lambda wildcards: here(
            CONFIGURATION.datasets[wildcards.dataset].ontology_files
        ),
        parts=drawn_parts_of(TRIPLES),
    output:
        TRIPLES,
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
        code=dataset_code("attach_ontology"),
    message:
        "Attaching the ontology of {wildcards.dataset}"
    script:
        "../scripts/attach_ontology.py"


use rule attach_ontology as attach_ontology_part with:
    input:
        sentences=SENTENCES,
        ontology=lambda wildcards: here(
            CONFIGURATION.datasets[wildcards.dataset].ontology_files
        ),
    output:
        temp(part_file(TRIPLES)),
    log:
        f"{RESULTS}/logs/attach_ontology/{{dataset}}/{{scatteritem}}.log",
    message:
        "Attaching the ontology of {wildcards.dataset}, {wildcards.scatteritem}"


rule ingest_problems:
    input:
        source_files,
    output:
        f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    log:
        f"{RESULTS}/logs/ingest_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(
            name
            for name in CONFIGURATION.having("problems", diversified=False)
            if name not in ADEQUATE
        ),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=dataset_code("ingest_problems"),
    message:
        "Reading the problems of {wildcards.dataset}"
    script:
        "../scripts/ingest_problems.py"


rule diversify_problems:
    input:
        source_files,
        source=originals_of,
    output:
        f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    log:
        f"{RESULTS}/logs/diversify_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(reworded_by("audited", filtered=False)),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=dataset_code("diversify_problems"),
    message:
        "Rewording the problems of {wildcards.dataset}"
    script:
        "../scripts/diversify_problems.py"


use rule diversify_problems as diversify_problems_to_filter with:
    output:
        REWORDED,
    log:
        f"{RESULTS}/logs/diversify_problems_to_filter/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(reworded_by("audited", filtered=True)),
