# Glosses of models' own symbols -> their cosines with the gold glosses; the English of round trips -> BERTScore.


rule compare_glosses:
    input:
        items_file=f"{RESULTS}/items/{{dataset}}/{{task}}.arrow",
        responses=f"{RESULTS}/responses/{{dataset}}/{{task}}/{{answers}}.arrow",
        weights=weights_of,
        server=server_of,
    output:
        f"{RESULTS}/glosses/{{dataset}}/{{task}}/{{answers}}/{{model}}.arrow",
    log:
        f"{RESULTS}/logs/compare_glosses/{{dataset}}/{{task}}/{{answers}}/{{model}}.log",
    wildcard_constraints:
        answers=one_of(CONFIGURATION.models),
        model=one_of(models_of("embedding")),
    conda:
        encoding_environment
    threads: encoding_cores
    resources:
        **ENCODING,
    params:
        **MODEL_ENTRY,
        **task_entry(lambda entry: entry.DECIDES_REQUESTS | {"bertscore"}),
        vectors=vectors_of,
        sharers=f"{CONFIGURATION.journal}/.sharers",
        providers=PROVIDERS,
        code=task_code("compare_glosses"),
    message:
        "Comparing the glosses of {wildcards.answers} in {wildcards.task} on {wildcards.dataset} by {wildcards.model}"
    script:
        "../scripts/compare_glosses.py"
