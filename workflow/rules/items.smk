# Triples, or problems -> items with their candidate sets, certified -> the audit of these.

ITEM_SETS = f"{RESULTS}/items/{{dataset}}/{{task}}.arrow"
AUDITS = f"{RESULTS}/audits/{{dataset}}/{{task}}.arrow"


rule check_language_labels:
    input:
        problems=f"{RESULTS}/datasets/{{dataset}}/problems.arrow",
    output:
        f"{RESULTS}/datasets/{{dataset}}/language_labels/{{language}}.arrow",
    log:
        f"{RESULTS}/logs/check_language_labels/{{dataset}}/{{language}}.log",
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(4_000),
        runtime=240,
    params:
        code=code("check_language_labels"),
    message:
        "Checking the labels of {wildcards.dataset} in {wildcards.language}"
    script:
        "../scripts/check_language_labels.py"


rule build_items:
    input:
        unpack(source_of_items),
        parts=parts_of(ITEM_SETS),
    output:
        ITEM_SETS,
    log:
        f"{RESULTS}/logs/build_items/{{dataset}}/{{task}}.log",
    wildcard_constraints:
        task=one_of(TASKS.keys() - TAKEN),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        **task_entry(lambda entry: entry.DECIDES_ITEMS),
        seed=CONFIGURATION.seed,
        code=task_code("build_items"),
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/build_items.py"


use rule build_items as build_items_part with:
    input:
        unpack(source_of_items),
    output:
        temp(part_file(ITEM_SETS)),
    log:
        f"{RESULTS}/logs/build_items/{{dataset}}/{{task}}/{{scatteritem}}.log",
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}, {wildcards.scatteritem}"


rule take_answers:
    input:
        items_file=lambda wildcards: (
            f"{RESULTS}/items/{{dataset}}/{TAKEN[wildcards.task].entry}.arrow"
        ),
        scores=lambda wildcards: (
            f"{RESULTS}/scores/{{dataset}}/{TAKEN[wildcards.task].entry}/"
            f"{TAKEN[wildcards.task].of}.arrow"
        ),
    output:
        ITEM_SETS,
    log:
        f"{RESULTS}/logs/take_answers/{{dataset}}/{{task}}.log",
    wildcard_constraints:
        task=one_of(TAKEN),
    conda:
        "../../envs/core.yaml"
    params:
        **task_entry(lambda entry: entry.DECIDES_ITEMS),
        code=task_code("take_answers"),
    message:
        "Building the items of {wildcards.task} on {wildcards.dataset} from a model's answers"
    script:
        "../scripts/take_answers.py"


rule audit_candidates:
    input:
        items_file=ITEM_SETS,
        parts=parts_of(AUDITS),
    output:
        AUDITS,
    log:
        f"{RESULTS}/logs/audit_candidates/{{dataset}}/{{task}}.log",
    wildcard_constraints:
        task=one_of({task for _, task in CHOICES}),
    conda:
        "../../envs/core.yaml"
    resources:
        mem_mb=growing(8_000),
        runtime=240,
    params:
        code=task_code("audit_candidates"),
    message:
        "Auditing the candidates of {wildcards.dataset} for {wildcards.task}"
    script:
        "../scripts/audit_candidates.py"


use rule audit_candidates as audit_candidates_part with:
    input:
        items_file=ITEM_SETS,
    output:
        temp(part_file(AUDITS)),
    log:
        f"{RESULTS}/logs/audit_candidates/{{dataset}}/{{task}}/{{scatteritem}}.log",
    message:
        "Auditing the candidates of {wildcards.dataset} for {wildcards.task}, {wildcards.scatteritem}"
