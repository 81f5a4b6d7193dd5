"""Items of several entries, and the solved examples that are shown before them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tasks.generated_set import items_file, judged, triples_file
from tests.workflow.checkout import ONTOLOGY, SENTENCES

import attach_ontology
import build_items
import ingest_dataset
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol_extras.analyses.refusals import unasked_presentations

TASKS: dict[str, dict[str, Any]] = {
    "most_similar": {"protocol": "audited", "presentations": ["formula"]},
    "most_similar_k3": {
        "task": "most_similar",
        "protocol": "audited",
        "perturbations": 3,
        "presentations": ["formula"],
    },
    "most_similar_paper": {"task": "most_similar", "protocol": "paper", "presentations": ["formula"]},
    "ranking": {"protocol": "audited", "presentations": ["formula"]},
    "ranking_paper": {"task": "ranking", "protocol": "paper", "presentations": ["formula"]},
}


Sets = dict[str, dict[str, dict[str, Any]]]


def sets(folder: Path, sentences: str, tasks: Mapping[str, dict[str, Any]]) -> Sets:
    """Return the rows of items by entry and item."""
    folder.mkdir()
    (folder / "sentences.csv").write_text(sentences, encoding="utf-8")
    (folder / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    files_of = {"path": f"{folder}/sentences.csv", "ontology": f"{folder}/ontology.yaml"}
    dataset = json.dumps({"reader": "table", **files_of})
    read, triples = folder / "sentences.arrow", folder / "triples.arrow"
    ingest_dataset.main(dataset, folder.name, read)
    attach_ontology.main(dataset, read, triples)
    found: Sets = {}
    for name, entry in tasks.items():
        path, given = folder / f"{name}.arrow", json.dumps({"task": name, **entry})
        build_items.main(triples, dataset=folder.name, task=name, task_json=given, seed=7, output=path)
        found[name] = {row["item"]: row for row in files.rows(path, schemas.ITEMS)}
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Sets:
    return sets(tmp_path_factory.mktemp("entries") / "mine", SENTENCES, TASKS)


def test_paper_entries_accept_every_item_without_certificates(built: Sets) -> None:
    for task in ("most_similar_paper", "ranking_paper"):
        rows = built[task].values()
        assert {row["status"] for row in rows} == {"usable"}
        assert {member["certificates"] for row in rows for member in row["candidates"]} == {None}
    assert built["ranking"]["pets:3"]["reason"] == "too_few_perturbations"


def test_sets_are_independent_from_entry_and_other_items(built: Sets, tmp_path: Path) -> None:
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


FORMULAS = ["P(a)", "P(b)", "Q(a) ∨ P(a)"]
VOCABULARY = derive(map(parse, FORMULAS))
TEXTS = dict(zip(FORMULAS, ["Ann sings.", "Bert sings.", "Ann sings or dances."], strict=True))
DRAWN = [
    {"text": f"Text {number}.", "formula": formula} for number, formula in enumerate(["P(b)", "Q(b)", "¬Q(b)", "Q(c)"])
]
FEW = {"task": "round_trip", "presentations": ["few_shot"]}


def rows(
    folder: Path, formulas: Sequence[tuple[int | None, str]], entry: dict[str, Any] = FEW, **keys: Any
) -> list[dict[str, Any]]:
    triples = triples_file(folder / "t.arrow", "first_order", VOCABULARY, formulas, **keys)
    return files.rows(items_file(folder, triples, **entry), schemas.ITEMS)


def test_generated_set_examples_are_disjoint_from_items(tmp_path: Path) -> None:
    formulas = [(1, formula) for formula in FORMULAS]
    found = rows(tmp_path, formulas, exemplars=json.dumps(DRAWN))
    assert [row["exemplars"] for row in found] == [DRAWN[1:3]] * 3
    assert [row["category"] for row in found] == [1, 1, 1]
    found = rows(tmp_path, formulas, {"task": "round_trip"}, exemplars=json.dumps(DRAWN))
    assert [row["exemplars"] for row in found] == [[]] * 3


def test_sentence_example_comes_from_same_story(tmp_path: Path) -> None:
    formulas = [(None, formula) for formula in FORMULAS]
    found = rows(tmp_path, formulas, story="s", texts=TEXTS)
    for row in found:
        (shown,) = row["exemplars"]
        assert shown["formula"] in FORMULAS
        assert shown["text"] == TEXTS[shown["formula"]]
        assert shown["formula"] != row["formula"]
    assert rows(tmp_path, formulas, story="s", texts=TEXTS) == found


ALONE = [(None, "P(a)"), (None, "P(b)")]
BOTH = {"task": "round_trip", "presentations": ["few_shot", "zero_shot"]}


def test_lone_sentence_is_refused_for_few_shot_only_task(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert [row["reason"] for row in rows(tmp_path, ALONE, texts=TEXTS)] == ["no_exemplar"] * 2
    assert caplog.messages == ["WARNING: toy, t, few_shot: no item, so nothing is asked (2 no_exemplar)"]
    found = rows(tmp_path, ALONE, {"task": "round_trip"}, texts=TEXTS)
    assert [row["status"] for row in found] == ["usable"] * 2


def test_item_without_example_is_asked_zero_shot_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = rows(tmp_path, [*ALONE, (None, "Q(a) ∨ P(a)")], BOTH, story="s", texts=TEXTS)
    assert [row["unasked"] for row in found] == [[]] * 3
    assert not caplog.messages
    found = rows(tmp_path, ALONE, BOTH, texts=TEXTS)
    assert [(row["status"], row["unasked"]) for row in found] == [("usable", ["few_shot"])] * 2
    assert caplog.messages == ["WARNING: toy, t, few_shot: no item, so nothing is asked (2 no_exemplar)"]
    refused = unasked_presentations([tmp_path / "t.items.arrow"])
    assert [(row["task"], row["item"], row["reason"]) for row in refused] == [
        ("t", "0:0", "no_exemplar"),
        ("t", "1:1", "no_exemplar"),
    ]
    assert str(refused[0]["detail"]).startswith("few_shot: there is no solved example")


@pytest.mark.parametrize("kind", ["reader", "chance"])
def test_few_shot_is_skipped_for_items_without_examples(tmp_path: Path, kind: str) -> None:
    triples = triples_file(tmp_path / "t.arrow", "first_order", VOCABULARY, ALONE)
    judged(tmp_path, triples, BOTH, {"kind": kind})
    responses = files.rows(tmp_path / "t.responses.arrow", schemas.RESPONSES)
    assert {(row["item"], row["presentation"]) for row in responses} == {("0:0", "zero_shot"), ("1:1", "zero_shot")}


@pytest.mark.parametrize("drawn", ["no JSON", '[{"text": "T."}]', '{"text": "T.", "formula": "P(a)"}'])
def test_unusable_exemplar_metadata_raises_single_error(tmp_path: Path, drawn: str) -> None:
    with pytest.raises(StoreError, match="dataset toy: its triples have no usable exemplars"):
        rows(tmp_path, [(1, "P(a)")], exemplars=drawn)


def test_corrected_formula_keeps_sources_and_other_sets(built: Sets, tmp_path: Path) -> None:
    header, first, *lines = SENTENCES.splitlines(keepends=True)
    item = built["ranking"]["pets:0"]
    corrected = first.replace(item["formula"], f"¬({item['formula']})")
    assert corrected != first
    again = sets(tmp_path / "corrected", "".join([header, corrected, *lines]), TASKS)
    for name in TASKS:
        before, after = built[name], again[name]
        assert {key: row["source"] for key, row in after.items()} == {key: row["source"] for key, row in before.items()}
        assert after.pop("pets:0")["formula"] != item["formula"]
        assert {key: row["candidates"] for key, row in after.items()} == {
            key: before[key]["candidates"] for key in after
        }
    assert len({row["source"] for row in built["ranking"].values()}) == len(built["ranking"])
