"""From a stage's file back to the sources, each digest looked at."""

import json
from pathlib import Path

import pytest

import attach_ontology
import ingest_dataset
from nlfol.provenance.links import Link, links
from nlfol.store import files, schemas

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
    """A dataset after its first two stages, in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("story,text,formula\ns,Ann is tall.,Tall(ann)\n", encoding="utf-8")
    Path("ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    block = {"reader": "table", "path": "mine.csv", "ontology": "ontology.yaml"}
    ingest_dataset.main(json.dumps(block), "mine", SENTENCES)
    attach_ontology.main(json.dumps(block), SENTENCES, TRIPLES)


def problems() -> list[str | None]:
    return [link.problem for link in links(TRIPLES, RESULTS)]


def test_links_lists_stage_files_and_source_digests() -> None:
    digests = {name: files.digest(Path(name)) for name in ("ontology.yaml", "mine.csv")}
    assert links(TRIPLES, RESULTS) == [
        Link(str(TRIPLES), str(SENTENCES)),
        Link(str(TRIPLES), "ontology/mine", note=f"SHA-256 {digests['ontology.yaml']}"),
        Link(str(SENTENCES), "source/mine", note=f"SHA-256 {digests['mine.csv']}"),
    ]
    Path("mine.csv").unlink()
    assert problems() == [None] * 3, "sources are not read again"
    assert links(TRIPLES, RESULTS, only=["ontology/mine"]) == links(TRIPLES, RESULTS)[1:2]


def test_link_check_stops_behind_broken_link() -> None:
    files.write(SENTENCES, schemas.SENTENCES, [], files.metadata_of(files.read(SENTENCES, schemas.SENTENCES)))
    assert problems() == [f"{TRIPLES} was made from another sentences file; run again", None]


def test_links_name_lost_file() -> None:
    SENTENCES.unlink()
    remedy = f"make {SENTENCES} again by asking Snakemake for it by name"
    assert problems()[0] == f"{TRIPLES} was made from a file that is no longer there; {remedy}"


def test_links_name_file_from_earlier_version() -> None:
    files.write(TRIPLES, schemas.TRIPLES, [], {"dataset": "mine", "sentences": "0" * 64})
    assert problems() == [f"{TRIPLES} does not say what it was made from: an earlier version made it; run again"]
