# What can be found before anything is asked: targets, interfaces and partitions that are not there.

from nlfol.config import Asked, as_json, check_targets, partitions_here, refused

try:
    check_targets(sys.argv[1:], RESULTS)
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None


localrules:
    check,


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


rule check:
    log:
        f"{RESULTS}/logs/check.log",
    conda:
        "../../envs/api.yaml"
    params:
        entries={
            name: as_json(CONFIGURATION.models[name], without={"resources"})
            for name in models_of("chat", "embedding", where=is_remote)
        },
    message:
        "Asking each interface for its models, which is free"
    script:
        "../scripts/check_models.py"


onstart:
    if lines := refused_jobs():
        raise WorkflowError(
            "\n".join(["jobs that this cluster would never run:", *lines[:10]])
        )
