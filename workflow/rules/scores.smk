# Responses -> scores.

JUDGEMENTS = f"{RESULTS}/scores/{{dataset}}/{{task}}/{{model}}.arrow"


rule judge_answers:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
        glosses=glosses_of,
        parts=parts_of(JUDGEMENTS),
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
        **task_entry(lambda entry: entry.DECIDES_SCORES),
        code=task_code("judge_answers"),
    message:
        "Judging {wildcards.model} in {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/judge_answers.py"


use rule judge_answers as judge_answers_part with:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
        glosses=glosses_of,
    output:
        temp(part_file(JUDGEMENTS)),
    log:
        f"{RESULTS}/logs/judge_answers/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    message:
        "Judging {wildcards.model} in {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"
