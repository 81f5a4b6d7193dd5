"""config.yaml as one validated whole; digests of code."""

from nlfol.config.checks import check_targets
from nlfol.config.code import code_behind, code_digest, prepare_jobs, recall_modules, remember_modules, source_digest
from nlfol.config.configuration import Configuration, subjects
from nlfol.config.reading import ConfigurationError, as_json, check_texts, experiment_json, read_configuration

__all__ = [
    "Configuration", "ConfigurationError", "as_json", "check_targets", "check_texts", "code_behind",
    "code_digest", "experiment_json", "prepare_jobs", "read_configuration", "recall_modules",
    "remember_modules", "source_digest", "subjects",
]  # fmt: skip
