# Checks before anything is asked: of targets, interfaces and partitions.

from nlfol.config import as_json, check_targets

# Files of answers, each with its model.
ANSWERS = dict.fromkeys(
    (name, CONFIGURATION.models[name].file(dataset, task))
    for dataset, task, name in CONFIGURATION.jobs("answers")
)
LOST = [
    f"  models.{name}: no file {path}; correct the path, or put the file there"
    for name, path in ANSWERS
    # What another model of the experiment answers is made first.
    if not Path(path).is_file()
    and not Path(path).is_relative_to(f"{CONFIGURATION.results}/responses")
]
LOST += [
    f"  models.{name}: {path} is empty; put answers there"
    for name, path in ANSWERS
    if Path(path).is_file() and not Path(path).stat().st_size
]
if LOST and "NLFOL_VERIFYING" not in os.environ:
    sys.exit("\n".join(["the configuration cannot be used:", *LOST]))

try:
    check_targets(sys.argv[1:], RESULTS)
except ConfigurationError as error:
    sys.exit(str(error))


# Jobs would find it out one after another, once all items are made. What is answered already needs no key.
KEYLESS = {
    f"models.{name}: environment variable {variable} is not set; put the key there, or leave the model out"
    for dataset, task, name in CONFIGURATION.jobs("chat")
    if is_remote(CONFIGURATION.models[name])
    if (variable := CONFIGURATION.models[name].api_key_env)
    and not os.environ.get(variable, "").strip()
    if not any(
        path.exists()
        for path in journals_of(
            Path(CONFIGURATION.journal, name, f"{dataset}.{task}.jsonl")
        )
    )
}
if KEYLESS and {f"{RESULTS}/tables", f"{RESULTS}/report"}.intersection(sys.argv):
    sys.exit("\n".join(sorted(KEYLESS)))


localrules:
    check,


rule check:
    log:
        f"{RESULTS}/logs/check.log",
    conda:
        "../../envs/api.yaml"
    params:
        entries={
            name: as_json(CONFIGURATION.models[name], without={"resources"})
            for name in models_of("chat", "embedding", where=is_remote)
        },
    message:
        "Checking that each interface is reachable and has its models"
    script:
        "../scripts/check_models.py"


# Snakemake runs one such block: a second one would replace it.
onstart:
    if lines := refused_jobs():
        raise WorkflowError(
            "\n".join(["jobs that this cluster would never run:", *lines[:10]])
        )
    # Snakemake limits jobs to 100 a second, for which it looks for new ones a second after each look: ever more often.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
    # A journal that was lost or exchanged would be paid for again without a word.
    asking = {"ask_chat", "ask_api", "ask_served", "gather_answers"}
    outputs = [
        job.output[0]
        for job in workflow.dag.needrun_jobs()
        if job.rule.name in asking
    ]
    if outputs:
        from nlfol.provenance.intactness import asked_again

        for lost in asked_again(map(Path, outputs), Path(CONFIGURATION.journal)):
            print(f"warning: {lost}", file=sys.stderr, flush=True)
