# Servers of models that the workflow starts, has the jobs share that ask them, and ends.


rule serve_model:
    output:
        service(f"{RESULTS}/servers/{{model}}.json"),
    log:
        f"{RESULTS}/logs/serve_model/{{model}}.log",
        server=f"{RESULTS}/logs/serve_model/{{model}}.vllm.log",
    wildcard_constraints:
        model=one_of(filter(is_served, CONFIGURATION.models)),
    conda:
        "../../envs/api.yaml"
    threads: server_cores
    resources:
        **PLACEMENT,
        gpu=server_gpus,
        gpu_model=stated("gpu_model"),
        tasks=0,
        mem_mb=stated("mem_mb", 32_000),
        runtime=stated("runtime", 720),
    params:
        python=interpreter,
        script=f"{workflow.basedir}/workflow/scripts/serve_model.py",
        specification=entry_of,
        start=lambda wildcards: CONFIGURATION.models[wildcards.model].serve.start,
    message:
        "Serving {wildcards.model} to the jobs that ask it"
    # No script: Snakemake ends services that are shell commands, and no others.
    shell:
        "exec {params.python:q} {params.script:q} --start {params.start} --gpus {resources.gpu}"
        " --log {log[0]:q} --server-log {log.server:q} {params.specification:q} {output:q}"
