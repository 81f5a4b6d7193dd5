# Vectors of embedding models -> how similar problems in other words are to the originals.


rule compare_wordings:
    input:
        originals=originals_of,
        problems=lambda wildcards: reworded_of(wildcards.dataset),
        weights=weights_of,
        server=server_of,
    output:
        WORDING_FILE,
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
        providers=PROVIDERS,
        code=code("compare_wordings"),
    message:
        "Comparing the words of {wildcards.dataset} by {wildcards.model}"
    script:
        "../scripts/compare_wordings.py"


rule filter_problems:
    input:
        reworded=REWORDED,
        wordings=lambda wildcards: wordings_of(wildcards.dataset)[
            CONFIGURATION.datasets[wildcards.dataset].similarity.model
        ],
    output:
        f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    log:
        f"{RESULTS}/logs/filter_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(FILTERED),
    conda:
        "../../envs/core.yaml"
    params:
        least=lambda wildcards: CONFIGURATION.datasets[
            wildcards.dataset
        ].similarity.least,
        code=code("filter_problems"),
    message:
        "Refusing problems of {wildcards.dataset} that are too unlike their originals"
    script:
        "../scripts/filter_problems.py"
