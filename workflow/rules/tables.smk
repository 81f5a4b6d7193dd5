# Rows of analyses -> tables. Seconds of work, so it is done where Snakemake runs and queues nowhere.

from nlfol.results.analyses.registry import TABLES as TABLES_OF_TOPICS


localrules:
    render_tables,


MANIFEST = f"{RESULTS}/manifest.json"
NAMES = [name for name, topic in TABLES_OF_TOPICS.items() if topic.about in ABOUT]
TABLES = expand(
    f"{RESULTS}/tables/{{table}}.{{suffix}}",
    table=NAMES,
    suffix=["csv", "md", "tex"],
)


rule render_tables:
    input:
        **rows_of(*FILES),
        audits=files_of_pairs("audits", CHOICES),
        figures=FIGURES,
        manifest=MANIFEST,
    output:
        [
            report(
                path,
                category="Tables",
                labels={"table": Path(path).stem, "form": Path(path).suffix[1:]},
                # Written with the tables.
                caption=str(Path(path).with_suffix(".rst").absolute()),
            )
            for path in TABLES
        ],
        expand(f"{RESULTS}/tables/{{table}}.rst", table=NAMES),
        checksums=f"{RESULTS}/tables/checksums",
    log:
        f"{RESULTS}/logs/render_tables.log",
    conda:
        "../../envs/core.yaml"
    params:
        settings={name: SETTINGS[name] for name in ["names", "ways", "planned"]},
        code=code("render_tables"),
    message:
        "Writing the tables"
    script:
        "../scripts/render_tables.py"
