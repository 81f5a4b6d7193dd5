# Files of reworded datasets, and what stands in for them until models have answered.

PROPOSED = f"{RESULTS}/rewrites/{{dataset}}"
WORDING_FILE = f"{PROPOSED}/wordings/{{model}}.arrow"


def answers_of(stage):
    """Return the answers of the model that a dataset asks in a stage."""
    models = {
        dataset: model for dataset, of, model in CONFIGURATION.stages() if of == stage
    }
    return lambda wildcards: (
        f"{RESULTS}/responses/{wildcards.dataset}/{stage}/{models[wildcards.dataset]}.arrow"
    )


def files_of_diversified(dataset):
    """Return the files of a diversified dataset by what they hold."""
    found = {"problems": f"{RESULTS}/datasets/{dataset}/problems.arrow"}
    if CONFIGURATION.datasets[dataset].protocol == "paper":
        for name in ("proposals", "similarities"):
            found[name] = f"{PROPOSED}/{name}.arrow".format(dataset=dataset)
    return found


def wordings_of(dataset):
    """Return the files of similarities of a diversified dataset's wording, by embedding model."""
    return {
        name: WORDING_FILE.format(dataset=dataset, model=name)
        for name in models_of("embedding")
    }


ASKED_PAIRS = [
    *((dataset, stage) for dataset, stage, _ in CONFIGURATION.stages()),
    *CONFIGURATION.pairs(),
]
# Pairs whose items depend on answers, and what stands in for them until then.
STAND_INS = {
    (dataset, task): (
        (dataset, REWRITING)
        if task == ASSEMBLING
        else (CONFIGURATION.datasets[dataset].of, task)
    )
    for dataset, task in ASKED_PAIRS
    if dataset in {*CONFIGURATION.diversified("paper"), *FILTERED} and task != REWRITING
} | {
    (dataset, task): (dataset, TAKEN[task].entry)
    for dataset, task in ASKED_PAIRS
    if task in TAKEN
}
