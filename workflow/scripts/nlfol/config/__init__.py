"""config.yaml as one validated whole; digests of code."""

from nlfol.config.code import (
    code_behind,
    code_digest,
    prepare_jobs,
    recall_modules,
    remember_modules,
    source_digest,
)
from nlfol.config.configuration import (
    Configuration,
    ConfigurationError,
    as_json,
    experiment_json,
    read_configuration,
    settle_capabilities,
)
from nlfol.config.text import check_texts

__all__ = [
    "Configuration",
    "ConfigurationError",
    "as_json",
    "check_texts",
    "code_behind",
    "code_digest",
    "experiment_json",
    "prepare_jobs",
    "read_configuration",
    "recall_modules",
    "remember_modules",
    "settle_capabilities",
    "source_digest",
]
