# Problems reworded as published: lexica and a model propose, an embedding model compares, a third model picks.


rule seek_rewrites:
    input:
        source_files,
        source=originals_of,
    output:
        lexical=f"{PROPOSED}/lexical.arrow",
        statements=f"{RESULTS}/items/{{dataset}}/{REWRITING}.arrow",
    log:
        f"{RESULTS}/logs/seek_rewrites/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(CONFIGURATION.diversified("paper")),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        **stage_entry(REWRITING),
        code=dataset_code("seek_rewrites"),
    message:
        "Looking up synonyms for the problems of {wildcards.dataset}"
    script:
        "../scripts/seek_rewrites.py"


# One job for all that lies between the answers of both models: vectors are kept, so whatever changes, none is paid again.
rule offer_rewrites:
    input:
        originals=originals_of,
        lexical=f"{PROPOSED}/lexical.arrow",
        items_file=f"{RESULTS}/items/{{dataset}}/{REWRITING}.arrow",
        responses=answers_of(REWRITING),
        weights=weights_of,
        server=server_of,
    output:
        proposals=f"{PROPOSED}/proposals.arrow",
        similarities=f"{PROPOSED}/similarities.arrow",
        offered=f"{RESULTS}/items/{{dataset}}/{ASSEMBLING}.arrow",
    log:
        f"{RESULTS}/logs/offer_rewrites/{{dataset}}.log",
    conda:
        encoding_environment
    threads: encoding_cores
    resources:
        **ENCODING,
    params:
        **DATASET_ENTRY,
        **stage_entry(ASSEMBLING),
        **MODEL_ENTRY,
        model=name_of_model,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        providers=PROVIDERS,
        code=dataset_code("offer_rewrites"),
    message:
        "Choosing candidate sentences for {wildcards.dataset} by {params.model}"
    script:
        "../scripts/offer_rewrites.py"


rule assemble_problems:
    input:
        originals=originals_of,
        proposals=f"{PROPOSED}/proposals.arrow",
        similarities=f"{PROPOSED}/similarities.arrow",
        items_file=f"{RESULTS}/items/{{dataset}}/{ASSEMBLING}.arrow",
        responses=answers_of(ASSEMBLING),
    output:
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        choices=f"{PROPOSED}/choices.arrow",
    log:
        f"{RESULTS}/logs/assemble_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(reworded_by("paper", filtered=False)),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        **DATASET_ENTRY,
        seed=lambda wildcards: CONFIGURATION.drawing_seed(wildcards.dataset),
        code=dataset_code("assemble_problems"),
    message:
        "Assembling the problems of {wildcards.dataset}"
    script:
        "../scripts/assemble_problems.py"


use rule assemble_problems as assemble_problems_to_filter with:
    output:
        problems=REWORDED,
        choices=f"{PROPOSED}/choices.arrow",
    log:
        f"{RESULTS}/logs/assemble_problems_to_filter/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(reworded_by("paper", filtered=True)),
