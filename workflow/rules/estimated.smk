# What an estimate reads: files that depend on no answers, and those that exist already. Nothing is asked for it.

ESTIMATED = [*models_of("chat"), *models_of("embedding", where=is_remote)]
ESTIMATED_JOBS = [
    job
    for job in [*CONFIGURATION.stages(), *CONFIGURATION.jobs()]
    if job[2] in ESTIMATED
]
ESTIMATED_PAIRS = sorted(
    {job[:2] for job in ESTIMATED_JOBS}.union(
        pair
        for pair in CONFIGURATION.pairs()
        if TASKS[pair[1]].compared_by in ESTIMATED
    )
)


def certified_late(dataset, task):
    """Return the round trip whose items stand in for pairs, or edits, of a large dataset: certifying them takes long."""
    if task in STAGES or CONFIGURATION.datasets[dataset].shards == 1:
        return []
    if (
        task_of(TASKS[task]).form is not AnswerForm.VERDICT
        and TASKS[task].is_about_dataset
    ):
        return []
    trips = {
        trip: task_of(TASKS[trip])
        for of, trip in CONFIGURATION.pairs()
        if of == dataset and task_of(TASKS[trip]).form is AnswerForm.CHAIN
    }
    return sorted(trips, key=lambda trip: trips[trip].wants_exemplars)[-1:]


FOR_ESTIMATE = {
    (dataset, task): (dataset, trip)
    for dataset, task in ESTIMATED_PAIRS
    for trip in certified_late(dataset, task)
} | STAND_INS
# Those that are made for it.
WITHOUT_ANSWERS = [
    *files_of_pairs(
        "items", [FOR_ESTIMATE.get(pair, pair) for pair in ESTIMATED_PAIRS]
    ),
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
    own, instead = files_of_pairs(
        "items", [(dataset, task), FOR_ESTIMATE.get((dataset, task), (dataset, task))]
    )
    return there(own) or instead


def most_for_estimate(task):
    """Return how many items the model and the task have whose answers a task is about."""
    if task not in TAKEN:
        return []
    sources = CONFIGURATION.models[TAKEN[task].of], TASKS[TAKEN[task].entry]
    return [getattr(source, "items", None) for source in sources]


def glosses_for_estimate():
    """Return what embedding models behind interfaces compare: of each task, the answers there are, or will be."""
    found = {}
    for dataset, task, name in CONFIGURATION.jobs():
        by, answering = TASKS[task].compared_by, CONFIGURATION.models[name]
        if by not in ESTIMATED or answering.kind in GUESSERS:
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


def local_weights(wildcards):
    """The weights of dialogue models that are there already; none is made ready for an estimate."""
    return {
        name: f"{RESULTS}/weights/{name}"
        for name in models_of("chat", where=has_weights)
        if Path(f"{RESULTS}/weights/{name}/source.json").exists()
    }


def journal_sizes(wildcards):
    """What changes whenever an answer is kept."""
    return {
        # Hidden files come and go while jobs run.
        folder.name: sum(path.stat().st_size for path in folder.glob("[!.]*.*"))
        for folder in [
            *(Path(CONFIGURATION.journal, name) for name in models_of("chat")),
            *sorted(Path(CONFIGURATION.journal, "vectors", ".interfaces").glob("*")),
        ]
    }
