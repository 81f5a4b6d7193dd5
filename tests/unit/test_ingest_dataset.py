import json
from pathlib import Path

import pytest
from tests.examples import ROOT

import ingest_dataset
from nlfol.store.files import digest, read, rows
from nlfol.store.records import SourceError
from nlfol.store.schemas import SENTENCES


def test_ingest_writes_sentences_and_logs_funnel(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="nlfol")
    source, output = tmp_path / "mine.csv", tmp_path / "out/sentences.arrow"
    source.write_text("story,text,formula,note\ns,Ann is tall.,Tall(ann),a\ns,Bob.,Tall(,b\n", encoding="utf-8")
    ingest_dataset.main(json.dumps({"reader": "table", "path": str(source)}), "mine", output)
    written = rows(output, SENTENCES)
    assert [(row["item"], row["status"], row["reason"]) for row in written] == [
        ("s:0", "usable", None),
        ("s:1", "refused", "syntax"),
    ]
    metadata = read(output, SENTENCES).schema.metadata
    assert metadata[b"dataset"] == b"mine"
    assert metadata[b"reader"] == b"table"
    assert metadata[b"made_from.source/mine"].decode() == digest(source)
    said = caplog.text
    assert "mine:      1 sentences,     1 stories usable" in said
    assert "1 refused: syntax" in said
    assert "['note'] are not used" in said


def test_ingest_logs_repair_counts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="nlfol")
    source = tmp_path / "mine.csv"
    source.write_text(
        "story,text,formula\ns,All.,∀x P(x) → Q(x)\ns,Some.,∃x P(x) ∧ Q(x)\ns,Ann.,P(ann)\n", encoding="utf-8"
    )
    ingest_dataset.main(json.dumps({"reader": "table", "path": str(source)}), "mine", tmp_path / "sentences.arrow")
    assert "mine:      2 repaired: quantifier_scope" in caplog.text


def test_ingest_output_is_byte_identical(tmp_path: Path) -> None:
    entry_json = json.dumps({"reader": "table", "path": str(ROOT / "resources/datasets/tarski/sentences.csv")})
    for name in ("a", "b"):
        ingest_dataset.main(entry_json, "tarski", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_ingest_with_invalid_entry_leaves_output_absent(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="dataset entry: entry: the key reader is missing"):
        ingest_dataset.main("{}", "mine", tmp_path / "sentences.arrow")
    assert not list(tmp_path.iterdir())
