# Responses and scores -> programs whose symbols are aligned with the gold programs'.


ALIGNED = f"{RESULTS}/programs/{{dataset}}/{{task}}/{{model}}.arrow"
# Chance writes no program.
WRITTEN = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.PROGRAM)
    if CONFIGURATION.models[job[2]].kind != "chance"
]
PROGRAMS = files_of_jobs("programs", WRITTEN)


rule align_programs:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
        scores=f"{RESULTS}/scores/{{dataset}}/{{task}}/{{model}}.arrow",
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
        scores=f"{RESULTS}/scores/{{dataset}}/{{task}}/{{model}}.arrow",
    output:
        temp(part_file(ALIGNED)),
    log:
        f"{RESULTS}/logs/align_programs/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    message:
        "Aligning the programs of {wildcards.model} in {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"
