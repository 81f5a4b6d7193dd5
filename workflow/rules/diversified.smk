# Which files the datasets have that are others in other words, and what stands in for them until models have answered.

PROPOSED = f"{RESULTS}/rewrites/{{dataset}}"
WORDINGS = f"{PROPOSED}/wordings/{{model}}.arrow"
AUDITED = f"{RESULTS}/audits/{{dataset}}/problems.arrow"


def answers_of(stage):
    """The answers of the model that a dataset asks in a stage."""
    models = {
        dataset: model for dataset, of, model in CONFIGURATION.stages() if of == stage
    }
    return lambda wildcards: (
        f"{RESULTS}/responses/{wildcards.dataset}/{stage}/{models[wildcards.dataset]}.arrow"
    )


def similarities_of(wildcards):
    """How similar to the statements what is proposed for a dataset is, by the model that it filters by."""
    chosen = CONFIGURATION.datasets[wildcards.dataset].filter
    return f"{PROPOSED}/similarities/{chosen.model}.arrow".format(
        dataset=wildcards.dataset
    )


def files_of_diversified(dataset):
    """What is known of a diversified dataset, by what it is."""
    found = {"problems": f"{RESULTS}/datasets/{dataset}/problems.arrow"}
    found["audit"] = AUDITED.format(dataset=dataset)
    if CONFIGURATION.datasets[dataset].protocol == "paper":
        chosen = CONFIGURATION.datasets[dataset].filter.model
        folder = PROPOSED.format(dataset=dataset)
        found["proposals"] = f"{folder}/proposals.arrow"
        found["similarities"] = f"{folder}/similarities/{chosen}.arrow"
    return found


def wordings_of(dataset):
    """How similar the words of a diversified dataset are, by embedding model."""
    return {
        name: WORDINGS.format(dataset=dataset, model=name)
        for name in models_of("embedding")
    }


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
