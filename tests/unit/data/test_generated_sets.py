"""Sets that are generated: their rows, their symbols, what prompts may show, and their digest."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from attach_ontology import main as attach_ontology
from audit_candidates import main as audit_candidates
from build_items import main as build_items
from ingest_dataset import main as ingest_dataset
from measure_items import main as measure_items
from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.entry import read_entry
from nlfol.data.generation import exemplars, generated, recipe_of
from nlfol.data.grammars.generation import Generation
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.sets.audit_checks import REMARKS
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.store.parts import Part
from nlfol.store.records import SourceError

SCRIPTS = Path(__file__).parents[3] / "workflow" / "scripts"

SETS: dict[str, dict[str, Any]] = {
    "clauses": {"grammar": "k_sat", "values": [2, 5], "count": 3},
    "letters": {"grammar": "propositional", "vocabulary": "meanings", "values": [1, 4], "count": 3},
    "people": {"grammar": "first_order", "vocabulary": "english", "values": {"from": 1, "to": 3}, "count": 3},
    "names": {"grammar": "first_order_full", "values": [2, 6], "count": 3},
    "words": {"grammar": "regular", "values": [3, 6], "count": 3},
    "all_words": {"grammar": "regular_full", "letters": 3, "values": [3, 4], "count": 3},
}


def made(folder: Path, entry: dict[str, Any], seed: int = 7, name: str = "set") -> tuple[Path, Path]:
    sentences, triples = folder / f"{name}_sentences.arrow", folder / f"{name}_triples.arrow"
    text = json.dumps({"reader": "grammar", **entry})
    ingest_dataset(text, "set", sentences, seed=seed)
    attach_ontology(text, sentences, triples, seed=seed)
    return sentences, triples


@pytest.mark.parametrize("name", ["people", "words"])
@pytest.mark.parametrize("of", [2, 5])
def test_set_made_in_parts_equals_set_made_at_once(tmp_path: Path, name: str, of: int) -> None:
    # Of regular expressions none has depth 0: a value with a refusal and no item.
    values = [0, 1, 3] if name == "words" else [1, 2, 3]
    entry = json.dumps({"reader": "grammar", **SETS[name], "values": values})
    whole = made(tmp_path, json.loads(entry))
    sentences, triples = tmp_path / "gathered_sentences.arrow", tmp_path / "gathered_triples.arrow"
    parts = [tmp_path / f"{number}-of-{of}.arrow" for number in range(1, of + 1)]
    for number, path in enumerate(parts, 1):
        ingest_dataset(entry, "set", path, seed=7, part=Part(number, of))
    ingest_dataset(entry, "set", sentences, seed=7, part=Part(made=parts))
    assert sentences.read_bytes() == whole[0].read_bytes()
    for number, path in enumerate(parts, 1):
        attach_ontology(entry, sentences, path, seed=7, part=Part(number, of))
    attach_ontology(entry, sentences, triples, seed=7, part=Part(made=parts))
    assert triples.read_bytes() == whole[1].read_bytes()
    ingest_dataset(entry, "set", parts[0], seed=8, part=Part(1, of))
    with pytest.raises(files.StoreError, match="delete it and run again"):
        ingest_dataset(entry, "set", sentences, seed=7, part=Part(made=parts))


@pytest.mark.parametrize("name", SETS)
def test_generated_items_match_ontology_and_english_reads_back(tmp_path: Path, name: str) -> None:
    _, triples = made(tmp_path, SETS[name])
    rows = [row for row in files.rows(triples, schemas.TRIPLES) if row["status"] == "usable"]
    values = SETS[name]["values"]
    assert len(rows) == 3 * (len(values) if isinstance(values, list) else 3)
    for row in rows:
        language, ontology = LANGUAGES[row["language"]], Ontology.from_row(row["ontology"])
        sentence = language.parse(row["formula"])
        language.check(sentence, ontology)
        assert language.read_english(row["text"], ontology) is sentence
        assert language.write(sentence) == row["formula"]
    assert len({row["item"] for row in rows}) == len(rows)
    shown = json.loads(metadata_at(triples)["exemplars"])
    assert len(shown) >= 2
    if rows[0]["language"] == "first_order":
        assert all("∀" in each["formula"] or "∃" in each["formula"] for each in shown)


@pytest.mark.parametrize(
    "keys",
    [
        {"grammar": "k_sat", "protocol": "paper"},
        {"grammar": "propositional", "protocol": "paper"},
        {"grammar": "first_order", "protocol": "paper"},
        {"grammar": "first_order", "vocabulary": "english", "protocol": "paper"},
        {"grammar": "regular", "protocol": "paper"},
        {"grammar": "regular", "values": {"from": 1, "to": 40}},
        # All there is of small values.
        {"grammar": "regular", "values": [1, 2, 3], "count": 500},
        {"grammar": "propositional", "letters": 1, "values": [0, 1], "count": 100},
    ],
    ids=lambda keys: "-".join(str(value) for value in keys.values()),
)
def test_exemplars_are_disjoint_from_batch_items(keys: dict[str, Any]) -> None:
    entry = read_entry(json.dumps({"reader": "grammar", **keys}))
    assert isinstance(entry, GrammarEntry)
    items = {drawn.text for drawn in Generation(recipe_of(entry), 7).items() if drawn.refusal is None}
    outside = [each["formula"] for each in exemplars(entry, 7) if each["formula"] not in items]
    assert len(outside) >= 2
    if entry.grammar == "first_order":
        assert all("∀" in formula or "∃" in formula for formula in outside)


def test_items_sharing_tree_form_single_story(tmp_path: Path) -> None:
    sentences, _ = made(tmp_path, {"grammar": "propositional", "values": [1], "count": 12})
    rows = [row for row in files.rows(sentences, schemas.SENTENCES) if row["status"] == "usable"]
    stories: dict[str, set[str]] = {}
    for row in rows:
        stories.setdefault(row["story"], set()).add(row["tree"])
    assert all(len(trees) == 1 for trees in stories.values())
    assert len(stories) < len(rows)


def test_larger_count_keeps_items_from_smaller_count(tmp_path: Path) -> None:
    entry = SETS["people"]
    few = files.rows(made(tmp_path, entry, name="few")[0], schemas.SENTENCES)
    many = {row["item"]: row for row in files.rows(made(tmp_path, {**entry, "count": 6})[0], schemas.SENTENCES)}
    assert [many[row["item"]] for row in few] == few
    assert len(many) > len(few)


def test_refused_draws_are_rows_with_reason(tmp_path: Path) -> None:
    sentences, _ = made(tmp_path, {"grammar": "propositional", "letters": 1, "values": [2], "count": 40})
    rows = files.rows(sentences, schemas.SENTENCES)
    refused = [row for row in rows if row["status"] == "refused"]
    assert {row["reason"] for row in refused} >= {"constant", "duplicate"}
    assert all(row["detail"] for row in refused)
    assert len({row["item"] for row in rows}) == len(rows)


def test_set_digest_depends_on_seed_only(tmp_path: Path) -> None:
    def digest(seed: int, name: str) -> str:
        return metadata_at(made(tmp_path, SETS["people"], seed, name)[1])["made_from.set/set"]

    assert digest(7, "one") == digest(7, "other") != digest(8, "third")


def test_grammar_entry_hyperparameters_shape_sentences() -> None:
    def rows(**keys: Any) -> list[tuple[Any, Ontology]]:
        entry = read_entry(
            json.dumps({"reader": "grammar", "grammar": "first_order", "values": [4], "count": 20, **keys})
        )
        assert isinstance(entry, GrammarEntry)
        return [(row, ontology) for row, ontology in generated(entry, 7) if row["reason"] is None]

    for row, ontology in rows(predicates=2, constants=3, arities=[3, 4], quantifiers=[1, 1]):
        assert {symbol.arity for symbol in ontology.predicates} <= {3, 4}
        assert (len(ontology.predicates) <= 2, len(ontology.constants) <= 3) == (True, True)
        language = LANGUAGES["first_order"]
        assert language.read_english(row["text"], ontology) is language.parse(row["formula"])
    one: dict[str, Any] = {"quantifiers": [1, 1], "repetition": "uniform"}
    bound, free = rows(variables=1, **one), rows(variables=0, **one)
    # Without any share a variable stands where it must.
    assert not any(ontology.constants for _, ontology in bound)
    assert all(row["formula"].count("x1") == 2 for row, _ in free)
    paper = {"grammar": "propositional", "protocol": "paper", "values": [0, 9]}
    assert {row["category"] for row, _ in rows(**paper, levels=5)} == {0}
    assert len({row["tree"] for row, _ in rows(**paper, levels=1, branching=1)}) == 1


@pytest.mark.parametrize("of", [1, 3])
def test_multiple_batches_form_single_set(tmp_path: Path, of: int) -> None:
    entry = {**SETS["people"], "batch": [2, 5]}
    sentences, triples = made(tmp_path, entry)
    rows = files.rows(triples, schemas.TRIPLES)
    together: list[str] = []
    for batch in (2, 5):
        alone = files.rows(made(tmp_path, {**entry, "batch": batch}, name=f"{batch}")[1], schemas.TRIPLES)
        together += [row["text"] for row in alone]
        here = [row for row in rows if row["batch"] == batch]
        assert [row["item"] for row in here] == [f"b{batch}-{row['item']}" for row in alone]
    assert [row["text"] for row in rows] == together
    parts = [tmp_path / f"{number}-of-{of}.arrow" for number in range(1, of + 1)]
    text, gathered = json.dumps({"reader": "grammar", **entry}), tmp_path / "gathered.arrow"
    for number, path in enumerate(parts, 1):
        attach_ontology(text, sentences, path, seed=7, part=Part(number, of))
    attach_ontology(text, sentences, gathered, seed=7, part=Part(made=parts))
    assert gathered.read_bytes() == triples.read_bytes()


@pytest.mark.parametrize(("most", "number"), [(7, 2 + 8 + 32 + 3 * 50), (20, 2 + 8 + 32 + 16 * 50), (40, 1_842)])
def test_published_expressions_keep_derivation_depth(most: int, number: int) -> None:
    entry = read_entry(json.dumps({"reader": "grammar", "grammar": "regular", "protocol": "paper"}))
    assert isinstance(entry, GrammarEntry)
    # All values at once, as the depth is kept from the derivation, whatever the set is stratified by.
    items = [row for row, _ in _batch(entry) if row["reason"] is None]
    assert all(row["depth"] == row["category"] for row in items)
    assert sum(row["depth"] <= most for row in items) == number


@cache
def _batch(entry: GrammarEntry) -> list[tuple[Any, Ontology]]:
    return list(generated(entry, 7))


@pytest.mark.parametrize("protocol", ["audited", "paper"])
def test_formula_depth_is_carried_to_items_and_measures(tmp_path: Path, protocol: str) -> None:
    _, triples = made(tmp_path, {"grammar": "propositional", "values": [1, 3], "count": 3, "protocol": protocol})
    items, measures = tmp_path / "items.arrow", tmp_path / "measures.arrow"
    build_items(triples, dataset="set", task="t", task_json='{"task": "round_trip"}', seed=7, output=items)
    measure_items(triples, dataset="set", sensitivity=0, seed=7, output=measures)
    depths = {row["item"]: row["depth"] for row in files.rows(triples, schemas.TRIPLES) if row["reason"] is None}
    # One more than the rules with nonterminals, which of these grammars are the operators, (¬LETTER) among them.
    assert all(depth in (value := int(item[0]), value + 1, value + 2) for item, depth in depths.items())
    for path, schema in ((items, schemas.ITEMS), (measures, schemas.MEASURES)):
        assert {row["item"]: row["depth"] for row in files.rows(path, schema)} == depths


def test_sentences_from_other_seed_are_rejected(tmp_path: Path) -> None:
    sentences, triples = made(tmp_path, SETS["people"])
    with pytest.raises(SourceError, match="is not what the grammar gives now"):
        attach_ontology(json.dumps({"reader": "grammar", **SETS["people"]}), sentences, triples, seed=8)


def test_unsupported_measure_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="counts depth"):
        made(tmp_path, {**SETS["people"], "by": "states"})


def test_generated_sets_are_identical_across_hash_seeds_and_folders(tmp_path: Path) -> None:
    """D7: the released generator's sets depend on ``PYTHONHASHSEED`` and on the order of a folder's files."""
    script = (
        "from tests.unit.data.test_generated_sets import *; "
        "[made(Path('.'), SETS[name], name=name) for name in ('people', 'words')]; "
        "made(Path('.'), {**SETS['people'], 'protocol': 'paper'}, name='paper')"
    )
    found = []
    for hash_seed in ("1", "2"):
        folder = tmp_path / f"clone {hash_seed}"
        folder.mkdir()
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{SCRIPTS}:{SCRIPTS.parents[1]}"}
        subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, check=True)
        found.append({path.name: path.read_bytes() for path in folder.glob("*.arrow")})
    assert found[0] == found[1]
    assert len(set(found[0].values())) == 6


def test_generation_memory_is_constant_in_item_count(tmp_path: Path) -> None:
    """The peak of three times as many items is at most a tenth above."""
    script = (
        "import resource, sys; from tests.unit.data.test_generated_sets import *; "
        "made(Path('.'), {'grammar': 'propositional', 'values': [6, 7, 8, 9], 'count': int(sys.argv[1])}); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for count in (300, 900):
        run = subprocess.run(
            [sys.executable, "-c", script, str(count)],
            cwd=tmp_path,
            env={"PYTHONPATH": f"{SCRIPTS}:{SCRIPTS.parents[1]}"},
            capture_output=True,
            check=True,
        )
        peaks.append(int(run.stdout))
    assert peaks[1] <= 1.1 * peaks[0]


@pytest.mark.parametrize("name", ["clauses", "letters", "people", "names"])
@pytest.mark.parametrize("task", ["logical_translation", "most_similar", "ranking"])
def test_generated_formulas_serve_translation_tasks(tmp_path: Path, name: str, task: str) -> None:
    _, triples = made(tmp_path, SETS[name])
    items, audit = tmp_path / "items.arrow", tmp_path / "audit.arrow"
    build_items(triples, dataset="set", task=task, task_json=json.dumps({"task": task}), seed=7, output=items)
    rows = files.rows(items, schemas.ITEMS)
    assert all(row["reason"] for row in rows if row["status"] == "refused")
    assert sum(row["status"] == "usable" for row in rows) > len(rows) / 2
    if task != "logical_translation":
        audit_candidates(items, dataset="set", task=task, output=audit)
        found = files.rows(audit, schemas.AUDITS)
        assert found
        # A distractor that is the negation is remarked on, and no violation.
        assert {row["check"] for row in found if row["faults"]} <= {check.value for check in REMARKS}
