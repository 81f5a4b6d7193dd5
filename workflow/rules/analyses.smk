# Scores and formulas -> comparisons and measures of them.


localrules:
    analyse_scores,
    measure_datasets,
    aggregate_curves,
    score_without_suspects,


ANALYSES = [
    "differences",
    "thinking",
    "task_agreements",
    "repetitions",
    "correlations",
    "faults",
    "few_shot",
    "stops",
    "solvers",
    "classification",
    "depths",
    "ratings",
    "claims",
    "variances",
]
FIGURES = [
    shipped(f"resources/published/{name}.csv")
    for name in ["nl_fol_lt", "autoeval", "solt"]
]


rule analyse_scores:
    input:
        scores=SCORES,
        problems=files_of_pairs("items", OF_PROBLEMS),
    output:
        **{name: f"{RESULTS}/tables/{name}.arrow" for name in ANALYSES},
    log:
        f"{RESULTS}/logs/analyse_scores.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("analyse_scores"),
    message:
        "Comparing models, tasks, seeds and metrics"
    script:
        "../scripts/analyse_scores.py"


rule measure_datasets:
    input:
        triples=files_of_datasets("triples"),
        measures=files_of_datasets("measures"),
    output:
        complexity=f"{RESULTS}/tables/complexity.arrow",
        corrections=f"{RESULTS}/tables/corrections.arrow",
        diversity=f"{RESULTS}/tables/diversity.arrow",
        counts=f"{RESULTS}/tables/counts.arrow",
    log:
        f"{RESULTS}/logs/measure_datasets.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=CONFIGURATION.having("sentences"),
        code=code("measure_datasets"),
    message:
        "Measuring the formulas of the datasets"
    script:
        "../scripts/measure_datasets.py"


rule aggregate_curves:
    input:
        scores=SCORES,
        measures=files_of_datasets("measures"),
    output:
        curves=f"{RESULTS}/tables/curves.arrow",
        bounded=f"{RESULTS}/tables/bounded.arrow",
        difficulty=f"{RESULTS}/tables/difficulty.arrow",
    log:
        f"{RESULTS}/logs/aggregate_curves.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=CONFIGURATION.having("sentences"),
        code=code("aggregate_curves"),
    message:
        "Drawing scores over what is measured of the items"
    script:
        "../scripts/aggregate_curves.py"


rule audit_gold:
    input:
        scores=files_of_jobs(
            "scores",
            [
                job
                for job in dialogues_in(AnswerForm.FORMULA)
                if TASKS[job[1]].is_about_dataset
            ],
        ),
        sentences=files_of_datasets("sentences"),
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
        datasets=CONFIGURATION.having("sentences"),
        code=code("audit_gold"),
    message:
        "Looking for gold formulas in doubt"
    script:
        "../scripts/audit_gold.py"


rule score_without_suspects:
    input:
        scores=SCORES,
        suspects=f"{RESULTS}/tables/gold_audit.arrow",
    output:
        f"{RESULTS}/tables/without_suspects.arrow",
    log:
        f"{RESULTS}/logs/score_without_suspects.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("score_without_suspects"),
    message:
        "Scoring without suspect gold formulas"
    script:
        "../scripts/score_without_suspects.py"
