# Jobs that load no model run as forks of one process, on this machine and without environments of their own.

from snakemake.script import PythonScript

from fork_jobs import SharedProcess

SHARED = SharedProcess()
# Those that Snakemake gives each job for its temporary files.
FOLDERS = ["TMPDIR", "TMP", "TEMPDIR", "TEMP"]


def shares(script):
    """Tell whether a job of this workflow can be a fork: it has one core, and nothing that its own process needs."""
    # Snakemake measures a benchmark by the process that it starts.
    apart = [
        script.conda_env,
        script.container_img,
        script.env_modules,
        script.shadow_dir,
        script.bench_record,
    ]
    ours = (
        script.is_local
        and Path(script.local_path).resolve().parent == SCRIPTS.resolve()
    )
    if not ours or script.threads != 1 or any(part is not None for part in apart):
        return False
    environment = workflow.get_rule(script.rulename).conda_env
    return isinstance(environment, str) and environment.endswith("envs/core.yaml")


def run_shared(script, name, edit=False, alone=PythonScript.execute_script):
    """Run the script of a job, as a fork or as Snakemake does."""
    folder = {variable: script.resources.tmpdir for variable in FOLDERS}
    if not (shares(script) and SHARED.run(name, folder)):
        alone(script, name, edit)


# For who wants to measure or debug a job by itself.
ALONE = "NLFOL_OWN_PROCESSES" in os.environ or sys.platform != "linux"

if workflow.is_main_process and workflow.local_exec and not ALONE:
    PythonScript.execute_script = run_shared
