# Triples -> how large each item is, and how much of its meaning an equivalence check sees.

MEASURES = f"{RESULTS}/datasets/{{dataset}}/measures.arrow"


rule measure_items:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
        parts=parts_of(MEASURES),
    output:
        MEASURES,
    log:
        f"{RESULTS}/logs/measure_items/{{dataset}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=240,
    params:
        sensitivity=lambda wildcards: CONFIGURATION.datasets[
            wildcards.dataset
        ].edits_tried,
        # Another seed draws other edits, and changes nothing where there are none.
        seed=lambda wildcards: (
            CONFIGURATION.seed
            if CONFIGURATION.datasets[wildcards.dataset].edits_tried
            else 0
        ),
        code=code("measure_items"),
    message:
        "Measuring the items of {wildcards.dataset}"
    script:
        "../scripts/measure_items.py"


use rule measure_items as measure_items_part with:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    output:
        temp(part_file(MEASURES)),
    log:
        f"{RESULTS}/logs/measure_items/{{dataset}}/{{scatteritem}}.log",
    message:
        "Measuring the items of {wildcards.dataset}, {wildcards.scatteritem}"
