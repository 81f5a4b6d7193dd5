# Jobs of a cluster: which of them share an array, and which are submitted again.

from functools import partialmethod

from snakemake.jobs import Job

from nlfol.store.logs import ended_for_good


def attempts_left(job, stated=Job.restart_times.fget):
    """Return how often a job may be repeated: not if it said itself that it would end in the same way."""
    ended = job.log and ended_for_good(Path(job.log[0]))
    return job.attempt - 1 if ended else stated(job)


def run_alike(executor, jobs, run):
    """Submit jobs, those together that ask for the same."""
    alike = {}
    for job in jobs:
        asked = sorted((name, str(value)) for name, value in job.resources.items())
        alike.setdefault((job.name, job.threads, str(asked)), []).append(job)
    for listed in alike.values():
        run(executor, listed)


def none_waits(*_):
    """Return that no job is to be waited for."""
    return 0


# Here no executor is chosen yet.
if workflow.is_main_process:
    Job.restart_times = property(attempts_left)
    if slurm := sys.modules.get("snakemake_executor_plugin_slurm"):
        # The plugin (2.8.0) asks for what the first job of an array needs, and submits none of the jobs that are ready
        # while more others like them wait for a place (its #473): nobody offers them to it again.
        slurm.pending_jobs_for_rule = none_waits
        slurm.Executor.run_jobs = partialmethod(run_alike, run=slurm.Executor.run_jobs)


# Whatever reads or writes the journal runs where it lies.
if ELSEWHERE:

    localrules:
        ask_chat,
        ask_api,
        ask_chat_part,
        ask_api_part,
        gather_answers,
        ask_embedding,
        ask_embedding_api,
        offer_rewrites,
        compare_glosses,
        compare_wordings,
        estimate_costs,
        write_report,

    SERVED = models_of("chat", "embedding", where=is_served)
    if SERVED:
        sys.exit(
            f"models.{SERVED[0]}: a server that the workflow starts cannot be reached from here, as jobs run elsewhere "
            "(--shared-fs-usage); start it yourself and give base_url, or run it where the file system is shared"
        )
