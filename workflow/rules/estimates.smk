# Candidates and journals -> what asking would take. No model is asked.


localrules:
    estimate,


def local_weights(wildcards):
    """The weights of local dialogue models that are there already; none is made ready for an estimate."""
    return {
        name: f"{RESULTS}/weights/{name}"
        for name in filter(is_local, models_of("chat"))
        if Path(f"{RESULTS}/weights/{name}/source.json").exists()
    }


def journal_sizes(wildcards):
    """What changes whenever an answer is kept."""
    return {
        name: sum(path.stat().st_size for path in folder.glob("*.jsonl"))
        for name in models_of("chat")
        for folder in [Path(CONFIGURATION.journal, name)]
    }


rule estimate_costs:
    input:
        candidates=expand(
            f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
            dataset=CONFIGURATION.datasets,
            task=TASKS,
        ),
        prompts=[
            f"{PROMPTS}/{kind}/{part}.jinja"
            for kind in sorted({entry.task for entry in TASKS.values()})
            for part in ("system", "user")
        ],
        prices=PRICES,
    output:
        multiext(f"{RESULTS}/estimate", ".csv", ".md"),
    log:
        f"{RESULTS}/logs/estimate_costs.log",
    conda:
        "../../envs/inference-cpu.yaml"
    params:
        specifications={
            name: as_json(CONFIGURATION.models[name], without={"resources"})
            for name in models_of("chat")
        },
        # As text: Snakemake would put a list of lists into one line for each.
        tasks=json.dumps(
            [
                (dataset, task, presentations(task))
                for dataset in CONFIGURATION.datasets
                for task in TASKS
            ]
        ),
        seed=CONFIGURATION.seed,
        prompts=PROMPTS,
        journal=CONFIGURATION.journal,
        sizes=journal_sizes,
        weights=local_weights,
        code=code("estimates", "estimate_costs"),
    message:
        "Estimating what asking would take"
    script:
        "../scripts/estimate_costs.py"


rule estimate:
    input:
        f"{RESULTS}/estimate.md",
    message:
        "What asking would take, also in {input}"
    shell:
        "cat {input:q}"
