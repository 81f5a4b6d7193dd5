"""Reviewed corrections of gold formulas: what a patch file must be, and what it does to sentences."""

import json
from pathlib import Path
from typing import Any

import pytest

from nlfol.data.attachment import attach
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.table import TableEntry
from nlfol.data.entry import read_entry
from nlfol.data.patches import read_patches, text_digest
from nlfol.data.reason import Reason
from nlfol.data.sentences import Dataset, Sentence
from nlfol.logic.ontology.files import Ontologies
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.store.records import SourceError

CATS = ("Some cats sleep.", " ∃x (Cat(x) → Sleeps(x))")
OPEN = ("Every cat chases a dog.", "∀x (Cat(x) → Chases(x, y))")
TWO_ARITIES = ("Tom chases.", "Chases(tom)")


def entry(index: int, text: str, published: str, formula: str, **changes: Any) -> dict[str, Any]:
    return {
        "story": "1",
        "index": index,
        "text_sha256": text_digest(text),
        "formula_sha256": text_digest(published),
        "formula": formula,
        "kinds": ["connective"],
        "reason": "It has → where ∧ is meant.",
        "evidence": "The sentence says that there is one.",
        "reviewed": True,
    } | changes


MENDED = entry(0, *CATS, "∃x (Cat(x) ∧ Sleeps(x))")


def patch_file(folder: Path, *entries: dict[str, Any]) -> str:
    path = folder / "patches.jsonl"
    path.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n\n" for entry in entries), encoding="utf-8")
    return str(path)


def folio(folder: Path, premises: list[tuple[str, str]], *entries: dict[str, Any], **options: Any) -> Dataset:
    content = {"story_id": 1, "premises": [p for p, _ in premises], "premises-FOL": [f for _, f in premises]}
    path = folder / "folio.jsonl"
    path.write_text(json.dumps(content), encoding="utf-8")
    patches = patch_file(folder, *entries)
    return FolioEntry(reader="folio", path=str(path), patches=patches, **{"gold": "corrected"} | options).read()


def test_patch_replaces_formula_and_records_reason(tmp_path: Path) -> None:
    dataset = folio(tmp_path, [CATS, ("Tom sleeps.", "Sleeps(tom)")], MENDED)
    mended, other = dataset.sentences
    assert (mended.formula, mended.source_formula) == ("∃x (Cat(x) ∧ Sleeps(x))", CATS[1])
    assert mended.to_row()["correction"] == {
        "kinds": ["connective"],
        "reason": "It has → where ∧ is meant.",
        "evidence": "The sentence says that there is one.",
        "published": "∃x (Cat(x) → Sleeps(x))",
        "symbols": None,
    }
    assert mended.regained is None
    assert (other.correction, other.regained) == (None, None)
    assert dataset.patches == read_patches(tmp_path / "patches.jsonl").digest


def test_gold_stays_published_by_default(tmp_path: Path) -> None:
    folio(tmp_path, [CATS], MENDED)
    entry = FolioEntry(reader="folio", path=str(tmp_path / "folio.jsonl"), patches=str(tmp_path / "patches.jsonl"))
    (sentence,) = entry.read().sentences
    assert (sentence.formula, sentence.correction) == ("∃x (Cat(x) → Sleeps(x))", None)
    assert entry.source_files == [str(tmp_path / "folio.jsonl")]


def test_patch_regains_refused_sentence(tmp_path: Path) -> None:
    mended = entry(0, *OPEN, "∀x (Cat(x) → ∃y (Dog(y) ∧ Chases(x, y)))", kinds=["malformed"])
    (sentence,) = folio(tmp_path, [OPEN], mended).sentences
    assert (sentence.status, sentence.regained) == ("usable", Reason.OPEN_FORMULA)


def test_patch_regains_other_sentences_in_story(tmp_path: Path) -> None:
    mended = entry(1, *TWO_ARITIES, "Hunts(tom)", kinds=["symbol"])
    first, second = folio(tmp_path, [("Tom chases Rex.", "Chases(tom, rex)"), TWO_ARITIES], mended).sentences
    assert (first.correction, first.regained) == (None, Reason.ARITY_CONFLICT)
    assert second.correction is not None
    assert second.regained is Reason.ARITY_CONFLICT


def test_corrected_formula_may_share_repaired_name(tmp_path: Path) -> None:
    neither = ("Tom is not risk-averse.", "Risk-averse(tom)")
    premises = [neither, ("Rex is.", "Risk-averse(rex)")]
    sentences = folio(tmp_path, premises, entry(0, *neither, "¬Risk_averse(tom)")).sentences
    assert [s.formula for s in sentences] == ["¬Risk_averse(tom)", "Risk_averse(rex)"]


@pytest.mark.parametrize(("formula", "reason"), [("P(a) ⊕ Q(a)", Reason.EXCLUSIVE_OR), ("P(a) ∨ Q(a)", None)])
def test_exclusive_or_check_applies_to_corrected_formula(tmp_path: Path, formula: str, reason: Reason) -> None:
    published = ("A.", "P(a) ⊕ Q(a) ⊕ R(a)")
    (sentence,) = folio(tmp_path, [published], entry(0, *published, formula)).sentences
    assert sentence.reason is reason


def test_ontology_attachment_marks_covered_correction_as_regained(tmp_path: Path) -> None:
    sleeps, tom = Predicate("Sleeps", 1, "{} sleeps", "{} does not sleep"), ConstantSymbol("tom", "Tom")
    published = ("Tom sleeps.", "Sleeeps(tom)")
    rows = [s.to_row() for s in folio(tmp_path, [published], entry(0, *published, "Sleeps(tom)")).sentences]
    assert [row["regained"] for row in rows] == [None]
    (triple,) = attach(rows, Ontologies("", Ontology((sleeps,), (), (tom,))))
    assert (triple["status"], triple["regained"]) == ("usable", "unknown_symbol")
    (refused,) = attach(rows, Ontologies("", by_story={}))
    assert (refused["reason"], refused["regained"]) == ("no_ontology", None)


def test_swapped_formulas_are_corrected_by_single_entry(tmp_path: Path) -> None:
    tom, rex = ("Tom sleeps.", "Barks(rex)"), ("Rex barks.", "Sleeps(tom)")
    other = {name: value for name, value in entry(1, *rex, "Barks(rex)").items() if name in ("index", "formula")}
    digests = {"text_sha256": text_digest(rex[0]), "formula_sha256": text_digest(rex[1])}
    both = entry(0, *tom, "Sleeps(tom)", kinds=["swapped"], other={**other, **digests})
    sentences = folio(tmp_path, [tom, rex], both).sentences
    assert [sentence.formula for sentence in sentences] == ["Sleeps(tom)", "Barks(rex)"]
    assert all(sentence.correction and sentence.correction.kinds == ["swapped"] for sentence in sentences)
    with pytest.raises(SourceError, match="entry 1:1: the sentence has changed"):
        folio(tmp_path, [tom, rex], both | {"other": {**other, **digests, "text_sha256": "0" * 64}})


def test_patch_symbol_is_visible_to_its_sentence_only(tmp_path: Path) -> None:
    sleeps, tom = Predicate("Sleeps", 1, "{} sleeps", "{} does not sleep"), ConstantSymbol("tom", "Tom")
    published = ("Rex sleeps.", "Sleeps(tom)")
    brought = entry(0, *published, "Sleeps(rex)", symbols={"constants": {"rex": "Rex"}})
    rows = [s.to_row() for s in folio(tmp_path, [published, ("Rex, too.", "Sleeps(rex)")], brought).sentences]
    first: Any
    first, second = attach(rows, Ontologies("", Ontology((sleeps,), (), (tom,))))
    assert (first["status"], first["regained"]) == ("usable", None)
    assert [constant["meaning"] for constant in first["ontology"]["constants"]] == ["Rex", "Tom"]
    assert (second["status"], second["reason"]) == ("refused", "unknown_symbol")
    (alone,) = attach(rows[:1], Ontologies("", by_story={}))
    assert (alone["status"], alone["reason"]) == ("refused", "unknown_symbol")


def corrected_table(folder: Path, formulas: list[str], *entries: dict[str, Any]) -> tuple[Sentence, ...]:
    """The sentences of a table that says one sentence with each of these formulas, under a patch file."""
    path = folder / "mine.csv"
    rows = "".join(f"1,Tom sleeps.,{formula}\n" for formula in formulas)
    path.write_text(f"story,text,formula\n{rows}", encoding="utf-8")
    patches = patch_file(folder, *entries)
    return TableEntry(reader="table", path=str(path), gold="corrected", patches=patches).read().sentences


def test_patches_apply_to_table_datasets(tmp_path: Path) -> None:
    first, second = corrected_table(
        tmp_path, ["Sleeps(x)", "Sleeps(x)"], entry(0, "Tom sleeps.", "Sleeps(x)", "Sleeps(tom)")
    )
    assert (first.formula, first.source_formula, first.regained) == ("Sleeps(tom)", "Sleeps(x)", Reason.OPEN_FORMULA)
    assert second.reason is Reason.DUPLICATE


def test_correction_creating_duplicate_row_is_refused(tmp_path: Path) -> None:
    first, second = corrected_table(
        tmp_path, ["Sleeps(tom)", "Sleeps(x)"], entry(1, "Tom sleeps.", "Sleeps(x)", "Sleeps( tom )")
    )
    assert (first.reason, first.correction) == (None, None)
    assert (second.reason, second.regained, second.formula) == (Reason.DUPLICATE, None, "Sleeps(tom)")
    assert second.correction is not None
    assert second.detail == "the same story, text and formula as 1:0; delete one of the rows"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"index": 7}, "entry 1:7: the dataset has no such sentence; remove the entry"),
        ({"text_sha256": "0" * 64}, "entry 1:0: the sentence has changed since the review"),
        ({"formula_sha256": "0" * 64}, "entry 1:0: the published formula has changed since the review"),
        ({"reviewed": False}, "line 1: entry 1:0: not reviewed; compare it with the sentence"),
        ({"formula": "∃x (Cat(x)"}, "line 1: entry 1:0: .*; correct the formula"),
        ({"formula": "Cat(tom) ∧ Cat(tom, rex)"}, "line 1: entry 1:0: predicate 'Cat' .*; correct the formula"),
        ({"formula": "Cat(x)"}, "line 1: entry 1:0: a variable is free because a quantifier's scope"),
        ({"formula": "∃x Cat(x) ∧ Sleeps(x)"}, "line 1: entry 1:0: a variable is free because a quantifier's scope"),
        ({"kinds": ["taste"]}, "line 1: not a valid entry: kinds"),
        ({"kinds": []}, "line 1: not a valid entry: .*no kinds; say what is wrong"),
        ({"kinds": ["swapped"]}, "line 1: not a valid entry: .*an entry of kind 'swapped', and no other, has 'other'"),
        ({"symbols": {"constants": {"1": "one"}}}, "line 1: entry 1:0: symbols: constant '1': a name is"),
        ({"reviewer": "me"}, "line 1: not a valid entry: reviewer: "),
        ({"reason": " "}, "line 1: not a valid entry: reason: "),
    ],
)
def test_mismatched_patch_entry_is_named_in_error(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    with pytest.raises(SourceError, match=problem) as caught:
        folio(tmp_path, [CATS], MENDED | change)
    assert "patches.jsonl" in str(caught.value)


def test_duplicate_patch_entries_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="line 3: entry 1:0 is a duplicate; keep one"):
        folio(tmp_path, [CATS], MENDED, MENDED)


def test_corrected_gold_requires_patch_file() -> None:
    with pytest.raises(SourceError, match="set the key 'patches'"):
        read_entry('{"reader": "table", "path": "mine.csv", "gold": "corrected"}')
    folio = read_entry('{"reader": "folio", "gold": "corrected"}')
    assert folio.source_files == ["resources/datasets/folio/pin.json", "resources/datasets/folio/patches.jsonl"]


def test_accepted_readings_grow_by_rule(tmp_path: Path) -> None:
    """∨ for ⊕ after "either", the literal reading of a definition; nothing that is listed, and no guard."""
    sentences = [
        ("Tom is either a cat or a dog.", "Cat(tom) ∨ Dog(tom)"),
        ("Tom is either a cat or a dog, not both.", "Cat(tom) ⊕ Dog(tom)"),
        ("A cat is a beast that purrs.", "∀x (Cat(x) ↔ Beast(x) ∧ Purrs(x))"),
        ("Some beasts purr.", "∃x Purrs(x)"),
        ("Tom is either a dog or a beast.", "Dog(tom) ⊕ Beast(tom)"),
    ]
    listed = entry(4, *sentences[4], "", also=["Beast(tom) ∨ Dog(tom)"])
    accepted = tmp_path / "accepted.jsonl"
    kept = {key: listed[key] for key in ("story", "index", "text_sha256", "formula_sha256", "also")}
    accepted.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    options = {"accepted": str(accepted), "exclusive_or": "include"}
    read = folio(tmp_path, sentences, **options, gold="accepted").sentences
    assert [one.readings[1:] for one in read] == [
        ("Cat(tom) ⊕ Dog(tom)",),
        (),
        ("∀x (Cat(x) → Beast(x) ∧ Purrs(x))",),
        (),
        ("Beast(tom) ∨ Dog(tom)",),
    ]
