# Everything -> one page, and its figures as files.

ASSETS = SCRIPTS / "nlfol" / "report" / "assets"


rule write_report:
    input:
        **rules.render_tables.input,
        item_files=ITEM_FILES,
        responses=files_of_jobs("responses", CONFIGURATION.jobs()),
        scores=SCORES,
        programs=PROGRAMS,
        evidence=EVIDENCE,
        # What the page is made of beside Python, which the digest of code does not cover.
        # Relative, so that a checkout that was moved writes none again.
        assets=here(sorted(map(os.path.relpath, ASSETS.iterdir()))),
    output:
        page=report(
            f"{RESULTS}/report/index.html",
            category="Report",
            caption="../report/report.rst",
        ),
        figures=f"{RESULTS}/report/figures.json",
        checksums=f"{RESULTS}/report/checksums",
    log:
        f"{RESULTS}/logs/write_report.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=60,
    params:
        tables=NAMES,
        journals=CONFIGURATION.journal,
        title="nlfol: how well language models turn English into first-order logic",
        settings={name: SETTINGS[name] for name in ["names", "ways", "planned"]},
        code=code("write_report"),
    message:
        "Writing the report"
    script:
        "../scripts/write_report.py"


rule write_figures:
    input:
        figures=rules.write_report.output.figures,
    output:
        directory(f"{RESULTS}/figures"),
    log:
        f"{RESULTS}/logs/write_figures.log",
    conda:
        "../../envs/core.yaml"
    params:
        code=code("write_figures"),
    message:
        "Writing the figures as files"
    script:
        "../scripts/write_figures.py"
