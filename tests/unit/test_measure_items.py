"""Triples of every language -> measures."""

from pathlib import Path
from typing import Any

import pytest
from tests.stored import stored

import measure_items
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.results.analyses.formulas import complexity
from nlfol.results.analyses.generated import counts, diversity
from nlfol.store import files, schemas
from nlfol.store.parts import Part

ITEMS = [
    ("first_order", "∀x (P(x) → Q(x))", 1, "t1"),
    ("propositional", "p1 ∧ (p1 ∨ p2)", 2, "t2"),
    ("propositional", "p1 ∨ ¬p1", 2, "t3"),
    ("propositional", "p1 ∧ (p2 ∨ p1)", 2, "t2"),
    ("regular", "(01)*1", 3, "t4"),
    ("regular", "(0*1*)*", 3, "t5"),
]


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    ontology = Ontology(alphabet="01").to_row()
    given = [
        {
            "ontology": ontology,
            "language": language,
            "formula": formula,
            "category": category,
            "depth": category + 5,
            "tree": tree,
        }
        for language, formula, category, tree in ITEMS
    ]
    rows = [stored(schemas.TRIPLES, item=f"{n}:0", text=f"Text {n}.", **each) for n, each in enumerate(given)]
    refused = {"status": "refused", "reason": "duplicate", "detail": "Again.", "formula": None, "ontology": None}
    rows.append(rows[1] | {"item": "9:0", "story": "9"} | refused)
    files.write(tmp_path / "triples.arrow", schemas.TRIPLES, rows, {"dataset": "made"})
    return tmp_path / "triples.arrow"


def measured(triples: Path, output: Path, edits: int = 8, **more: Any) -> list[dict[str, Any]]:
    measure_items.main(triples, dataset="made", sensitivity=edits, seed=7, output=output, **more)
    return files.rows(output, schemas.MEASURES)


def test_measures_cover_every_language(triples: Path, tmp_path: Path) -> None:
    rows = measured(triples, tmp_path / "measures.arrow")
    assert [row["language"] for row in rows] == [language for language, *_ in ITEMS]
    assert [row["category"] for row in rows] == [1, 2, 2, 2, 3, 3]
    assert [row["depth"] for row in rows] == [6, 7, 7, 7, 8, 8]
    assert [row["constant"] for row in rows] == [False, False, True, False, False, True]
    assert [(row["operators"], row["quantifiers"], row["states"]) for row in rows[:2]] == [(1, 1, None), (2, 0, None)]
    assert (rows[4]["quantifiers"], rows[4]["states"], rows[4]["edges"], rows[4]["density"]) == (None, 3, 3, 0.5)
    assert all(row["undecided"] == 0 for row in rows)
    # Eight of nine edits are tried; the one that is not seen (see test_sensitivity) may be the ninth.
    assert (rows[0]["edits"], rows[0]["detected"]) == (6, 6)
    assert rows[1]["edits"] == 8
    assert rows[1]["detected"] in (7, 8)


def test_measure_columns_match_language_measures() -> None:
    sentences = {"first_order": "P(a)", "propositional": "p1", "regular": "0"}
    named = {name for key, text in sentences.items() for name in LANGUAGES[key].measures(LANGUAGES[key].parse(text))}  # type: ignore[index]
    assert sentences.keys() == LANGUAGES.keys()
    # The depth is that of a derivation, which a sentence does not show.
    assert named == set(schemas.MEASURE_NAMES) - {"depth"}


def test_measure_parts_gather_to_identical_bytes(triples: Path, tmp_path: Path) -> None:
    measured(triples, tmp_path / "whole.arrow")
    parts = [tmp_path / f"{number}.arrow" for number in (1, 2)]
    for number, path in enumerate(parts, 1):
        measured(triples, path, part=Part(number, 2))
    measured(triples, tmp_path / "gathered.arrow", part=Part(made=parts))
    assert (tmp_path / "gathered.arrow").read_bytes() == (tmp_path / "whole.arrow").read_bytes()


def test_zero_edits_yield_null_sensitivity(triples: Path, tmp_path: Path) -> None:
    rows = measured(triples, tmp_path / "measures.arrow", edits=0)
    assert [(row["edits"], row["detected"]) for row in rows] == [(0, 0)] * 6
    row: Any = diversity("made", triples, tmp_path / "measures.arrow")
    assert (row["edits"], row["sensitivity"], row["constant"]) == (0, None, 2)


def test_diversity_and_complexity_match_hand_computation(triples: Path, tmp_path: Path) -> None:
    measured(triples, tmp_path / "measures.arrow", edits=100)
    row = diversity("made", triples, tmp_path / "measures.arrow")
    # p1 ∧ (p1 ∨ p2) and p1 ∧ (p2 ∨ p1) share a tree. Operators: 1, 2, 2, 2, concatenation twice and a star, three
    # stars and a concatenation.
    counted = ("items", "refused", "formulas", "trees", "trees_share", "sharing", "constant", "constant_unknown")
    assert [{**row}.get(name) for name in counted] == [6, 1, 6, 5, 5 / 6, 2, 2, 0]
    assert row["operators"] == (1 + 2 + 2 + 2 + 3 + 4) / 6
    rows = files.rows(tmp_path / "measures.arrow", schemas.MEASURES)
    edits, detected = (sum(each[name] for each in rows) for name in ("edits", "detected"))
    assert (row["edits"], row["sensitivity"]) == (edits, detected / edits)
    found = complexity("made", tmp_path / "measures.arrow")
    # Expressions have no quantifiers.
    assert (found["operators"], found["quantifiers"], found["quantifiers_0"]) == (14 / 6, 1 / 4, 3 / 4)


def test_complexity_kinds_match_paper_definition(triples: Path, tmp_path: Path) -> None:
    """A kind counts once, quantifiers too: ∀ →, ∧ ∨, ∨ ¬, ∧ ∨ and nothing of expressions; then ∀ ∃ ¬ ∧ →."""
    rows = measured(triples, tmp_path / "measures.arrow", edits=0)
    found = complexity("made", tmp_path / "measures.arrow")
    assert (found["kinds"], found["kinds_3"], found["quantifier_kinds_1"]) == (2, 0, 1 / 4)
    sizes = {"negations": 3, "conjunctions": 2, "implications": 1, "universal": 2, "existential": 1}
    files.write(tmp_path / "five.arrow", schemas.MEASURES, [rows[0] | sizes], {"dataset": "made"})
    found = complexity("made", tmp_path / "five.arrow")
    assert [found[name] for name in ("kinds", "kinds_5", "quantifier_kinds_1", "quantifier_kinds_2")] == [5, 1, 0, 1]


def test_counts_cover_every_item_value(triples: Path, tmp_path: Path) -> None:
    measured(triples, tmp_path / "measures.arrow", edits=0)
    rows = counts("made", tmp_path / "measures.arrow")
    assert {row["dataset"] for row in rows} == {"made"}
    found: dict[str, dict[float, int]] = {}
    for row in rows:
        found.setdefault(row["measure"], {})[row["value"]] = row["items"]
    assert list(found)[:2] == ["category", "operators"]
    assert found["category"] == {1: 1, 2: 3, 3: 2}
    assert found["operators"] == {1: 1, 2: 3, 3: 1, 4: 1}
    # Expressions have no quantifiers, and no formula has ↔.
    assert found["quantifiers"] == {0: 3, 1: 1}
    assert "equivalences" not in found


def test_counts_cover_generated_items_only(triples: Path, tmp_path: Path) -> None:
    rows = [row | {"category": None} for row in measured(triples, tmp_path / "measures.arrow", edits=0)]
    files.write(tmp_path / "plain.arrow", schemas.MEASURES, rows, {"dataset": "made"})
    assert counts("made", tmp_path / "plain.arrow") == []


def test_diversity_rejects_measures_from_other_items(triples: Path, tmp_path: Path) -> None:
    measured(triples, tmp_path / "half.arrow", part=Part(1, 2))
    with pytest.raises(files.StoreError, match="of other items than"):
        diversity("made", triples, tmp_path / "half.arrow")
