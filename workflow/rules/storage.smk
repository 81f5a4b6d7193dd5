# Files beside the results: what the project ships and the user has, and what jobs write in the journal.

from snakemake_interface_executor_plugins.settings import SharedFSUsage

# Jobs that run where the files of this machine are not: pods, with --shared-fs-usage none.
ELSEWHERE = SharedFSUsage.INPUT_OUTPUT not in workflow.storage_settings.shared_fs_usage


def here(paths):
    """Return files that are no results, marked as such: whatever storage the results have, they are read from this machine."""
    if isinstance(paths, (str, Path)):
        return local(str(paths))
    return [local(str(path)) for path in paths]


def source_files(wildcards):
    """Return the files that a dataset is read from."""
    return here(CONFIGURATION.datasets[wildcards.dataset].source_files)
