"""Gold rows that a dataset refuses: as its files have them, as its source has them, and as items carry them."""

import json
from pathlib import Path

from tests.workflow.checkout import ONTOLOGY, SENTENCES

import attach_ontology
import build_items
import ingest_dataset
from nlfol.asking.asking import Offered
from nlfol.data.checking import check_gold
from nlfol.data.entry import read_entry
from nlfol.data.gold import Gold, read_gold
from nlfol.data.reason import Fate

REFUSED = "alone,Tom purrs.,Purrs(tom)\npets,Tom chases.,Chases(tom)\n"


def _entry(folder: Path, rows: str = REFUSED) -> str:
    (folder / "pets.csv").write_text(SENTENCES + rows, encoding="utf-8")
    (folder / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    paths = {"path": str(folder / "pets.csv"), "ontology": str(folder / "pets.yaml")}
    return json.dumps({"reader": "table", **paths})


def _triples(folder: Path) -> Path:
    entry, sentences, triples = _entry(folder), folder / "sentences.arrow", folder / "triples.arrow"
    ingest_dataset.main(entry, "pets", sentences)
    attach_ontology.main(entry, sentences, triples)
    return triples


def _offered(folder: Path, **entry: str | int) -> Offered:
    source, output = _triples(folder), folder / "items.arrow"
    given = json.dumps(entry)
    build_items.main(source, dataset="pets", task="t", task_json=given, seed=7, output=output)
    return Offered.read(output)


def test_source_and_triples_refuse_same_gold(tmp_path: Path) -> None:
    found = read_gold(_triples(tmp_path))
    assert (found.rows, [(fate.item, fate.reason) for fate in found.refused]) == (
        10,
        [("alone:0", "unknown_symbol"), ("pets:4", "wrong_arity")],
    )
    assert check_gold(read_entry(_entry(tmp_path)), 7) == found


def test_gold_check_before_run_covers_only_local_files(tmp_path: Path) -> None:
    assert check_gold(read_entry(json.dumps({"reader": "folio"})), 7).rows == 0
    assert check_gold(read_entry(json.dumps({"reader": "family", "family": "rules", "count": 1})), 7).rows == 0


def test_gold_message_lists_five_rows_and_counts_others() -> None:
    refused = tuple(Fate(f"s:{number}", "s", "syntax", "no formula; write one") for number in range(7))
    lines = Gold(12, refused).told("mine").splitlines()
    assert lines[0] == "mine: 7 of 12 gold rows refused; no model is asked about them"
    assert lines[1] == "  s:0: syntax: no formula; write one"
    assert (len(lines), lines[-1]) == (7, "  and 2 more")
    assert Gold(12).told("mine") == ""


def test_items_carry_refusals_from_dataset_and_task(tmp_path: Path) -> None:
    offered = _offered(tmp_path, task="most_similar", protocol="audited", minimum=8)
    assert offered.refused["alone:0"].startswith("the dataset refuses its gold row: unknown_symbol: predicate 'Purrs'")
    assert offered.refused["pets:3"].startswith("the task refuses the item: ")
    assert offered.available == 10


def test_story_is_refused_only_if_all_sentences_are(tmp_path: Path) -> None:
    offered = _offered(tmp_path, task="ontology_extraction", scope="story")
    assert {item.item for item in offered.items} == {"pets", "chase"}
    assert list(offered.refused) == ["alone"]
    assert offered.available == 3
