# What the jobs of a model need of its entry.

from nlfol.models.providers.registry import has_weights
from nlfol.models.journal.siblings import journals_of, part_of


def name_of_model(wildcards):
    """A job's model: the one of its files' names, or the one that filters the rewrites of its dataset."""
    if "model" in wildcards.keys():
        return wildcards.model
    return CONFIGURATION.datasets[wildcards.dataset].asked.filter.model


# Without what only says where, for how long and in how many parts its jobs may run.
MODEL_ENTRY = entry_params(
    "model",
    {
        name: values("models", name, "resources", "shards")
        for name in CONFIGURATION.models
    },
    name_of_model,
)


# Without what only decides which jobs there are, and how answers are judged.
ASKED_TASK = task_entry(
    lambda entry: type(entry).model_fields.keys()
    - entry.NARROWS
    - (entry.DECIDES_SCORES - entry.DECIDES_REQUESTS)
)


def model(wildcards):
    """A job's model: its entry; of a training that of the model that learns."""
    training = TRAININGS.get(wildcards.get("training"))
    return (
        training.learner if training else CONFIGURATION.models[name_of_model(wildcards)]
    )


def answers_file(wildcards):
    """Return the file of a model's answers: a user's, or what another model of the experiment answers."""
    path = Path(model(wildcards).file(wildcards.dataset, wildcards.task))
    return str(path) if path.is_relative_to(f"{RESULTS}/responses") else here(path)


def models_of(*kinds, where=lambda entry: True):
    """The names of the models of some kinds, of those that a test of their entries holds for."""
    return [
        name
        for name, entry in CONFIGURATION.models.items()
        if entry.kind in kinds and where(entry)
    ]


def local_models():
    """The names of the models whose weights are loaded or served here."""
    return models_of("chat", "embedding", where=has_weights)


def weights_of(wildcards):
    """The materialised model, where there is one to load or to serve."""
    name = name_of_model(wildcards)
    return f"{RESULTS}/weights/{name}" if has_weights(model(wildcards)) else []


def server_of(wildcards):
    """The service file of a model's server, where the workflow starts one."""
    served = is_served(model(wildcards))
    return f"{RESULTS}/servers/{name_of_model(wildcards)}.json" if served else []


def journal_of(wildcards):
    """Where a job's answers are kept; those to a part of the items apart, however many parts there are."""
    whole = Path(
        CONFIGURATION.journal,
        wildcards.model,
        f"{wildcards.dataset}.{wildcards.task}.jsonl",
    )
    part = wildcards.get("scatteritem", "").partition("-of-")[0]
    return part_of(whole, int(part)) if part else whole


def vectors_of(wildcards):
    """Where a job's vectors are kept; those of problems in other words once for all, of glosses by who wrote them."""
    job = f"{wildcards.dataset}.{wildcards.get('task', 'rewrites')}"
    if wildcards.get("answers"):
        job += f".{wildcards.answers}"
    return str(vectors_folder(Path(CONFIGURATION.journal), model(wildcards), job))


DIALOGUES = CONFIGURATION.dialogues()


PROMPTS = shipped("resources/prompts")
# Of the project, then of other packages.
TEMPLATE_FOLDERS = [(PROMPTS, SOURCE / "resources/prompts"), *zip(prompts(), prompts())]


@cache
def templates(*kinds):
    """The templates of some kinds of tasks, after those that all share: whatever the project has is needed."""
    listed = [
        f"{PROMPTS}/symbols.jinja",
        f"{PROMPTS}/answer.jinja",
        *(
            f"{folder}/{kind}/{name}"
            for kind in dict.fromkeys(
                used for kind in kinds for used in KINDS[kind].prompt_kinds or (kind,)
            )
            for folder, ours in TEMPLATE_FOLDERS
            for name in sorted(
                {
                    path.name
                    for place in [folder, ours]
                    for path in Path(place, kind).glob("*.jinja")
                }
            )
        ),
    ]
    return here(listed)


TEMPLATES = templates(
    *sorted(
        {entry.task for entry in TASKS.values()}
        | {stage for _, stage, _ in CONFIGURATION.stages()}
    )
)
