# Models that are loaded here: made ready, once for all jobs.

from nlfol.models.local.materialisation import bare_twin, latest_stamp


rule materialise_model:
    input:
        adapter=lambda wildcards: (
            f"{RESULTS}/adapters/{TRAINED[wildcards.model][0]}"
            if wildcards.model in TRAINED
            else []
        ),
        base=lambda wildcards: (
            f"{RESULTS}/weights/{name}"
            if (name := bare_twin(wildcards.model, CONFIGURATION.models))
            else []
        ),
    output:
        directory(f"{RESULTS}/weights/{{model}}"),
    log:
        f"{RESULTS}/logs/materialise_model/{{model}}.log",
    wildcard_constraints:
        model=one_of(local_models()),
    priority: 1  # the longest jobs first, and what they wait for
    conda:
        "../../envs/inference-cpu.yaml"
    resources:
        mem_mb=stated("mem_mb", growing(memory.MATERIALISING)),
        runtime=240,
    params:
        **entry_params(
            "model",
            {
                name: deciding_values(CONFIGURATION.models[name])
                for name in local_models()
            },
            lambda wildcards: wildcards.model,
        ),
        # Weights at a path may be exchanged for others.
        stamp=lambda wildcards: latest_stamp(
            model(wildcards), Path(weights_of(wildcards))
        ),
        code=code("materialise_model"),
    message:
        "Preparing the weights of {wildcards.model}"
    script:
        "../scripts/materialise_model.py"
