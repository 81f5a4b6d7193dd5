# Jobs that load no model run as forks of one process, on this machine and without environments of their own; or all jobs
# in one image.

from snakemake.script import PythonScript

from fork_jobs import sharing

# For who wants to measure or debug a job by itself.
ALONE = "NLFOL_OWN_PROCESSES" in os.environ or sys.platform != "linux"

if workflow.is_main_process and workflow.local_exec and not ALONE:
    PythonScript.execute_script = sharing(
        SCRIPTS,
        lambda rule: workflow.get_rule(rule).conda_env,
        PythonScript.execute_script,
    )


# With --sdm apptainer.
if CONFIGURATION.container:

    container: CONFIGURATION.container

elif DeploymentMethod.APPTAINER in workflow.deployment_settings.deployment_method:
    sys.exit(
        "--sdm apptainer: no image is named; set the key 'container' (docs/cluster.md)"
    )
