# Triples -> items with their candidate sets, certified -> the audit of these.

ITEM_SETS = f"{RESULTS}/items/{{dataset}}/{{task}}.arrow"
AUDITS = f"{RESULTS}/audits/{{dataset}}/{{task}}.arrow"


# What is made of a large dataset is made in parts, side by side, and gathered by the rule that otherwise makes it whole.
scattergather:
    **{name: entry.shards for name, entry in CONFIGURATION.datasets.items()},


def part_file(file):
    """Where a part of a file lies until the file is gathered."""
    place = file.removeprefix(RESULTS).removesuffix(".arrow")
    return f"{RESULTS}/parts{place}/{{scatteritem}}.arrow"


def parts_of(file):
    """The parts of a file; none where it is made in one go."""

    def parts(wildcards):
        of_dataset = getattr(gather, wildcards.dataset)
        found = of_dataset(part_file(file), **dict(wildcards.items()))
        return found if len(found) > 1 else []

    return parts


rule build_items:
    input:
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
        parts=parts_of(ITEM_SETS),
    output:
        ITEM_SETS,
    log:
        f"{RESULTS}/logs/build_items/{{dataset}}/{{task}}.log",
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
        triples=f"{RESULTS}/datasets/{{dataset}}/triples.arrow",
    output:
        temp(part_file(ITEM_SETS)),
    log:
        f"{RESULTS}/logs/build_items/{{dataset}}/{{task}}/{{scatteritem}}.log",
    message:
        "Building and certifying the candidates of {wildcards.dataset} for {wildcards.task}, {wildcards.scatteritem}"


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
