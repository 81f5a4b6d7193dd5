"""The text of a configuration file, which Snakemake reads and tells little about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from nlfol.config.configuration import ConfigurationError
from nlfol.validation import read_yaml


def check_texts(paths: Iterable[Path | str]) -> None:
    """See that files that are there can be read, and have no key twice.

    Raises:
        ConfigurationError: if one does not; names file, line and key.
    """
    for path in map(Path, paths):
        if not path.exists():
            continue  # Snakemake says so
        try:
            read_yaml(path)
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); give a file") from error
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
        except yaml.constructor.ConstructorError as error:
            line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
            raise ConfigurationError(f"{path}: {line}{error.problem}") from error
        except (yaml.YAMLError, RecursionError) as error:
            raise ConfigurationError(f"{path}: not valid YAML: {error}") from error
