"""Remedies that errors name: each is applied to the faulty input, and the error goes."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.cli.test_score_command import said, score
from tests.workflow.checkout import ONTOLOGY, SENTENCES

from nlfol.config import ConfigurationError, check_texts, read_configuration
from nlfol.data.entry import read_entry
from nlfol.logic.ontology.files import read_ontologies
from nlfol.logic.ontology.ontology import OntologyError
from nlfol.store.records import SourceError, read_table

OPENAI = {"kind": "chat", "backend": "openai", "model": "m"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a dataset."""
    (tmp_path / "pets.csv").write_text(SENTENCES, encoding="utf-8")
    (tmp_path / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    return tmp_path


def _configured(**model: object) -> Mapping[str, Any]:
    dataset = {"reader": "table", "path": "x.csv"}
    return {"seed": 1, "datasets": {"d": dataset}, "tasks": {"logical_translation": {}}, "models": {"m": model}}


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("temperature", 0.7, "sampling.temperature"),
        ("temperature", 0, "sampling.temperature"),
        ("temperature", True, "capabilities.temperature"),
        ("tokens", 99, "limits.tokens"),
    ],
)
def test_misplaced_key_hint_names_fitting_block(key: str, value: object, meant: str) -> None:
    with pytest.raises(ConfigurationError, match="there is no such key; remove the key or correct its name") as error:
        read_configuration(_configured(**OPENAI, **{key: value}))
    (hint,) = re.findall(r"did you mean (.+)\?\)", str(error.value))
    assert hint == meant
    block, _, name = hint.partition(".")
    read_configuration(_configured(**OPENAI, **{block: {name: value}}))


@pytest.mark.parametrize(
    ("entry", "message", "remedy"),
    [
        ({"kind": "chat", "backend": "openai"}, "model: is missing; add it", {"model": "m"}),
        ({**OPENAI, "retries": "few"}, "retries: must be a whole number", {"retries": 3}),
        ({**OPENAI, "timeout": "long"}, "timeout: must be a number", {"timeout": 9.5}),
        ({**OPENAI, "limits": 5}, "limits: must be a mapping of keys to values", {"limits": {}}),
        ({**OPENAI, "limits": {"tokens": 0}}, "limits.tokens: must be greater than 0", {"limits": {"tokens": 1}}),
    ],
)
def test_entry_fault_message_is_reworded_with_remedy(
    entry: dict[str, Any], message: str, remedy: dict[str, Any]
) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)) as error:
        read_configuration(_configured(**entry))
    assert not re.search("Extra inputs|Field required|unable to parse|Input should", str(error.value))
    read_configuration(_configured(**entry | remedy))


def test_dataset_entry_fault_message_is_reworded() -> None:
    with pytest.raises(SourceError, match=r"dataset entry: table\.path: is missing; add it"):
        read_entry(json.dumps({"reader": "table"}))
    read_entry(json.dumps({"reader": "table", "path": "x.csv"}))


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_table_reader_detects_semicolon_and_tab_delimiters(tmp_path: Path, delimiter: str) -> None:
    path, rows = tmp_path / "a.csv", [["story", "text", "formula"], ["s", "Tom, a cat, runs.", "Sees(tom, rex)"]]
    content = "\r\n".join(delimiter.join(row) for row in rows).encode()
    assert read_table(path, content).rows == [("line 2", dict(zip(*rows, strict=True)))]
    faulty = content + f"\r\ns{delimiter}a{delimiter}b{delimiter}c".encode()
    name = {";": "semicolon", "\t": "tab"}[delimiter]
    with pytest.raises(SourceError, match=f"header's 3 on line 3; quote a cell that has a {name}"):
        read_table(path, faulty)
    assert len(read_table(path, faulty.replace(f"b{delimiter}c".encode(), f'"b{delimiter}c"'.encode())).rows) == 2


PROBLEM = json.dumps({"statements": ["Bob is cold."], "question": "Bob is cold.", "answer": "A"})


@pytest.mark.parametrize(
    ("numbers", "by", "dataset", "hint"),
    [
        ([f"pets:{number}" for number in range(5)], -1, "pets.csv", "subtract 1 from"),
        (["0", "1", "2", "3"], 1, "problems.jsonl", "add 1 to"),
    ],
)
def test_item_number_offset_of_all_items_is_found(
    folder: Path, numbers: list[str], by: int, dataset: str, hint: str
) -> None:
    (folder / "problems.jsonl").write_text(f"{PROBLEM}\n" * 3, encoding="utf-8")
    answer, count = ("Sleeps(tom)", 4) if dataset == "pets.csv" else ("A", 3)
    wrong = numbers[1:] if by < 0 else numbers[:-1]
    right = numbers[:-1] if by < 0 else numbers[1:]
    given = "--dataset", dataset
    done = score(folder, [{"item": item, "answer": answer} for item in wrong], *given)
    assert f"items were found: {hint} the numbers of all {count} rows, and each item has one" in done.stdout
    fewer = said(folder, [{"item": item, "answer": answer} for item in wrong if item != right[1]], *given)
    detail = f"no such item; those of all {count - 1} rows exist if you {hint} their numbers"
    assert detail in fewer["refused"][0]["detail"]
    assert said(folder, [{"item": item, "answer": answer} for item in right], *given)["refused"] == []


@pytest.mark.parametrize("text", ["seed:\n\tb: 1\n", "a:\n  b: 1\n\tc: 2\n"])
def test_yaml_tab_error_names_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    line = text[: text.index("\t")].count("\n") + 1
    with pytest.raises(ConfigurationError, match=f"line {line}: a tab where YAML allows none; use spaces instead"):
        check_texts([path])
    path.write_text(text.replace("\t", "  "), encoding="utf-8")
    check_texts([path])


def test_ontology_tab_error_is_distinct_from_missing_quote(tmp_path: Path) -> None:
    path = tmp_path / "pets.yaml"
    path.write_text(ONTOLOGY.replace("  Dog:", "\tDog:"), encoding="utf-8")
    with pytest.raises(OntologyError, match=r"pets\.yaml: line 3: a tab where YAML allows none") as error:
        read_ontologies(path)
    assert "quotation" not in str(error.value)
    path.write_text(path.read_text(encoding="utf-8").replace("\t", "  "), encoding="utf-8")
    assert yaml.safe_load(path.read_text(encoding="utf-8"))
    read_ontologies(path)
