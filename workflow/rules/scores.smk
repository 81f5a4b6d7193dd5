# Responses -> scores, and the scores of all models -> evidence.

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


rule explain_answers:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        scores=lambda wildcards: files_of_jobs(
            "scores",
            [
                job
                for job in CONFIGURATION.jobs()
                if job[:2] == (wildcards.dataset, wildcards.task)
                # Guessers write no formula.
                and CONFIGURATION.models[job[2]].kind not in GUESSERS
            ],
        ),
    output:
        # What it explains already is kept, so that a further model costs its own answers alone.
        update(f"{RESULTS}/evidence/{{dataset}}/{{task}}.arrow"),
    log:
        f"{RESULTS}/logs/explain_answers/{{dataset}}/{{task}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        **task_entry(lambda entry: {"task", "explain"}),
        code=task_code("explain_answers"),
    message:
        "Explaining the answers to {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/explain_answers.py"
