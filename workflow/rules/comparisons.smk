# Scores -> what they say beyond means: halves of round trips, models crossed, verifiers, benchmarks, ontologies.

import json


localrules:
    attribute_errors,
    cross_models,
    rate_verifiers,
    correlate_benchmarks,
    compare_ontologies,


# Round trips on generated formulas, and the translations by the same models of these formulas' certified English.
TRIPS = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.CHAIN)
    if CONFIGURATION.datasets[job[0]].holds == "formulas"
]
FORMALIZATIONS = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA)
    if job[1] not in TAKEN
    and (job[0], job[2]) in {(dataset, model) for dataset, _, model in TRIPS}
]
CROSSED = [
    job for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA) if job[1] in TAKEN
]
VERIFICATIONS = CONFIGURATION.jobs_of_form(AnswerForm.VERDICT)
# Translations without an ontology, and by the same models with the dataset's.
OWN = CONFIGURATION.jobs_of_form(AnswerForm.OWN_FORMULA)
GIVEN = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA)
    if TASKS[job[1]].is_about_dataset
    and (job[0], job[2]) in {(dataset, model) for dataset, _, model in OWN}
]


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
        **rows_of("cells", "bounded"),
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


rule compare_ontologies:
    input:
        own=files_of_jobs("scores", OWN),
        given=files_of_jobs("scores", GIVEN),
        item_files=files_of_pairs("items", dict.fromkeys(job[:2] for job in OWN)),
    output:
        f"{RESULTS}/tables/ontologies.arrow",
    log:
        f"{RESULTS}/logs/compare_ontologies.log",
    conda:
        "../../envs/core.yaml"
    params:
        scopes=json.dumps({task: TASKS[task].scope for _, task, _ in OWN}),
        code=code("compare_ontologies"),
    message:
        "Holding own ontologies against the given ones"
    script:
        "../scripts/compare_ontologies.py"
