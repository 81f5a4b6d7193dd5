# Scores -> tables. Seconds of work, so they are done where Snakemake runs and queue nowhere.


localrules:
    aggregate_scores,
    analyse_scores,
    measure_datasets,
    aggregate_refusals,
    aggregate_positions,
    aggregate_candidates,
    aggregate_costs,
    render_tables,


SCORES = [
    f"{RESULTS}/scores/{dataset}/{task}/{model}.arrow"
    for dataset, task, model in jobs()
]

MANIFEST = f"{RESULTS}/manifest.json"
FIGURES = shipped("resources/published/nl_fol_lt.csv")


ANALYSES = [
    "differences",
    "thinking",
    "task_agreements",
    "repetitions",
    "correlations",
    "faults",
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


rule analyse_scores:
    input:
        scores=SCORES,
    output:
        **{name: f"{RESULTS}/tables/{name}.arrow" for name in ANALYSES},
    log:
        f"{RESULTS}/logs/analyse_scores.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("cells", "analyse_scores"),
    message:
        "Comparing models, tasks, seeds and metrics"
    script:
        "../scripts/analyse_scores.py"


rule measure_datasets:
    input:
        triples=expand(
            f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
            dataset=CONFIGURATION.datasets,
        ),
    output:
        complexity=f"{RESULTS}/tables/complexity.arrow",
        corrections=f"{RESULTS}/tables/corrections.arrow",
    log:
        f"{RESULTS}/logs/measure_datasets.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=list(CONFIGURATION.datasets),
        code=code("complexity", "measure_datasets"),
    message:
        "Measuring the formulas of the datasets"
    script:
        "../scripts/measure_datasets.py"


rule audit_gold:
    input:
        scores=[
            f"{RESULTS}/scores/{dataset}/{task}/{model}.arrow"
            for dataset, task, model in jobs("chat", tasks=tasks_of_form("formula"))
        ],
        sentences=expand(
            f"{RESULTS}/datasets/{{dataset}}/sentences.arrow",
            dataset=CONFIGURATION.datasets,
        ),
    output:
        rows=f"{RESULTS}/tables/gold_audit.arrow",
        patches=f"{RESULTS}/tables/gold_audit.jsonl",
    log:
        f"{RESULTS}/logs/audit_gold.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        datasets=list(CONFIGURATION.datasets),
        code=code("gold_audit", "audit_gold"),
    message:
        "Looking for gold formulas in doubt"
    script:
        "../scripts/audit_gold.py"


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
        item_files=[
            f"{RESULTS}/items/{dataset}/{task}.arrow"
            for dataset, task in CONFIGURATION.pairs()
        ],
    output:
        f"{RESULTS}/tables/refusals.arrow",
    log:
        f"{RESULTS}/logs/aggregate_refusals.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=list(CONFIGURATION.datasets),
        pairs=CONFIGURATION.pairs(),
        code=code("cells", "aggregate_refusals"),
    message:
        "Counting refused rows"
    script:
        "../scripts/aggregate_refusals.py"


rule aggregate_positions:
    input:
        scores=[
            f"{RESULTS}/scores/{dataset}/{task}/{model}.arrow"
            for dataset, task, model in jobs("chat", tasks=tasks_of_form("choice"))
        ],
    output:
        f"{RESULTS}/tables/positions.arrow",
    log:
        f"{RESULTS}/logs/aggregate_positions.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("cells", "aggregate_positions"),
    message:
        "Counting right answers by position"
    script:
        "../scripts/aggregate_positions.py"


rule aggregate_candidates:
    input:
        item_files=[
            f"{RESULTS}/items/{dataset}/{task}.arrow"
            for dataset, task in CONFIGURATION.pairs()
            if task in AUDITED
        ],
    output:
        f"{RESULTS}/tables/edit_mix.arrow",
    log:
        f"{RESULTS}/logs/aggregate_candidates.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("cells", "aggregate_candidates"),
    message:
        "Counting the members of candidate sets"
    script:
        "../scripts/aggregate_candidates.py"


rule aggregate_costs:
    input:
        responses=[
            f"{RESULTS}/responses/{dataset}/{task}/{model}.arrow"
            for dataset, task, model in jobs("chat")
        ],
    output:
        f"{RESULTS}/tables/costs.arrow",
    log:
        f"{RESULTS}/logs/aggregate_costs.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("costs", "aggregate_costs"),
    message:
        "Summing up tokens and cost"
    script:
        "../scripts/aggregate_costs.py"


rule render_tables:
    input:
        **{name: f"{RESULTS}/tables/{name}.arrow" for name in ANALYSES},
        cells=f"{RESULTS}/tables/cells.arrow",
        refusals=f"{RESULTS}/tables/refusals.arrow",
        audits=[
            f"{RESULTS}/audits/{dataset}/{task}.arrow"
            for dataset, task in CONFIGURATION.pairs()
            if task in AUDITED
        ],
        positions=f"{RESULTS}/tables/positions.arrow",
        edit_mix=f"{RESULTS}/tables/edit_mix.arrow",
        costs=f"{RESULTS}/tables/costs.arrow",
        complexity=f"{RESULTS}/tables/complexity.arrow",
        corrections=f"{RESULTS}/tables/corrections.arrow",
        gold_audit=f"{RESULTS}/tables/gold_audit.arrow",
        figures=FIGURES,
        manifest=MANIFEST,
    output:
        [
            report(
                path,
                category="Tables",
                labels={"table": Path(path).stem, "form": Path(path).suffix[1:]},
                caption="../report/table.rst",
            )
            for path in TABLES
        ],
    log:
        f"{RESULTS}/logs/render_tables.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("tables", "render_tables"),
    message:
        "Writing the tables"
    script:
        "../scripts/render_tables.py"
