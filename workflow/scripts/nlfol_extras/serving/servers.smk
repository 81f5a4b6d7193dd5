# Servers of models that the workflow starts, has the jobs share that ask them, and ends.

from nlfol.config import as_json


rule serve_model:
    input:
        weights=weights_of,
    output:
        service(f"{RESULTS}/servers/{{model}}.json"),
    log:
        f"{RESULTS}/logs/serve_model/{{model}}.log",
        server=f"{RESULTS}/logs/serve_model/{{model}}.server.log",
    wildcard_constraints:
        model=one_of(models_of("chat", "embedding", where=is_served)),
    conda:
        "../../../../envs/api.yaml"
    threads: server_cores
    resources:
        **PLACEMENT,
        gpu=server_gpus,
        tasks=0,
        mem_mb=stated("mem_mb", server_memory),
        runtime=stated("runtime", 720),
    params:
        # Functions of the output, which Snakemake does not compare with those of the last run: a server is started
        # because there is something to ask, and not because it would be another one.
        python=lambda wildcards, output: interpreter(),
        script=lambda wildcards, output: str(
            SCRIPTS / "nlfol_extras/serving/serve_model.py"
        ),
        entry=lambda wildcards, output: as_json(model(wildcards), without={"resources"}),
        start=lambda wildcards, output: model(wildcards).serve.start,
        command=lambda wildcards, output: json.dumps(
            model(wildcards).serve.command or []
        ),
    message:
        "Serving {wildcards.model} to the jobs that ask it"
    # No script: Snakemake ends services that are shell commands, and no others.
    shell:
        "exec {params.python:q} {params.script:q} --start {params.start} --gpus {resources.gpu}"
        " --threads {threads} --memory {resources.mem_mb} --weights {input.weights:q} --command {params.command:q}"
        " --log {log[0]:q} --server-log {log.server:q} {params.entry:q} {output:q}"
