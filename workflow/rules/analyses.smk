# Scores, items, responses -> rows of analyses, a rule a topic of nlfol.results.analyses.registry.

FIGURES = here(CONFIGURATION.figures)
# Round trips on generated formulas, and the translations by the same models of these formulas' certified English.
TRIPS = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.CHAIN)
    if CONFIGURATION.datasets[job[0]].holds == "formulas"
]
FORMALIZATIONS = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA)
    if job[1] not in TAKEN
    and (job[0], job[2]) in {(dataset, model) for dataset, _, model in TRIPS}
]
CROSSED = [
    job for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA) if job[1] in TAKEN
]
VERIFICATIONS = CONFIGURATION.jobs_of_form(AnswerForm.VERDICT)
# Translations without an ontology, and by the same models with the dataset's.
OWN = CONFIGURATION.jobs_of_form(AnswerForm.OWN_FORMULA)
GIVEN = [
    job
    for job in CONFIGURATION.jobs_of_form(AnswerForm.FORMULA)
    if TASKS[job[1]].is_about_dataset
    and (job[0], job[2]) in {(dataset, model) for dataset, _, model in OWN}
]
# How datasets of problems are worded.
WORDED = {
    dataset: {
        key: value
        for key, value in values("datasets", dataset).items()
        if key
        in [
            "reader",
            "of",
            "protocol",
            "intensity",
            "types",
            "forms",
            "at_most",
            "glossary",
            "decoys",
        ]
    }
    for dataset in CONFIGURATION.having("problems")
}
PROBLEM_JOBS = [job for job in CONFIGURATION.jobs() if job[:2] in OF_PROBLEMS]
CHOSEN = dialogues_in(AnswerForm.CHOICE)
TRANSLATED = [
    job for job in dialogues_in(AnswerForm.FORMULA) if TASKS[job[1]].is_about_dataset
]


def items_of_jobs(jobs):
    """The ITEMS files of some jobs, each once."""
    return files_of_pairs("items", dict.fromkeys(job[:2] for job in jobs))


# The inputs of topics, by the names in the registry.
INPUTS = {
    **{
        name: files_of_datasets(name)
        for name in ["sentences", "triples", "measures", "problems"]
    },
    "item_files": ITEM_FILES,
    "candidates": files_of_pairs("items", CHOICES),
    "problem_items": files_of_pairs("items", OF_PROBLEMS),
    "examples": expand(EXAMPLES, training=TRAININGS),
    "answers": files_of_jobs("responses", CONFIGURATION.jobs("answers")),
    "responses": files_of_jobs("responses", [*CONFIGURATION.stages(), *DIALOGUES]),
    "scores": SCORES,
    "evidence": EVIDENCE,
    "choice_scores": files_of_jobs("scores", CHOSEN),
    "choice_items": items_of_jobs(CHOSEN),
    "translation_scores": files_of_jobs("scores", TRANSLATED),
    "round_trip_scores": files_of_jobs("scores", TRIPS + FORMALIZATIONS),
    "crossed_scores": files_of_jobs("scores", CROSSED),
    "verification_scores": files_of_jobs("scores", VERIFICATIONS),
    "verification_items": items_of_jobs(VERIFICATIONS),
    "own_scores": files_of_jobs("scores", OWN),
    "own_items": items_of_jobs(OWN),
    "given_scores": files_of_jobs("scores", GIVEN),
    "programs": PROGRAMS,
    "problem_scores": files_of_jobs("scores", PROBLEM_JOBS),
    "trained_programs": files_of_trained("programs", WRITTEN),
    "trained_scores": files_of_trained("scores", PROBLEM_JOBS),
    "rewritten": [
        path
        for dataset in CONFIGURATION.diversified()
        for found in [files_of_diversified(dataset), wordings_of(dataset)]
        for path in found.values()
    ],
    "figures": FIGURES,
    **rows_of(*FILES),
}
SETTINGS = {
    "compared": CONFIGURATION.compared(),
    "planned": CONFIGURATION.planned,
    "names": CONFIGURATION.published_names,
    "ways": CONFIGURATION.ways,
    "datasets": list(CONFIGURATION.datasets),
    # Whose English each of the crossed jobs takes.
    "informalizers": [TAKEN[task].of for _, task, _ in CROSSED],
    "verdicts_of": CONFIGURATION.of_answers("verdicts_of"),
    "released_models": CONFIGURATION.of_answers("released"),
    "scopes": {task: TASKS[task].scope for _, task, _ in OWN},
    "wordings": WORDED,
    "origins": TRAINED,
    "diversified": {
        dataset: {
            **files_of_diversified(dataset),
            "protocol": CONFIGURATION.datasets[dataset].protocol,
            "wordings": wordings_of(dataset),
        }
        for dataset in CONFIGURATION.diversified()
    },
}


for topic in [
    topic for topic in TOPICS.values() if topic.files and topic.rows_about in ABOUT
]:

    rule:
        name:
            f"analyse_{topic.name}"
        input:
            **{name: INPUTS[name] for name in topic.inputs if name in INPUTS},
        output:
            [f"{RESULTS}/tables/{file}" for file in topic.outputs],
        log:
            f"{RESULTS}/logs/analyse_{topic.name}.log",
        localrule: topic.is_small
        conda:
            "../../envs/core.yaml"
        resources:
            mem_mb=growing(4_000),
            runtime=60,
        params:
            topic=topic.name,
            settings={name: SETTINGS[name] for name in topic.inputs if name in SETTINGS},
            code=code("analyse", topic=topic.name),
        message:
            f"Analysing {topic.name.replace('_', ' ')}"
        script:
            "../scripts/analyse.py"
