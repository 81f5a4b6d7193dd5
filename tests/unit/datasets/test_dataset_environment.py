from __future__ import annotations

from typing import Any

import pytest

from nlfol.datasets.entry import from_environment

OPEN = {"reader": "table", "path": "open.csv"}
PRIVATE: dict[str, Any] = {"reader": "table", "path": "${NLFOL_PRIVATE}/sentences.csv", "instead": "open"}


def test_a_variable_is_replaced_by_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_PRIVATE", "/home/me/private")
    entry = {"reader": "table", "path": "${NLFOL_PRIVATE}/sentences.csv", "ontology": None}
    found = from_environment({"mine": entry})
    assert found == {"mine": {"reader": "table", "path": "/home/me/private/sentences.csv", "ontology": None}}


def test_a_dataset_takes_the_place_of_another_where_its_variable_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_PRIVATE", "p")
    assert from_environment({"private": PRIVATE, "open": OPEN, "other": OPEN}) == {
        "private": {"reader": "table", "path": "p/sentences.csv"},
        "other": OPEN,
    }


@pytest.mark.parametrize("value", [None, ""])
def test_another_dataset_takes_its_place_under_its_own_name_where_it_is_not(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("NLFOL_PRIVATE", raising=False)
    if value is not None:
        monkeypatch.setenv("NLFOL_PRIVATE", value)
    assert from_environment({"private": PRIVATE, "open": OPEN}) == {"open": OPEN}


@pytest.mark.parametrize(("value", "left"), [("p", "private"), ("", "open")])
def test_with_a_dataset_that_is_left_out_goes_what_is_made_of_it(
    monkeypatch: pytest.MonkeyPatch, value: str, left: str
) -> None:
    monkeypatch.setenv("NLFOL_PRIVATE", value)
    made = {f"{name}_varied": {"reader": "diversified", "of": name} for name in ("private", "open")}
    found = from_environment({"private": PRIVATE, "open": OPEN, **made})
    assert list(found) == [left, f"{left}_varied"]
    assert found[f"{left}_varied"] == made[f"{left}_varied"]


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLFOL_PRIVATE", raising=False)
    with pytest.raises(ValueError, match="mine: environment variable NLFOL_PRIVATE is not set"):
        from_environment({"mine": {"reader": "table", "path": "${NLFOL_PRIVATE}/a.csv"}})


@pytest.mark.parametrize("instead", ["nothing", "private"])
def test_what_takes_its_place_has_to_be_another_entry(instead: str) -> None:
    with pytest.raises(ValueError, match=r"private\.instead names '.*'; name another entry"):
        from_environment({"private": {**PRIVATE, "instead": instead}, "open": OPEN})


def test_what_is_no_block_is_left_to_validation() -> None:
    assert from_environment(["a"]) == ["a"]
    assert from_environment({"a": 1}) == {"a": 1}
