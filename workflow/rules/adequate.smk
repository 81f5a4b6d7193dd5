# Questions about the stories of a dataset that notice every edit.


rule adequate_problems:
    input:
        source_files,
        source=originals_of,
    output:
        f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        mutants=f"{RESULTS}/datasets/{{dataset}}/mutants.arrow",
    log:
        f"{RESULTS}/logs/adequate_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(ADEQUATE),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=240,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=dataset_code("adequate_problems"),
    message:
        "Choosing questions about the stories of {wildcards.dataset}"
    script:
        "../scripts/adequate_problems.py"
