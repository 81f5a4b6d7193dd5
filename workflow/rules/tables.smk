# Scores -> tables. Seconds of work, so they are done where Snakemake runs and queue nowhere.


localrules:
    aggregate_scores,
    aggregate_refusals,
    render_table,


SCORES = [
    f"{RESULTS}/scores/{dataset}/{task}/{model}.arrow"
    for dataset in CONFIGURATION.datasets
    for model in CONFIGURATION.models
    for task in tasks_of(model)
]


rule aggregate_scores:
    input:
        scores=SCORES,
    output:
        f"{RESULTS}/tables/cells.arrow",
    log:
        f"{RESULTS}/logs/aggregate_scores.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("cells", "aggregate_scores"),
    message:
        "Summarising the scores"
    script:
        "../scripts/aggregate_scores.py"


rule aggregate_refusals:
    input:
        sentences=expand(
            f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
            dataset=CONFIGURATION.datasets,
        ),
        triples=expand(
            f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
            dataset=CONFIGURATION.datasets,
        ),
        candidates=expand(
            f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
            dataset=CONFIGURATION.datasets,
            task=TASKS,
        ),
    output:
        f"{RESULTS}/tables/refusals.arrow",
    log:
        f"{RESULTS}/logs/aggregate_refusals.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=list(CONFIGURATION.datasets),
        candidates=[
            [dataset, task] for dataset in CONFIGURATION.datasets for task in TASKS
        ],
        code=code("cells", "aggregate_refusals"),
    message:
        "Counting refused rows"
    script:
        "../scripts/aggregate_refusals.py"


rule render_table:
    input:
        cells=f"{RESULTS}/tables/cells.arrow",
        refusals=f"{RESULTS}/tables/refusals.arrow",
    output:
        report(
            multiext(f"{RESULTS}/tables/{{table}}", ".csv", ".md", ".tex"),
            category="Tables",
            caption="../report/table.rst",
        ),
    log:
        f"{RESULTS}/logs/render_table/{{table}}.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("tables", "render_table"),
    message:
        "Writing table {wildcards.table}"
    script:
        "../scripts/render_table.py"
