"""Packages that take seconds to import: no process does that only to collect tests that it does not run."""

from importlib.util import find_spec
from typing import Any

import pytest


class Late:
    """A package, imported where it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):
            # Pytest asks this of all that stands in a module.
            raise AttributeError(attribute)
        return getattr(pytest.importorskip(self._name), attribute)


def needs(package: str, reason: str | None = None) -> pytest.MarkDecorator:
    """The mark of tests that are skipped where a package is not installed."""
    return pytest.mark.skipif(find_spec(package) is None, reason=reason or f"{package} is not installed")
