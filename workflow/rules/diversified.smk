# Files of reworded datasets, and what stands in for them until models have answered.

PROPOSED = f"{RESULTS}/rewrites/{{dataset}}"
WORDING_FILE = f"{PROPOSED}/wordings/{{model}}.arrow"
AUDITED = f"{RESULTS}/audits/{{dataset}}/problems.arrow"


def answers_of(stage):
    """Return the answers of the model that a dataset asks in a stage."""
    models = {
        dataset: model for dataset, of, model in CONFIGURATION.stages() if of == stage
    }
    return lambda wildcards: (
        f"{RESULTS}/responses/{wildcards.dataset}/{stage}/{models[wildcards.dataset]}.arrow"
    )


def similarities_of(wildcards):
    """Return the similarities of a dataset's proposals to the statements, by the model that it filters by."""
    chosen = CONFIGURATION.datasets[wildcards.dataset].filter
    return f"{PROPOSED}/similarities/{chosen.model}.arrow".format(
        dataset=wildcards.dataset
    )


def files_of_diversified(dataset):
    """Return the files of a diversified dataset by what they hold."""
    found = {"problems": f"{RESULTS}/datasets/{dataset}/problems.arrow"}
    found["audit"] = AUDITED.format(dataset=dataset)
    if CONFIGURATION.datasets[dataset].protocol == "paper":
        chosen = CONFIGURATION.datasets[dataset].filter.model
        folder = PROPOSED.format(dataset=dataset)
        found["proposals"] = f"{folder}/proposals.arrow"
        found["similarities"] = f"{folder}/similarities/{chosen}.arrow"
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
}
# Files that depend on no answers: nothing is asked for an estimate.
WITHOUT_ANSWERS = [
    *files_of_pairs("items", [STAND_INS.get(pair, pair) for pair in ASKED_PAIRS]),
    *(
        reworded_of(dataset)
        for dataset in CONFIGURATION.diversified("audited")
        if models_of("embedding", where=is_remote)
    ),
]


def there(path):
    """Return a file that depends on answers if it exists: none is made for an estimate."""
    return path if Path(path).exists() else None


def items_for_estimate(dataset, task):
    """Return the items of a task, or what stands in for them."""
    (own,) = files_of_pairs("items", [(dataset, task)])
    if (dataset, task) not in STAND_INS:
        return own
    return there(own) or files_of_pairs("items", [STAND_INS[dataset, task]])[0]


def glosses_for_estimate():
    """Return what embedding models behind interfaces compare: of each task, the answers there are, or will be."""
    found = {}
    for dataset, task, name in CONFIGURATION.jobs():
        by, answering = TASKS[task].compared_by, CONFIGURATION.models[name]
        if by not in ESTIMATED or answering.kind == "chance":
            continue
        known = found.setdefault(
            (dataset, task),
            {
                "dataset": dataset,
                "task": task,
                "model": by,
                "items_file": items_for_estimate(dataset, task),
                "answers": [],
            },
        )
        known["answers"].append(
            {
                "responses": there(
                    f"{RESULTS}/responses/{dataset}/{task}/{name}.arrow"
                ),
                "items": getattr(answering, "items", None),
                "seeds": len(getattr(answering, "seeds", [0])),
            }
        )
    return list(found.values())


def texts_for_estimate(dataset, name):
    """Return the files with the texts of a diversified dataset that an embedding model compares."""
    entry = CONFIGURATION.datasets[dataset]
    problems = reworded_of(dataset)
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
