# Triples -> candidate sets, certified -> their audit.

CANDIDATE_SETS = f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow"
AUDITS = f"{RESULTS}/audits/{{dataset}}/{{task}}.arrow"


rule build_candidates:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
        parts=parts_of("build_candidates", CANDIDATE_SETS),
    output:
        CANDIDATE_SETS,
    log:
        f"{RESULTS}/logs/build_candidates/{{dataset}}/{{task}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        entry=lambda wildcards: as_json(TASKS[wildcards.task]),
        seed=CONFIGURATION.seed,
        code=code("candidates", "build_candidates"),
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/build_candidates.py"


use rule build_candidates as build_candidates_part with:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    output:
        temp(part_files(CANDIDATE_SETS)),
    log:
        f"{RESULTS}/logs/build_candidates/{{dataset}}/{{task}}/{{part}}.log",
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}, {wildcards.part}"


rule audit_candidates:
    input:
        candidates=CANDIDATE_SETS,
        parts=parts_of("audit_candidates", AUDITS),
    output:
        AUDITS,
    log:
        f"{RESULTS}/logs/audit_candidates/{{dataset}}/{{task}}.log",
    wildcard_constraints:
        task=one_of(AUDITED),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        code=code("audits", "audit_candidates"),
    message:
        "Auditing the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/audit_candidates.py"


use rule audit_candidates as audit_candidates_part with:
    input:
        candidates=CANDIDATE_SETS,
    output:
        temp(part_files(AUDITS)),
    log:
        f"{RESULTS}/logs/audit_candidates/{{dataset}}/{{task}}/{{part}}.log",
    message:
        "Auditing the candidates of {wildcards.dataset} for {wildcards.task}, {wildcards.part}"
