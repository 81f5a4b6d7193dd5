# Items -> responses of dialogue models that several jobs ask, each about its part of the items, and their gathering.

# Sizes of the lists of failures, before any job of this run adds to them.
FAILED_IN_PARTS = {
    (dataset, task, name): sum(
        map(
            failures_seen,
            journals_of(Path(CONFIGURATION.journal, name, f"{dataset}.{task}.jsonl")),
        )
    )
    for dataset, task, name in [*CONFIGURATION.stages(), *DIALOGUES]
    if name in SHARDED
}


use rule ask_chat as ask_chat_part with:
    output:
        temp(part_file(ANSWERS_OF_ONE)),
    log:
        f"{RESULTS}/logs/ask_chat/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=several_jobs(is_local))),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"


use rule ask_api as ask_api_part with:
    output:
        temp(part_file(ANSWERS_OF_ONE)),
    log:
        f"{RESULTS}/logs/ask_api/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=several_jobs(is_remote))),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"


use rule ask_served as ask_served_part with:
    output:
        temp(part_file(ANSWERS_OF_ONE)),
    log:
        f"{RESULTS}/logs/ask_served/{{dataset}}/{{task}}/{{model}}/{{scatteritem}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat", where=several_jobs(is_served))),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}, {wildcards.scatteritem}"


# With all that decides what is asked, as its inputs are gone once it has run.
use rule ask_chat as gather_answers with:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        prompts=lambda wildcards: templates(ASKED[wildcards.task].task),
        weights=weights_of,
        server=[],
        parts=asked_parts_of(ANSWERS_OF_ONE),
    log:
        f"{RESULTS}/logs/gather_answers/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(SHARDED),
    conda:
        "../../envs/api.yaml"
    threads: 1
    resources:
        mem_mb=growing(4_000),
        runtime=60,
    params:
        failures=lambda wildcards: FAILED_IN_PARTS[
            wildcards.dataset, wildcards.task, wildcards.model
        ],
    message:
        "Gathering the answers of {wildcards.model} to {wildcards.task} on {wildcards.dataset}"
