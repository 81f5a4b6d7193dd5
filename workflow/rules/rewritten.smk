# Problems in other words -> what became of their meaning, and what there is to say of the rewrites.

import json


localrules:
    aggregate_rewrites,


rule audit_problems:
    input:
        shipped("resources/lexicon/problems.yaml"),
        shipped("resources/lexicon/diversified.yaml"),
        originals=originals_of,
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    output:
        AUDITED,
    log:
        f"{RESULTS}/logs/audit_problems/{{dataset}}.log",
    wildcard_constraints:
        dataset=one_of(CONFIGURATION.diversified()),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        code=code("audit_problems"),
    message:
        "Reading the problems of {wildcards.dataset} back"
    script:
        "../scripts/audit_problems.py"


rule aggregate_rewrites:
    input:
        [
            path
            for dataset in CONFIGURATION.diversified()
            for path in [
                *files_of_diversified(dataset).values(),
                *wordings_of(dataset).values(),
            ]
        ],
    output:
        rewrites=f"{RESULTS}/tables/rewrites.arrow",
        similarity=f"{RESULTS}/tables/similarity.arrow",
    log:
        f"{RESULTS}/logs/aggregate_rewrites.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=json.dumps(
            {
                dataset: {
                    **files_of_diversified(dataset),
                    "protocol": CONFIGURATION.datasets[dataset].protocol,
                    "wordings": wordings_of(dataset),
                }
                for dataset in CONFIGURATION.diversified()
            }
        ),
        code=code("aggregate_rewrites"),
    message:
        "Counting rewrites"
    script:
        "../scripts/aggregate_rewrites.py"
