# What a run was and on what it ran: everything up to the scores -> manifest.

from nlfol.config import experiment_json


localrules:
    write_manifest,


rule write_manifest:
    input:
        sentences=files_of_datasets("sentences"),
        triples=files_of_datasets("triples"),
        # Without what is made of answers, whose digests are of one run.
        problems=[
            (
                f"{RESULTS}/rewrites/{dataset}/lexical.arrow"
                if dataset in CONFIGURATION.diversified("paper")
                else f"{RESULTS}/datasets/{dataset}/problems.arrow"
            )
            for dataset in CONFIGURATION.having("problems")
        ],
        item_files=files_of_pairs(
            "items",
            [pair for pair in ASKED_PAIRS if pair not in STAND_INS],
        ),
        responses=files_of_jobs(
            "responses", [*CONFIGURATION.stages(), *CONFIGURATION.jobs()]
        ),
        scores=SCORES,
        prompts=TEMPLATES,
        figures=FIGURES,
    output:
        MANIFEST,
        f"{RESULTS}/checksums",
    log:
        f"{RESULTS}/logs/write_manifest.log",
    conda:
        # The packages that local models run on are to be listed, and installed for them alone.
        ("../../envs/inference-cpu.yaml" if local_models() else "../../envs/core.yaml")
    params:
        # A function, as a path of answers may have braces.
        configuration=lambda wildcards: experiment_json(CONFIGURATION),
        scripts={
            path.stem: code_digest(path.stem) for path in sorted(SCRIPTS.glob("*.py"))
        },
        journals=CONFIGURATION.journal,
        code=code("write_manifest"),
    message:
        "Writing the manifest"
    script:
        "../scripts/write_manifest.py"
