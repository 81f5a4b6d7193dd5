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
from nlfol.config.partitions import Asked, partitions_here, refused
from nlfol.config.subjects import subjects
from nlfol.config.targets import check_targets
from nlfol.config.text import check_texts

__all__ = [
    "Asked",
    "Configuration",
    "ConfigurationError",
    "as_json",
    "check_targets",
    "check_texts",
    "code_behind",
    "code_digest",
    "experiment_json",
    "partitions_here",
    "prepare_jobs",
    "read_configuration",
    "recall_modules",
    "refused",
    "remember_modules",
    "settle_capabilities",
    "source_digest",
    "subjects",
]
