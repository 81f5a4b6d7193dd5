# Candidates and journals -> what asking would take. No model is asked.

import json

from nlfol.config import as_json


localrules:
    estimate,


rule estimate_costs:
    input:
        sorted(set(WITHOUT_ANSWERS)),
        prompts=TEMPLATES,
    output:
        multiext(f"{RESULTS}/estimate", ".csv", ".md"),
    log:
        f"{RESULTS}/logs/estimate_costs.log",
    conda:
        "../../envs/inference-cpu.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        entries={
            name: as_json(CONFIGURATION.models[name], without={"resources"})
            for name in ESTIMATED
        },
        tasks={name: as_json(entry) for name, entry in ASKED.items()},
        # As text: Snakemake would put a list of lists into one line for each.
        pairs=lambda wildcards: json.dumps(
            [
                [*pair, items_for_estimate(*pair), most_for_estimate(pair[1])]
                for pair in ESTIMATED_PAIRS
            ]
        ),
        jobs=json.dumps(ESTIMATED_JOBS),
        compared=lambda wildcards: json.dumps(
            [
                {
                    "dataset": dataset,
                    "model": name,
                    **texts_for_estimate(dataset, name),
                }
                for dataset in CONFIGURATION.diversified()
                for name in models_of("embedding", where=is_remote)
            ]
        ),
        glosses=lambda wildcards: json.dumps(glosses_for_estimate()),
        seed=CONFIGURATION.seed,
        prompts=lambda wildcards, input: str(Path(input.prompts[0]).parent),
        journal=CONFIGURATION.journal,
        sizes=journal_sizes,
        weights=local_weights,
        code=code("estimate_costs"),
    message:
        "Estimating what asking would take"
    script:
        "../scripts/estimate_costs.py"


rule estimate:
    input:
        f"{RESULTS}/estimate.md",
    log:
        f"{RESULTS}/logs/estimate.log",
    conda:
        "../../envs/core.yaml"
    message:
        "What asking would take, also in {input}"
    shell:
        "tee {log:q} < {input:q}"
