# Responses -> scores.

JUDGEMENTS = f"{RESULTS}/scores/{{dataset}}/{{task}}/{{model}}.arrow"


rule judge_answers:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
        parts=parts_of("judge_answers", JUDGEMENTS),
    output:
        JUDGEMENTS,
    log:
        f"{RESULTS}/logs/judge_answers/{{dataset}}/{{task}}/{{model}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        entry=lambda wildcards: as_json(
            TASKS[wildcards.task], only=TASKS[wildcards.task].DECIDES_SCORES
        ),
        code=code("scores", "judge_answers"),
    message:
        "Judging {wildcards.model} in {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/judge_answers.py"


use rule judge_answers as judge_answers_part with:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    output:
        temp(part_files(JUDGEMENTS)),
    log:
        f"{RESULTS}/logs/judge_answers/{{dataset}}/{{task}}/{{model}}/{{part}}.log",
    message:
        "Judging {wildcards.model} in {wildcards.task} on {wildcards.dataset}, {wildcards.part}"
