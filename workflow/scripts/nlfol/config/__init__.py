"""config.yaml as one validated whole; digests of code."""

from nlfol.config.checks import Asked, check_folders, check_targets, partitions_here, refused
from nlfol.config.code import code_behind, code_digest, prepare_jobs, recall_modules, remember_modules, source_digest
from nlfol.config.configuration import Configuration, subjects
from nlfol.config.reading import ConfigurationError, as_json, check_texts, experiment_json, read_configuration

__all__ = [
    "Asked", "Configuration", "ConfigurationError", "as_json", "check_folders", "check_targets", "check_texts",
    "code_behind", "code_digest", "experiment_json", "partitions_here", "prepare_jobs", "read_configuration",
    "recall_modules", "refused", "remember_modules", "source_digest", "subjects",
]  # fmt: skip
