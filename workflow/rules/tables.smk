# Scores -> tables. Seconds of work, so they are done where Snakemake runs and queue nowhere.


localrules:
    aggregate_scores,
    aggregate_refusals,
    aggregate_positions,
    aggregate_candidates,
    aggregate_costs,
    render_tables,


MANIFEST = f"{RESULTS}/manifest.json"
NAMES = [name for name, subject in TABLE_NAMES.items() if subject in ABOUT]
TABLES = expand(
    f"{RESULTS}/tables/{{table}}.{{suffix}}",
    table=NAMES,
    suffix=["csv", "md", "tex"],
)


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
        code=code("aggregate_scores"),
    message:
        "Summarising the scores"
    script:
        "../scripts/aggregate_scores.py"


rule aggregate_refusals:
    input:
        sentences=files_of_datasets("sentences"),
        triples=files_of_datasets("triples"),
        problems=files_of_datasets("problems"),
        item_files=ITEM_FILES,
        answers=files_of_jobs("responses", CONFIGURATION.jobs("answers")),
        examples=expand(EXAMPLES, training=TRAININGS.entries),
    output:
        f"{RESULTS}/tables/refusals.arrow",
    log:
        f"{RESULTS}/logs/aggregate_refusals.log",
    conda:
        "../../envs/core.yaml"
    params:
        datasets=list(CONFIGURATION.datasets),
        of_problems=CONFIGURATION.having("problems"),
        pairs=CONFIGURATION.pairs(),
        code=code("aggregate_refusals"),
    message:
        "Counting refused rows"
    script:
        "../scripts/aggregate_refusals.py"


rule aggregate_positions:
    input:
        scores=files_of_jobs("scores", dialogues_in(AnswerForm.CHOICE)),
        item_files=files_of_pairs(
            "items", dict.fromkeys(job[:2] for job in dialogues_in(AnswerForm.CHOICE))
        ),
    output:
        f"{RESULTS}/tables/positions.arrow",
    log:
        f"{RESULTS}/logs/aggregate_positions.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("aggregate_positions"),
    message:
        "Counting right answers by position"
    script:
        "../scripts/aggregate_positions.py"


rule aggregate_candidates:
    input:
        item_files=files_of_pairs("items", CHOICES),
    output:
        f"{RESULTS}/tables/edit_mix.arrow",
    log:
        f"{RESULTS}/logs/aggregate_candidates.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("aggregate_candidates"),
    message:
        "Counting the members of candidate sets"
    script:
        "../scripts/aggregate_candidates.py"


rule aggregate_costs:
    input:
        responses=files_of_jobs("responses", [*CONFIGURATION.stages(), *DIALOGUES]),
    output:
        f"{RESULTS}/tables/costs.arrow",
    log:
        f"{RESULTS}/logs/aggregate_costs.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("aggregate_costs"),
    message:
        "Summing up tokens and cost"
    script:
        "../scripts/aggregate_costs.py"


rule render_tables:
    input:
        **{name: f"{RESULTS}/tables/{name}.arrow" for name in ANALYSES},
        **rows_of(*SOURCES),
        audits=files_of_pairs("audits", CHOICES),
        figures=FIGURES,
        manifest=MANIFEST,
    output:
        [
            report(
                path,
                category="Tables",
                labels={"table": Path(path).stem, "form": Path(path).suffix[1:]},
                caption=f"../report/{Path(path).stem}.rst",
            )
            for path in TABLES
        ],
    log:
        f"{RESULTS}/logs/render_tables.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("render_tables"),
    message:
        "Writing the tables"
    script:
        "../scripts/render_tables.py"
