"""Variables of the environment in entries of datasets, and entries that replace one another."""

from typing import Any

import pytest

from nlfol.config import ConfigurationError, read_configuration
from nlfol.data.entry import from_environment

OPEN = {"reader": "table", "path": "open.csv"}
PRIVATE: dict[str, Any] = {"reader": "table", "path": "${NLFOL_PRIVATE}/sentences.csv", "instead": "open"}
READ = {"reader": "table", "path": "p/sentences.csv"}
REWORDED = {f"{name}_varied": {"reader": "diversified", "of": name} for name in ("private", "open")}


@pytest.mark.parametrize(
    ("value", "entries", "left"),
    [
        ("p", {"mine": {**PRIVATE, "instead": None, "ontology": None}}, {"mine": {**READ, "ontology": None}}),
        ("p", {"private": PRIVATE, "open": OPEN, "other": OPEN}, {"private": READ, "other": OPEN}),
        (None, {"private": PRIVATE, "open": OPEN}, {"open": OPEN}),
        ("", {"private": PRIVATE, "open": OPEN}, {"open": OPEN}),
        # With a dataset that is left out go those that are made of it.
        ("p", {"private": PRIVATE, "open": OPEN, **REWORDED}, {"private": READ, "private_varied": ...}),
        ("", {"private": PRIVATE, "open": OPEN, **REWORDED}, {"open": OPEN, "open_varied": ...}),
        # What is no block is left to validation.
        ("p", ["a"], ["a"]),
        ("p", {"a": 1}, {"a": 1}),
    ],
)
def test_entry_with_set_variable_replaces_other_entry(
    monkeypatch: pytest.MonkeyPatch, value: str | None, entries: Any, left: Any
) -> None:
    monkeypatch.delenv("NLFOL_PRIVATE", raising=False)
    if value is not None:
        monkeypatch.setenv("NLFOL_PRIVATE", value)
    if isinstance(left, dict):
        left = {name: REWORDED[name] if entry is ... else entry for name, entry in left.items()}
    assert from_environment(entries) == left


@pytest.mark.parametrize("instead", ["nothing", "private", None])
def test_environment_error_names_variable_or_key(monkeypatch: pytest.MonkeyPatch, instead: str | None) -> None:
    monkeypatch.delenv("NLFOL_PRIVATE", raising=False)
    named = r"private\.instead names '.*'; name another entry"
    with pytest.raises(
        ValueError, match=named if instead else "private: environment variable NLFOL_PRIVATE is not set"
    ):
        from_environment({"private": {**PRIVATE, "instead": instead}, "open": OPEN})


@pytest.mark.parametrize("value", ["p", ""])
def test_task_is_asked_of_named_datasets_that_are_there(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NLFOL_PRIVATE", value)
    values = {
        "seed": 7,
        "datasets": {"private": PRIVATE, "open": OPEN, "other": OPEN},
        "tasks": {"logical_translation": {"datasets": ["private", "open"]}},
        "models": {"chance": {"kind": "chance"}},
    }
    assert read_configuration(values).pairs() == [("private" if value else "open", "logical_translation")]
    values["datasets"] = {"open": OPEN}
    with pytest.raises(ConfigurationError, match=r"logical_translation\.datasets names private"):
        read_configuration(values)
