# Responses -> scores.


rule judge_answers:
    input:
        candidates=f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    output:
        f"{RESULTS}/scores/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/judge_answers/{{dataset}}/{{task}}/{{model}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        specification=lambda wildcards: as_json(TASKS[wildcards.task]),
        code=code("scores", "judge_answers"),
    message:
        "Judging {wildcards.model} in {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/judge_answers.py"
