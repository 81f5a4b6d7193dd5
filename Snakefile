# nlfol: how well language models turn English into first-order logic.
#
#     snakemake --cores all results/tables    the tables, as files
#     snakemake --cores all results/report    one page with tables, figures and every item behind them
#     snakemake --cores all results/figures   the panels of figures as PDF and SVG, with their data
#
# One stage a rule file, one Arrow file a stage and unit of work; docs/architecture.md shows the whole way.

from snakemake.utils import min_version

min_version("9.27")


include: "workflow/rules/common.smk"
include: "workflow/rules/storage.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/resources.smk"
include: "workflow/rules/processes.smk"
include: "workflow/rules/cluster.smk"
include: "workflow/rules/checks.smk"
include: "workflow/rules/files.smk"
include: "workflow/rules/diversified.smk"
include: "workflow/rules/parts.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/adequate.smk"
include: "workflow/rules/measures.smk"
include: "workflow/rules/items.smk"
include: "workflow/rules/trainings.smk"
include: "workflow/rules/training.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/dialogue.smk"
include: "workflow/rules/dialogue_parts.smk"
include: "workflow/rules/embedding.smk"
include: "workflow/rules/baselines.smk"
include: "workflow/rules/rewrites.smk"
include: "workflow/rules/similarities.smk"
include: "workflow/rules/estimated.smk"
include: "workflow/rules/estimates.smk"
include: "workflow/rules/glosses.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/programs.smk"
include: "workflow/rules/analyses.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/manifest.smk"
include: "workflow/rules/report.smk"


for path_of_rules in registered("rules", Path, ()).values():

    include: path_of_rules


remember_modules(MODULES)


rule:
    name:
        f"{RESULTS}/tables"
    default_target: True
    input:
        TABLES,
    message:
        f"The tables are in {RESULTS}/tables"


rule:
    name:
        f"{RESULTS}/report"
    input:
        f"{RESULTS}/report/index.html",
    message:
        f"The report is {RESULTS}/report/index.html"


# What a run ends with, where it was to make the tables.
onsuccess:
    made = {job.name for job in workflow.dag.jobs}
    # In a storage the tables are not at hand.
    stored = workflow.storage_settings.default_storage_provider
    if "render_tables" in made and not stored:
        from nlfol.provenance.manifest import unplanned
        from nlfol.results.tables.headlines import closing_lines

        print(
            "", *closing_lines(Path(RESULTS)), *unplanned(Path(MANIFEST)), sep="\n"
        )
        if "write_figures" in made:
            print(f"Figures: {RESULTS}/figures")
        if "write_report" in made:
            print(f"Report: {RESULTS}/report/index.html")
