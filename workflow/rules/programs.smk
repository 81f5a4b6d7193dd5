# Responses -> programs whose symbols are aligned with the gold programs' -> drift, causes, and what other words change.


localrules:
    aggregate_drift,
    compare_outcomes,


ALIGNED = f"{RESULTS}/programs/{{dataset}}/{{task}}/{{model}}.arrow"
# Chance writes no program.
WRITTEN = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.PROGRAM)
    if CONFIGURATION.models[job[2]].kind != "chance"
]
PROGRAMS = files_of_jobs("programs", WRITTEN)
# How datasets of problems are worded.
WORDINGS = {
    dataset: {
        key: value
        for key, value in values("datasets", dataset).items()
        if key
        in [
            "reader",
            "of",
            "protocol",
            "intensity",
            "types",
            "at_most",
            "glossary",
            "decoys",
        ]
    }
    for dataset in CONFIGURATION.having("problems")
}


rule align_programs:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
        parts=parts_of(ALIGNED),
    output:
        ALIGNED,
    log:
        f"{RESULTS}/logs/align_programs/{{dataset}}/{{task}}/{{model}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        **task_entry(lambda entry: entry.DECIDES_SCORES),
        code=task_code("align_programs"),
    message:
        "Aligning the programs of {wildcards.model} in {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/align_programs.py"


use rule align_programs as align_programs_part with:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    output:
        temp(part_file(ALIGNED)),
    log:
        f"{RESULTS}/logs/align_programs/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    message:
        "Aligning the programs of {wildcards.model} in {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"


rule aggregate_drift:
    input:
        programs=PROGRAMS,
    output:
        drift=f"{RESULTS}/tables/drift.arrow",
        causes=f"{RESULTS}/tables/causes.arrow",
    log:
        f"{RESULTS}/logs/aggregate_drift.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=WORDINGS,
        code=code("aggregate_drift"),
    message:
        "Measuring the drift of symbols"
    script:
        "../scripts/aggregate_drift.py"


rule compare_outcomes:
    input:
        scores=files_of_jobs(
            "scores", [job for job in CONFIGURATION.jobs() if job[:2] in OF_PROBLEMS]
        ),
        programs=PROGRAMS,
    output:
        stability=f"{RESULTS}/tables/stability.arrow",
        transitions=f"{RESULTS}/tables/transitions.arrow",
    log:
        f"{RESULTS}/logs/compare_outcomes.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=WORDINGS,
        code=code("compare_outcomes"),
    message:
        "Comparing answers to problems in other words"
    script:
        "../scripts/compare_outcomes.py"
