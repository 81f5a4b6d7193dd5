# The files that each stage reads and writes.

from nlfol.facts import AnswerForm


def files_of_datasets(name):
    """Return the file of a name of each dataset that has it."""
    return [
        f"{RESULTS}/datasets/{dataset}/{name}.arrow"
        for dataset in CONFIGURATION.having(name)
    ]


def files_of_pairs(stage, pairs):
    """Return a stage's files of pairs of dataset and task."""
    return [f"{RESULTS}/{stage}/{dataset}/{task}.arrow" for dataset, task in pairs]


def files_of_jobs(stage, jobs):
    """Return a stage's files of triples of dataset, task and model."""
    return [
        f"{RESULTS}/{stage}/{dataset}/{task}/{model}.arrow"
        for dataset, task, model in jobs
    ]


def dialogues_in(form):
    """Return the dialogues whose answers are of one form."""
    return [job for job in DIALOGUES if KINDS[TASKS[job[1]].task].form is form]


# What the experiment is about, which decides the tables that it has and what these are drawn from.
ABOUT = subjects(CONFIGURATION)


def rows_of(*names):
    """Return the files of rows by name, of those that the experiment has."""
    return {
        name: f"{RESULTS}/tables/{name}.arrow"
        for name in names
        if FILES[name].rows_about in ABOUT
    }


# Tasks about the answers of a model.
TAKEN = {name: entry.taken for name, entry in TASKS.items() if entry.taken}
# The datasets and tasks with candidates.
CHOICES = [
    (dataset, task)
    for dataset, task in CONFIGURATION.pairs()
    if KINDS[TASKS[task].task].facts.has_candidates
]
# The datasets and tasks with problems.
OF_PROBLEMS = [
    (dataset, task)
    for dataset, task in CONFIGURATION.pairs()
    if dataset in CONFIGURATION.having("problems")
]
ITEM_FILES = files_of_pairs("items", CONFIGURATION.pairs())
SCORES = files_of_jobs("scores", CONFIGURATION.jobs())
# The datasets and tasks whose answers are formulas, of which there is evidence.
EXPLAINED = [
    (dataset, task)
    for dataset, task in CONFIGURATION.pairs()
    if hasattr(TASKS[task], "explain")
    and CONFIGURATION.datasets[dataset].holds != "expressions"
]
EVIDENCE = files_of_pairs("evidence", EXPLAINED)


def originals_of(wildcards):
    """Return the problems that a dataset is made of."""
    original = CONFIGURATION.datasets[wildcards.dataset].of
    return f"{RESULTS}/datasets/{original}/problems.arrow"


# Problems of which those too unlike their originals are refused: they are reworded, compared, and then filtered, so that
# another bound compares nothing anew.
REWORDED = f"{RESULTS}/rewrites/{{dataset}}/reworded.arrow"
FILTERED = {
    dataset
    for dataset in CONFIGURATION.diversified()
    if CONFIGURATION.datasets[dataset].similarity
}


def reworded_of(dataset):
    """Return a dataset's problems in other words, before any is refused for its similarity."""
    whole = (
        REWORDED
        if dataset in FILTERED
        else f"{RESULTS}/datasets/{{dataset}}/problems.arrow"
    )
    return whole.format(dataset=dataset)


def reworded_by(protocol, filtered):
    """Return the datasets of a protocol whose problems are filtered by their similarity, or those whose are not."""
    return [
        dataset
        for dataset in CONFIGURATION.diversified(protocol)
        if (dataset in FILTERED) is filtered
    ]


def source_of_items(wildcards):
    """Return the files that items are made from: triples, or problems with the words of examples and the originals."""
    folder = f"{RESULTS}/datasets/{wildcards.dataset}"
    if wildcards.dataset in CONFIGURATION.having("problems"):
        words = {
            "lexicon": here(shipped("resources/lexicon/problems.yaml")),
            "solved": here(shipped("resources/solved_examples.yaml")),
        }
        if task_of(TASKS[wildcards.task]).wants_words:
            words["forms"] = here(shipped("resources/lexicon/diversified.yaml"))
        original = CONFIGURATION.datasets[wildcards.dataset].original
        if original:
            words["originals"] = f"{RESULTS}/datasets/{original}/problems.arrow"
        if language := getattr(TASKS[wildcards.task], "language", None):
            words["language_labels"] = f"{folder}/language_labels/{language}.arrow"
        return {"source": f"{folder}/problems.arrow", **words}
    others = TASKS[wildcards.task].made_from
    own = {name: here(paths) for name, paths in others.items()}
    return {"source": f"{folder}/triples.arrow", **own}


def dataset_code(script):
    """Return the code of the job of one dataset, by its wildcards."""

    def of_dataset(wildcards):
        block = CONFIGURATION.datasets[wildcards.dataset]
        package, _, module = type(block).__module__.rpartition(".")
        ours = package.startswith("nlfol.")
        return code(script, entry=module if ours else block.reader)

    return of_dataset


def glosses_of(wildcards):
    """Return the cosines of the glosses of a model's answers, if the task compares them by an embedding model."""
    by = TASKS[wildcards.task].compared_by
    if by is None or model(wildcards).kind in GUESSERS:
        return []
    folder = f"{RESULTS}/glosses/{wildcards.dataset}/{wildcards.task}/{wildcards.model}"
    return f"{folder}/{by}.arrow"
