# Scores -> what they say beyond means: halves of round trips, models crossed, verifiers, benchmarks.


localrules:
    attribute_errors,
    cross_models,
    rate_verifiers,
    correlate_benchmarks,


# Round trips on generated formulas, and the translations by the same models of these formulas' certified English.
TRIPS = [
    job
    for job in CONFIGURATION.jobs_of_task("round_trip")
    if CONFIGURATION.datasets[job[0]].holds == "formulas"
]
FORMALIZATIONS = [
    job
    for job in CONFIGURATION.jobs_of_task("logical_translation")
    if job[1] not in TAKEN
    and (job[0], job[2]) in {(dataset, model) for dataset, _, model in TRIPS}
]
CROSSED = [
    job for job in CONFIGURATION.jobs_of_task("logical_translation") if job[1] in TAKEN
]
VERIFICATIONS = CONFIGURATION.jobs_of_task("verification")


rule attribute_errors:
    input:
        scores=files_of_jobs("scores", TRIPS + FORMALIZATIONS),
    output:
        f"{RESULTS}/tables/attributions.arrow",
    log:
        f"{RESULTS}/logs/attribute_errors.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("attribute_errors"),
    message:
        "Asking which half broke the round trips"
    script:
        "../scripts/attribute_errors.py"


rule cross_models:
    input:
        scores=files_of_jobs("scores", CROSSED),
    output:
        f"{RESULTS}/tables/crossed.arrow",
    log:
        f"{RESULTS}/logs/cross_models.log",
    conda:
        "../../envs/core.yaml"
    params:
        informalizers=[TAKEN[task].of for _, task, _ in CROSSED],
        code=code("cross_models"),
    message:
        "Setting out who formalizes whose English"
    script:
        "../scripts/cross_models.py"


rule rate_verifiers:
    input:
        scores=files_of_jobs("scores", VERIFICATIONS),
        item_files=files_of_pairs(
            "items", dict.fromkeys(job[:2] for job in VERIFICATIONS)
        ),
    output:
        f"{RESULTS}/tables/verifications.arrow",
    log:
        f"{RESULTS}/logs/rate_verifiers.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("rate_verifiers"),
    message:
        "Rating verifiers"
    script:
        "../scripts/rate_verifiers.py"


rule correlate_benchmarks:
    input:
        cells=f"{RESULTS}/tables/cells.arrow",
        bounded=f"{RESULTS}/tables/bounded.arrow",
        figures=FIGURES,
    output:
        f"{RESULTS}/tables/benchmarks.arrow",
    log:
        f"{RESULTS}/logs/correlate_benchmarks.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("correlate_benchmarks"),
    message:
        "Holding benchmarks against one another"
    script:
        "../scripts/correlate_benchmarks.py"
