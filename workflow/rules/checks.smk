# Checks before anything is asked: of targets, interfaces and partitions.

from nlfol.config import as_json, check_targets

try:
    check_targets(sys.argv[1:], RESULTS)
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None


localrules:
    check,


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
        "Checking that each interface is reachable and has its models"
    script:
        "../scripts/check_models.py"


onstart:
    if lines := refused_jobs():
        raise WorkflowError(
            "\n".join(["jobs that this cluster would never run:", *lines[:10]])
        )
