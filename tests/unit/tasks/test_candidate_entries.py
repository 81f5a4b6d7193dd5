"""Several entries of one kind of task beside each other."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import ONTOLOGY, SENTENCES

import attach_ontology
import build_items
import ingest_dataset
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure, holds
from nlfol.store import files, schemas

TASKS: dict[str, dict[str, Any]] = {
    "most_similar": {"presentations": ["formula"]},
    "most_similar_k3": {"task": "most_similar", "perturbations": 3, "presentations": ["formula"]},
    "most_similar_paper": {"task": "most_similar", "protocol": "paper", "presentations": ["formula"]},
    "ranking": {"presentations": ["formula"]},
    "ranking_paper": {"task": "ranking", "protocol": "paper", "presentations": ["formula"]},
}


Sets = dict[str, dict[str, dict[str, Any]]]


def sets(folder: Path, sentences: str, tasks: Mapping[str, dict[str, Any]]) -> Sets:
    """Build the items of some entries; by entry and item, the rows."""
    folder.mkdir()
    (folder / "sentences.csv").write_text(sentences, encoding="utf-8")
    (folder / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    files_of = {"path": f"{folder}/sentences.csv", "ontology": f"{folder}/ontology.yaml"}
    dataset = json.dumps({"reader": "table", **files_of})
    read, triples = folder / "sentences.arrow", folder / "triples.arrow"
    ingest_dataset.main(dataset, "mine", read)
    attach_ontology.main(dataset, read, triples)
    found: Sets = {}
    for name, entry in tasks.items():
        path = folder / f"{name}.arrow"
        build_items.main(
            triples, dataset="mine", task=name, entry_json=json.dumps({"task": name, **entry}), seed=7, output=path
        )
        found[name] = {row["item"]: row for row in files.rows(path, schemas.ITEMS)}
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Sets:
    return sets(tmp_path_factory.mktemp("entries") / "mine", SENTENCES, TASKS)


def test_a_set_with_fewer_perturbations_is_a_part_of_the_larger_one(built: Sets) -> None:
    larger, smaller = built["most_similar"], built["most_similar_k3"]
    for item, row in smaller.items():
        shown = [member["formula"] for member in row["candidates"]]
        assert shown == [member["formula"] for member in larger[item]["candidates"]][: len(shown)]
    assert {len(row["candidates"]) for row in smaller.values()} == {2, 4}


def test_the_paper_refuses_nothing_and_certifies_nothing(built: Sets) -> None:
    for task in ("most_similar_paper", "ranking_paper"):
        rows = built[task]
        assert {row["status"] for row in rows.values()} == {"usable"}
        assert {member["certificates"] is None for row in rows.values() for member in row["candidates"]} == {True}
    assert built["ranking"]["pets:3"]["reason"] == "too_few_perturbations"


def test_every_certificate_in_the_files_holds(built: Sets) -> None:
    checked = 0
    for task in ("most_similar", "most_similar_k3", "ranking"):
        for row in built[task].values():
            formulas = [parse(member["formula"]) for member in row["candidates"]]
            for formula, member in zip(formulas, row["candidates"], strict=True):
                for certificate in member["certificates"]:
                    other = formulas[certificate["to"]]
                    if certificate["verdict"] == "equivalent":
                        assert equivalence(other, formula).outcome == "equivalent"
                    else:
                        model = Structure.from_json(certificate["counter_model"])
                        assert holds(formula, model) != holds(other, model)
                    checked += 1
    assert checked > 200


def test_sets_depend_on_neither_their_entry_nor_other_items(built: Sets, tmp_path: Path) -> None:
    header, *lines = SENTENCES.splitlines(keepends=True)
    pets, chase = lines[:4], lines[4:]
    story = 'farm,No dog chases Rex.,"¬∃x (Dog(x) ∧ Chases(x, rex))"\n'
    # A story moved, one added, and sentences of a story left out and added.
    others = "".join([header, *chase[:3], story, "pets,Rex sleeps.,Sleeps(rex)\n", *pets])
    renamed = {f"other_{name}": {"task": name.split("_paper")[0].split("_k3")[0], **TASKS[name]} for name in TASKS}
    again = sets(tmp_path / "other", others, renamed)
    for name in TASKS:
        both = (built[name], again[f"other_{name}"])
        before, after = ({row["text"]: row["candidates"] for row in rows.values()} for rows in both)
        assert after.keys() - before.keys() == {"No dog chases Rex.", "Rex sleeps."}
        kept = before.keys() & after.keys()
        assert len(kept) == len(before) - 1
        assert {text: after[text] for text in kept} == {text: before[text] for text in kept}
