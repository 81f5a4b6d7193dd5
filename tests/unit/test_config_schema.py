"""The JSON Schema that editors check configurations by."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs import api, reference
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.unit.config_schema import ROOT, SCHEMA, text

import nlfol

CONFIGURATIONS = [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))]


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    shipped = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(shipped)
    return Draft202012Validator(shipped)


def test_shipped_schema_matches_code() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == text(), "run python -m tests.unit.config_schema"


def test_reference_page_matches_schema_and_command(validator: Draft202012Validator) -> None:
    page = reference.text(validator.schema)
    assert reference.PAGE.read_text(encoding="utf-8") == page, "run python docs/reference.py"
    assert "| `seed` | integer ≥ 0 | `20260119` | Seeds candidate sets" in page
    assert "### nlfol verify" in page


def test_api_page_matches_code() -> None:
    assert api.PAGE.read_text(encoding="utf-8") == api.text(), "run python docs/api.py"


def test_api_page_lists_results_of_all_functions() -> None:
    listed = {result.__name__ for result in api.RESULTS} | {"Formula", "list[float]", "pl.DataFrame"}
    returned = {api.signature(getattr(nlfol, name)).rpartition(" -> ")[2] for name in nlfol.__all__}
    assert {each.removesuffix(" | None") for each in returned} <= listed


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.name)
def test_configurations_name_and_satisfy_schema(path: Path, validator: Draft202012Validator) -> None:
    content = path.read_text(encoding="utf-8")
    first = content.partition("\n")[0]
    assert first.startswith("# yaml-language-server: $schema=")
    assert (path.parent / first.partition("=")[2]).resolve() == SCHEMA
    assert [error.message for error in validator.iter_errors(yaml.safe_load(content))] == []


def default() -> Any:
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def changed(values: Mapping[str, Any], path: str, value: object) -> Any:
    copy = json.loads(json.dumps(values))
    *above, last = path.split("/")
    place = copy
    for key in above:
        place = place[key]
    place[last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seeds", 3),
        ("tasks/most_similar/itms", 3),
        ("tasks/most_similar/items", "many"),
        ("tasks/mine", {"items": 3}),
        ("datasets/tarski/reader", "csv"),
        ("datasets/tarski/path", 3),
        ("models/mine", {}),
        ("models/minilm/kind", "embeding"),
        ("tasks/a b", {"task": "ranking"}),
    ],
)
def test_schema_rejects_misspelt_keys(path: str, value: object, validator: Draft202012Validator) -> None:
    assert not validator.is_valid(changed(default(), path, value))


def test_schema_allows_entry_named_like_another_kind(validator: Draft202012Validator) -> None:
    assert validator.is_valid(changed(default(), "tasks/verification", {"task": "ranking"}))
    assert validator.is_valid(changed(default(), "tasks/mine", {"task": "ranking"}))


def test_schema_describes_keys(validator: Draft202012Validator) -> None:
    assert "Seeds candidate sets" in validator.schema["properties"]["seed"]["description"]
