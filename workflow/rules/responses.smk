# Candidates -> responses, one job a model, dataset and task.

PROMPTS = "resources/prompts"


rule materialise_model:
    output:
        directory(f"{RESULTS}/weights/{{model}}"),
    log:
        f"{RESULTS}/logs/materialise_model/{{model}}.log",
    wildcard_constraints:
        model=one_of(filter(is_local, CONFIGURATION.models)),
    conda:
        "../../envs/inference.yaml"
    params:
        specification=weights_entry_of,
        stamp=stamp_of,
        code=code("weights"),
    message:
        "Preparing the weights of {wildcards.model}"
    script:
        "../scripts/materialise_model.py"


rule ask_chat:
    input:
        candidates=f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
        prompts=[
            f"{PROMPTS}/symbols.jinja",
            f"{PROMPTS}/{{task}}/system.jinja",
            f"{PROMPTS}/{{task}}/user.jinja",
        ],
        weights=weights_of,
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/ask_chat/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("chat")),
    conda:
        "../../envs/inference.yaml"
    params:
        specification=entry_of,
        presentations=lambda wildcards: presentations(wildcards.task),
        seed=CONFIGURATION.seed,
        prompts=lambda wildcards, input: str(Path(input.prompts[0]).parent),
        journal=lambda wildcards: f"{CONFIGURATION.journal}/{wildcards.model}/{wildcards.dataset}.{wildcards.task}.jsonl",
        code=code("responses"),
    message:
        "Asking {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_chat.py"


rule ask_embedding:
    input:
        candidates=f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
        weights=weights_of,
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/ask_embedding/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("embedding")),
    conda:
        "../../envs/inference.yaml"
    params:
        specification=entry_of,
        presentations=lambda wildcards: presentations(wildcards.task),
        seed=CONFIGURATION.seed,
        vectors=lambda wildcards: f"{CONFIGURATION.journal}/vectors/{wildcards.dataset}.{wildcards.task}",
        code=code("responses"),
    message:
        "Comparing by {wildcards.model} for {wildcards.task} on {wildcards.dataset}"
    script:
        "../scripts/ask_embedding.py"


rule answer_by_chance:
    input:
        candidates=f"{RESULTS}/candidates/{{dataset}}/{{task}}.arrow",
    output:
        f"{RESULTS}/responses/{{dataset}}/{{task}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/answer_by_chance/{{dataset}}/{{task}}/{{model}}.log",
    wildcard_constraints:
        model=one_of(models_of("chance")),
    conda:
        "../../envs/core.yaml"
    params:
        specification=entry_of,
        presentations=lambda wildcards: presentations(wildcards.task),
        seed=CONFIGURATION.seed,
        code=code("chance"),
    message:
        "Answering {wildcards.task} on {wildcards.dataset} by chance"
    script:
        "../scripts/answer_by_chance.py"
