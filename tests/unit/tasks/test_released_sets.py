"""Candidate sets as their authors released them, by stand-ins of the same form."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.released_stand_in import stand_in_for_released
from tests.unit.tasks.generated_set import items_file, triples

import audit_candidates
from nlfol.sets.released import ReleasedError
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.most_similar import MostSimilar, MostSimilarEntry
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.registry import build_task

SENTENCES = [
    ("7", "All cats purr.", "∀x (Cat(x) → Purr(x))"),
    ("7", "Tom is a cat.", "Cat(tom)"),
    ("7", "Tom purrs.", "Purr(tom)"),
    ("9", "Some cat sleeps.", "∃x (Cat(x) ∧ Sleep(x))"),
    ("11", "Tom sleeps.", "Sleep(tom)"),
    ("13", "No cat barks or Tom purrs.", "¬∃x (Cat(x) ∧ Bark(x)) ∨ Purr(tom)"),
    ("13", "No cat barks.", "¬∃x (Cat(x) ∧ Bark(x))"),
    ("13", "Some cat barks.", "∃x (Cat(x) ∧ Bark(x))"),
    ("15", "Tom is pro-cat.", "ProCat(tom)"),
]
PURR = ["∀x (Cat(x) → Purr(x))", "∀x (Cat(x) ∧ Purr(x))", "∀x Cat(x) ∧ → Purr(x)"]
TOM = ["Cat(tom)"]
SLEEP = ["∃x (Cat(x) ∧ Sleep(x))", "∃x (Cat(x) ∨ Sleep(x))"]
NO_BARK, BARK = "¬∃x (Cat(x) ∧ Bark(x))", "∃x ((Cat(x) ∧ Bark(x)))"
SETS = {
    7: [PURR, TOM],
    9: [SLEEP],
    11: [["Sleep(tom)", "¬Sleep(tom)"]],
    13: [[], [NO_BARK], [BARK]],
    15: [["Pro-cat(tom)", "¬Pro-cat(tom)"]],
}
"""Story 7 lacks the set of its last premise, and 13 has an empty one for its first; one formula cannot be read; some
sets are gold alone."""

ENGLISH = {
    7: [["All cats purr.", "All are purring cats.", "All cats?"], ["Tom is a cat."]],
    9: [["Some.", "Any."]],
    13: [[], ["No cat barks."], ["Some cat barks.", "Each cat barks."]],
    15: [["Tom is pro-cat.", "Tom is not."]],
}
"""Story 11 has none, and 13 too much."""


def built(folder: Path, **entry: Any) -> list[dict[str, Any]]:
    given = {"task": "most_similar", "protocol": "released", **entry}
    return files.rows(items_file(folder, triples(folder / "triples.arrow", SENTENCES), **given), schemas.ITEMS)


def test_stand_in_sets_are_asked_as_published_or_refused(tmp_path: Path) -> None:
    folder = stand_in_for_released(tmp_path / "Most_similar", "ms", SETS, ENGLISH)
    rows = {row["item"]: row for row in built(tmp_path, candidates=str(folder))}
    assert {name: row["reason"] for name, row in rows.items()} == {
        "7:0": None,
        "7:1": None,
        "7:2": "no_released_set",
        "9:0": None,
        "11:0": None,
        "13:0": "no_released_set",
        "13:1": None,
        "13:2": "released_set_incomplete",
        "15:0": None,
    }
    assert {name for name, row in rows.items() if row["unasked"]} == {"11:0"}
    assert rows["11:0"]["unasked"] == ["english"]
    assert rows["13:1"]["candidates"][0]["formula"] == NO_BARK
    assert [(each["formula"], each["english"]) for each in rows["7:0"]["candidates"]] == list(
        zip(PURR, ENGLISH[7][0], strict=True)
    )
    # Gold alone is a free point.
    task = MostSimilar(MostSimilarEntry(protocol="released", candidates=str(folder)))
    items = [Item.from_row(row) for row in rows.values() if row["status"] == "usable"]
    assert [task.chance(item).scores["accuracy"] for item in items] == [1 / 3, 1, 1 / 2, 1 / 2, 1, 1 / 2]
    setting = Setting(1, NoPrompts())
    orders = {tuple(task.order(setting, items[0], "english", seed)) for seed in range(20)}
    assert len(orders) == 1


def test_stand_in_sets_are_audited_with_free_point_and_unreadable_formula(tmp_path: Path) -> None:
    folder = stand_in_for_released(tmp_path / "Most_similar", "ms", SETS, ENGLISH)
    built(tmp_path, candidates=str(folder))
    audit_candidates.main(tmp_path / "t.items.arrow", dataset="toy", task="t", output=tmp_path / "audit.arrow")
    faults = {row["check"]: row["items"] for row in files.rows(tmp_path / "audit.arrow", schemas.AUDITS)}
    assert {check for check, count in faults.items() if count} == {
        "malformed",
        "no_distractor",
        "rendering_missing",
        "distractor_negates_gold",
    }


def test_stand_in_ranking_is_scored_by_published_roles(tmp_path: Path) -> None:
    members = ["Cat(tom)", "¬¬Cat(tom)", "¬¬Cat(tom) ∨", "¬Cat(tom)", "¬¬¬Cat(tom)"]
    folder = stand_in_for_released(tmp_path / "Ranking", "r", {7: [members]}, {7: [members]})
    row = next(row for row in built(tmp_path, task="ranking", candidates=str(folder)) if row["item"] == "7:1")
    roles = ["gold", "equivalent", "perturbation", "negation", "negation_normal_form"]
    assert [member["role"] for member in row["candidates"]] == roles
    task = build_task(json.dumps({"task": "ranking", "protocol": "released", "candidates": str(folder)}))
    assert task.reasoner(Item.from_row(row)).scores == {"both": 0.5, "equivalence": 0.5, "negation": 0.5}


def test_folder_without_released_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReleasedError, match=f"{tmp_path}: no list_modifications_ms_FOLIO.pkl; name the released"):
        built(tmp_path, candidates=str(tmp_path))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"protocol": "released"}, "protocol released has candidates"),
        ({"protocol": "paper", "candidates": "sets"}, "other protocols have none"),
        ({"protocol": "released", "candidates": "sets", "perturbations": 3}, "perturbations: released sets are as"),
    ],
)
def test_released_protocol_takes_folder_and_nothing_else(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_task(json.dumps({"task": "most_similar", **entry}))


def test_released_entry_is_read_again_from_all_its_keys() -> None:
    entry = MostSimilarEntry(protocol="released", candidates="sets")
    assert build_task(entry.model_dump_json()).entry == entry
