# Resources of jobs: each rule states its need, and a model's entry may override it.

from snakemake_interface_executor_plugins.settings import DeploymentMethod

from nlfol.config import Asked, partitions_here, refused
from nlfol.models.entries import memory
from nlfol.models.local.materialisation import megabytes


def growing(mem_mb):
    """Return the memory in MB, more at every attempt: a job may have been killed for the lack of it."""
    return lambda wildcards, attempt: mem_mb * attempt


def stated(resource, otherwise=None):
    """Return a resource as a model's entry states it, else as the rule does, else as the profile does for all jobs."""
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
    """Return the CPU cores of a model's jobs: one, as sums on several may differ in their last digit."""
    return model(wildcards).resources.threads or 1


def gpus(wildcards):
    """Return the GPUs of a model's jobs: none with `device: auto` if jobs run on this machine and it has none."""
    entry = model(wildcards)
    if entry.resources.gpu is not None:
        return entry.resources.gpu
    here = workflow.local_exec and not devices()
    return 0 if entry.device == "cpu" or (entry.device == "auto" and here) else 1


def server_gpus(wildcards):
    """Return the GPUs of a model's server, as `gpus` does for an unnamed device."""
    stated_gpus = model(wildcards).resources.gpu
    if stated_gpus is not None:
        return stated_gpus
    return 0 if workflow.local_exec and not devices() else 1


def server_cores(wildcards):
    """Return the CPU cores of a model's server: two, and without a GPU one for each 2 GB of weights.

    With two, Snakemake's threads suffice for one server per two cores.
    """
    stated_cores = model(wildcards).resources.threads
    size = megabytes(model(wildcards), Path(weights_of(wildcards))) or 0
    return stated_cores or (2 if server_gpus(wildcards) else max(2, size // 2_000))


def server_memory(wildcards, attempt):
    """Return the memory of a model's server, in MB, by the size of its weights, where that is known."""
    return memory.of_server(
        megabytes(model(wildcards), Path(weights_of(wildcards))), attempt
    )


def inference_environment(wildcards):
    """Return the environment of a local model, by the device that its entry names."""
    on_cpu = model(wildcards).device == "cpu"
    return f"../../envs/inference-{'cpu' if on_cpu else 'cuda'}.yaml"


def interpreter():
    """Return the Python of shell commands; Snakemake gives scripts theirs."""
    deployed = workflow.deployment_settings.deployment_method
    elsewhere = {DeploymentMethod.CONDA, DeploymentMethod.APPTAINER} & deployed
    return "python" if elsewhere else sys.executable


# Where a job runs, and which account pays.
PLACES = ["slurm_partition", "slurm_account", "qos", "constraint", "gpu_model"]

# What no model states, the profile does: Snakemake calls each of a rule's functions several times a job.
PLACEMENT = {
    resource: stated(resource)
    for resource in PLACES
    if any(
        getattr(entry.resources, resource) is not None
        for entry in CONFIGURATION.models.values()
        if "resources" in type(entry).model_fields
    )
}


def encoding_environment(wildcards):
    """Return the environment of a job that compares by an embedding model, local or remote."""
    return (
        inference_environment(wildcards)
        if is_local(model(wildcards))
        else "../../envs/api.yaml"
    )


def encoding_cores(wildcards):
    """Return the cores of such a job: none at a server, as Snakemake runs all that ask it at once."""
    if is_served(model(wildcards)):
        return 0
    return cores(wildcards) if is_local(model(wildcards)) else 1


ENCODING = {
    **PLACEMENT,
    "gpu": lambda wildcards: gpus(wildcards) if is_local(model(wildcards)) else 0,
    # With one task for each GPU, as some profiles ask of all jobs, a script would run once for each.
    "tasks": 0,
    "mem_mb": stated(
        "mem_mb",
        lambda wildcards, attempt: (
            memory.ASKING * attempt if is_local(model(wildcards)) else 4_000
        ),
    ),
    "runtime": stated("runtime", 720),
}


def refused_jobs():
    """Return the jobs to run that ask for more than their partition of the cluster gives."""
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
