# What jobs may use: each rule states its own need, and a model's entry may state another.

from snakemake_interface_executor_plugins.settings import DeploymentMethod

from nlfol.config import Asked, partitions_here, refused


def growing(mem_mb):
    """Memory in MB, more at every attempt: a job may have been killed for the lack of it."""
    return lambda wildcards, attempt: mem_mb * attempt


def stated(resource, otherwise=None):
    """What a model's entry states of a resource, else what the rule does, else what the profile says of all jobs."""
    of_all = (workflow.resource_settings.default_resources or {}).get(resource)

    def value(wildcards, **job):
        entry = model(wildcards)
        found = getattr(entry.resources, resource)
        if found is not None:
            return found
        if callable(otherwise):
            return otherwise(wildcards, job["attempt"])
        if otherwise is not None:
            return otherwise
        return None if of_all is None else of_all.evaluate(wildcards, **job).value

    return value


def cores(wildcards):
    """CPU cores of a model's jobs: one, as sums on several may differ in their last digit."""
    return model(wildcards).resources.threads or 1


def gpus(wildcards):
    """GPUs of a model's jobs: `device: auto` is without one only where jobs run here and this machine has none."""
    entry = model(wildcards)
    if entry.resources.gpu is not None:
        return entry.resources.gpu
    here = workflow.local_exec and not devices()
    return 0 if entry.device == "cpu" or (entry.device == "auto" and here) else 1


def server_gpus(wildcards):
    """GPUs of a model's server, as `gpus` has it for a device that nobody names."""
    stated_gpus = model(wildcards).resources.gpu
    if stated_gpus is not None:
        return stated_gpus
    return 0 if workflow.local_exec and not devices() else 1


def server_cores(wildcards):
    """CPU cores of a model's server: two, so that Snakemake's threads suffice for as many servers as there are pairs."""
    return model(wildcards).resources.threads or 2


def batch_gpus(wildcards):
    """GPUs of a job that asks an interface: none, but for `vllm run-batch`, which loads the model itself."""
    entry = model(wildcards)
    return (
        (entry.resources.gpu or 0) if entry.batch and entry.batch.kind == "vllm" else 0
    )


def inference_environment(wildcards):
    """The environment of a model that runs here, by the device that its entry names."""
    on_cpu = model(wildcards).device == "cpu"
    return f"../../envs/inference-{'cpu' if on_cpu else 'cuda'}.yaml"


def interpreter():
    """Of commands that are no scripts of Snakemake's; these have it by themselves."""
    deployed = workflow.deployment_settings.deployment_method
    return "python" if DeploymentMethod.CONDA in deployed else sys.executable


# Where a job goes, and for whom it is counted.
PLACEMENT = {
    resource: stated(resource)
    for resource in ["slurm_partition", "slurm_account", "qos", "constraint"]
}


def encoding_environment(wildcards):
    """The environment of a job that compares by an embedding model, wherever that runs."""
    return (
        inference_environment(wildcards)
        if is_local(model(wildcards))
        else "../../envs/api.yaml"
    )


def encoding_cores(wildcards):
    """Its cores: none at a server, as Snakemake runs all that ask it at once."""
    if is_served(model(wildcards)):
        return 0
    return cores(wildcards) if is_local(model(wildcards)) else 1


ENCODING = {
    **PLACEMENT,
    "gpu": lambda wildcards: gpus(wildcards) if is_local(model(wildcards)) else 0,
    "gpu_model": stated("gpu_model"),
    # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
    "tasks": 0,
    "mem_mb": stated(
        "mem_mb",
        lambda wildcards, attempt: (
            16_000 * attempt if is_local(model(wildcards)) else 4_000
        ),
    ),
    "runtime": stated("runtime", 720),
}


def refused_jobs():
    """Jobs to run that ask for more than their partition of the cluster gives."""
    # With a file of partitions, jobs that name none are sent to where they fit.
    chosen = getattr(workflow.executor_settings, "partition_config", None)
    jobs = [] if workflow.local_exec else workflow.dag.needrun_jobs()
    # A quality of service may go beyond a partition's limits.
    asked = [
        Asked.of_job(job)
        for job in jobs
        if not job.is_local and not job.resources.get("qos")
        if job.resources.get("slurm_partition") or not chosen
    ]
    return refused(asked, partitions_here()) if asked else []
