# Reworded problems -> an audit of their meaning.


rule audit_problems:
    input:
        shipped("resources/lexicon/problems.yaml"),
        shipped("resources/lexicon/diversified.yaml"),
        lambda wildcards: CONFIGURATION.datasets[wildcards.dataset].read_from,
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
        wordnet=lambda wildcards: CONFIGURATION.datasets[wildcards.dataset].wordnet,
        code=code("audit_problems"),
    message:
        "Reading back the problems of {wildcards.dataset}"
    script:
        "../scripts/audit_problems.py"
