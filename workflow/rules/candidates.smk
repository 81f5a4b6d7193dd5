# Triples -> candidate sets, certified -> their audit.


rule build_candidates:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    output:
        f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
    log:
        f"{RESULTS}/logs/build_candidates/{{dataset}}/{{task}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        specification=lambda wildcards: as_json(TASKS[wildcards.task]),
        seed=CONFIGURATION.seed,
        code=code("candidates", "build_candidates"),
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/build_candidates.py"


rule audit_candidates:
    input:
        candidates=f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/audits/{{dataset}}/{{task}}.arrow",
    log:
        f"{RESULTS}/logs/audit_candidates/{{dataset}}/{{task}}.log",
    wildcard_constraints:
        task=one_of(AUDITED),
    conda:
        "../../envs/core.yaml"
    params:
        code=code("audits", "audit_candidates"),
    message:
        "Auditing the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/audit_candidates.py"
