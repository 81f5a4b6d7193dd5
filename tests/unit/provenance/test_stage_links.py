"""From a stage's file back to the sources, each digest looked at."""

import json
from pathlib import Path
from typing import Any

import pytest

import attach_ontology
import ingest_dataset
from nlfol.provenance.links import Link, links
from nlfol.provenance.manifest import to_text
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256

ONTOLOGY = """\
predicates:
  Tall: {arity: 1, positive: "{} is tall", negative: "{} is not tall"}
constants:
  ann: Ann
"""

RESULTS = Path("results")
SENTENCES = RESULTS / "datasets/mine/sentences.arrow"
TRIPLES = RESULTS / "datasets/mine/triples.arrow"


@pytest.fixture(autouse=True)
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dataset after its first two stages, with the manifest of its run, in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("story,text,formula\ns,Ann is tall.,Tall(ann)\n", encoding="utf-8")
    Path("ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    block = {"reader": "table", "path": "mine.csv", "ontology": "ontology.yaml"}
    ingest_dataset.main(json.dumps(block), "mine", SENTENCES)
    attach_ontology.main(json.dumps(block), SENTENCES, TRIPLES)
    write_manifest(block)


def write_manifest(block: dict[str, Any]) -> None:
    experiment = {"configuration": {"datasets": {"mine": block}}}
    values = {"digest": sha256(canonical(experiment)), "experiment": experiment}
    (RESULTS / "manifest.json").write_text(to_text(values), encoding="utf-8")


def problems() -> list[str | None]:
    return [link.problem for link in links(TRIPLES, RESULTS)]


def test_every_link_that_holds_is_listed() -> None:
    assert links(TRIPLES, RESULTS) == [
        Link(str(TRIPLES), str(SENTENCES)),
        Link(str(TRIPLES), "ontology.yaml"),
        Link(str(SENTENCES), "mine.csv"),
    ]


def test_another_source_and_another_ontology_are_named() -> None:
    Path("mine.csv").write_text("story,text,formula\n", encoding="utf-8")
    Path("ontology.yaml").write_text(ONTOLOGY.replace("Ann", "Anne"), encoding="utf-8")
    assert problems() == [
        None,
        f"{TRIPLES} was made from another ontology; run again",
        f"{SENTENCES} was made from another source; run again",
    ]


def test_behind_a_broken_link_nothing_is_looked_at() -> None:
    files.write(SENTENCES, schemas.SENTENCES, [], files.metadata_of(files.read(SENTENCES, schemas.SENTENCES)))
    assert problems() == [f"{TRIPLES} was made from another sentences file; run again", None]


def test_files_that_are_gone_are_named() -> None:
    Path("mine.csv").unlink()
    (problem,) = filter(None, problems())
    assert problem.startswith(f"{SENTENCES}: its source cannot be found again")
    assert problem.endswith("look from the folder of the experiment")
    SENTENCES.unlink()
    remedy = f"make {SENTENCES} again by asking Snakemake for it by name"
    assert problems()[0] == f"{TRIPLES} was made from a file that is no longer there; {remedy}"


def test_a_file_of_an_earlier_version_is_named() -> None:
    files.write(TRIPLES, schemas.TRIPLES, [], {"dataset": "mine", "sentences": "0" * 64})
    assert problems() == [f"{TRIPLES} does not say what it was made from: an earlier version made it; run again"]


def test_what_lies_elsewhere_or_at_a_publisher_is_not_looked_at_and_its_digest_told() -> None:
    write_manifest({"reader": "table", "path": "…/mine.csv", "ontology": "ontology.yaml"})
    source = links(TRIPLES, RESULTS)[-1]
    assert source == Link(
        str(SENTENCES), "…/mine.csv", note=f"not looked at; its SHA-256 was {files.digest(Path('mine.csv'))}"
    )
    write_manifest({"reader": "folio", "path": "mine.csv", "ontology": "published", "ontology_pins": ["pin.json"]})
    published = links(TRIPLES, RESULTS)[1]
    assert (published.origin, published.problem) == ("pin.json", None)
    assert published.note is not None
    assert published.note.startswith("not looked at")


def test_a_pinned_source_is_what_its_pin_says() -> None:
    pin = {"repository": "o/n", "commit": "0" * 40, "path": "mine.csv", "url": "https://example.org/mine.csv"}
    write_manifest({"reader": "folio", "pin": "pin.json", "ontology": "ontology.yaml"})
    for digest, problem in (
        (files.digest(Path("mine.csv")), None),
        ("0" * 64, f"{SENTENCES} was made from another source; run again"),
    ):
        Path("pin.json").write_text(json.dumps({**pin, "sha256": digest, "licence": "MIT"}), encoding="utf-8")
        assert links(TRIPLES, RESULTS)[-1] == Link(str(SENTENCES), "pin.json", problem)
