# What a run was and on what it ran: everything up to the scores -> manifest.


ALL_SCRIPTS = sorted(f"../{path.name}" for path in SCRIPTS.glob("*.py"))


localrules:
    write_manifest,


rule write_manifest:
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
        responses=[
            path.replace(f"{RESULTS}/scores/", f"{RESULTS}/responses/", 1)
            for path in SCORES
        ],
        scores=SCORES,
        prompts=TEMPLATES,
        figures=FIGURES,
    output:
        MANIFEST,
    log:
        f"{RESULTS}/logs/write_manifest.log",
    conda:
        # The packages that local models run on are to be listed, and installed for them alone.
        (
            "../../envs/inference-cpu.yaml"
            if any(map(is_local, CONFIGURATION.models))
            else "../../envs/core.yaml"
        )
    params:
        configuration=experiment_json(CONFIGURATION),
        stages={stage: code_digest(parts) for stage, parts in CODE.items()}
        | {"scripts": code_digest(ALL_SCRIPTS)},
        code=code("manifest", "write_manifest"),
    message:
        "Writing the manifest"
    script:
        "../scripts/write_manifest.py"
