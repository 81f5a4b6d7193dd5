import json
from pathlib import Path

import pytest
from tests.examples import ROOT

import attach_ontology
import ingest_dataset
from nlfol.logic.ontology.ontology import OntologyError
from nlfol.store.files import digest, read, rows
from nlfol.store.schemas import TRIPLES

TARSKI = ROOT / "resources/datasets/tarski"


def entry_json(ontology: Path | None) -> str:
    return json.dumps(
        {"reader": "table", "path": str(TARSKI / "sentences.csv"), "ontology": ontology and str(ontology)}
    )


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.arrow"
    ingest_dataset.main(entry_json(None), "tarski", path)
    return path


def test_attach_ontology_makes_every_tarski_row_usable(
    tmp_path: Path, sentences: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="nlfol")
    output = tmp_path / "triples.arrow"
    attach_ontology.main(entry_json(TARSKI / "ontology.yaml"), sentences, output)
    written = rows(output, TRIPLES)
    assert written
    assert {row["status"] for row in written} == {"usable"}
    assert {row["ontology"]["derived"] for row in written} == {False}
    metadata = read(output, TRIPLES).schema.metadata
    assert metadata[b"dataset"] == b"tarski"
    assert metadata[b"made_from.sentences/tarski"].decode() == digest(sentences)
    assert metadata[b"made_from.ontology/tarski"].decode() == digest(TARSKI / "ontology.yaml")
    assert "stories usable" in caplog.text


def test_attach_ontology_derives_missing_ontology(tmp_path: Path, sentences: Path) -> None:
    output = tmp_path / "triples.arrow"
    attach_ontology.main(entry_json(None), sentences, output)
    assert {row["ontology"]["derived"] for row in rows(output, TRIPLES)} == {True}
    assert b"made_from.ontology/tarski" not in read(output, TRIPLES).schema.metadata


def test_attach_ontology_names_missing_file(tmp_path: Path, sentences: Path) -> None:
    with pytest.raises(OntologyError, match=r"absent\.yaml"):
        attach_ontology.main(entry_json(tmp_path / "absent.yaml"), sentences, tmp_path / "triples.arrow")
