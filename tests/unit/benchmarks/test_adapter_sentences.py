"""The sentences to train on are what the script writes."""

import csv
import sys
from pathlib import Path

import pytest
from benchmarks import adapter_sentences
from tests.examples import ROOT

from nlfol.logic import parse
from nlfol.logic.measuring import signature
from nlfol.logic.ontology.files import read_ontologies

SHIPPED = ROOT / "resources/datasets/everyday"


def test_adapter_sentences_script_reproduces_shipped_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["adapter_sentences.py", str(tmp_path)])
    adapter_sentences.main()
    for name in ("sentences.csv", "ontology.yaml"):
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes()


def test_adapter_formulas_use_only_ontology_symbols() -> None:
    ontologies = read_ontologies(SHIPPED / "ontology.yaml")
    with (SHIPPED / "sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["text"] for row in rows}) == len(rows) == 2400
    for row in rows:
        ontology = ontologies.of(row["story"])
        assert ontology is not None
        found = signature(parse(row["formula"]))
        assert found.predicates.items() <= {each.name: each.arity for each in ontology.predicates}.items()
        assert set(found.constants) <= {each.name for each in ontology.constants}
        assert row["answer"] == row["formula"]
