# Candidates and journals -> what asking would take. No model is asked.

import json

from nlfol.config import as_json

ESTIMATED = [*models_of("chat"), *models_of("embedding", where=is_remote)]

ASKED_PAIRS = [
    *((dataset, stage) for dataset, stage, _ in CONFIGURATION.stages()),
    *CONFIGURATION.pairs(),
]
# What answers decide of these, and what stands in for it until it is there.
STAND_INS = {
    (dataset, task): (
        (dataset, REWRITING)
        if task == ASSEMBLING
        else (CONFIGURATION.datasets[dataset].of, task)
    )
    for dataset, task in ASKED_PAIRS
    if dataset in CONFIGURATION.diversified("paper") and task != REWRITING
}
# None that answers decide: for an estimate nothing is asked.
WITHOUT_ANSWERS = [
    *files_of_pairs("items", [STAND_INS.get(pair, pair) for pair in ASKED_PAIRS]),
    *(
        f"{RESULTS}/datasets/{dataset}/problems.arrow"
        for dataset in CONFIGURATION.diversified("audited")
        if models_of("embedding", where=is_remote)
    ),
]


localrules:
    estimate,


def there(path):
    """A file that answers decide, if it is there; none is made ready for an estimate."""
    return path if Path(path).exists() else None


def items_for_estimate(dataset, task):
    """Items of a task, or what stands in for them."""
    (own,) = files_of_pairs("items", [(dataset, task)])
    if (dataset, task) not in STAND_INS:
        return own
    return there(own) or files_of_pairs("items", [STAND_INS[dataset, task]])[0]


def texts_for_estimate(dataset, name):
    """Where the texts are that an embedding model compares of a diversified dataset."""
    entry = CONFIGURATION.datasets[dataset]
    problems = f"{RESULTS}/datasets/{dataset}/problems.arrow"
    found = {"originals": f"{RESULTS}/datasets/{entry.of}/problems.arrow"}
    if entry.protocol == "audited":
        return {**found, "problems": problems, "proposals": None, "statements": None}
    filters = entry.filter.model == name
    proposals = f"{RESULTS}/rewrites/{dataset}/proposals.arrow"
    statements = f"{RESULTS}/items/{dataset}/{REWRITING}.arrow"
    return {
        **found,
        "problems": there(problems),
        "proposals": there(proposals) if filters else None,
        "statements": None if there(problems) and not filters else statements,
    }


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
            [[*pair, items_for_estimate(*pair)] for pair in ASKED_PAIRS]
        ),
        jobs=json.dumps(
            [
                job
                for job in [*CONFIGURATION.stages(), *CONFIGURATION.jobs()]
                if job[2] in ESTIMATED
            ]
        ),
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
