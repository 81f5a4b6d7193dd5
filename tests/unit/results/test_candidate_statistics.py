"""Positions of the gold formula, and what candidate sets are made of."""

from pathlib import Path
from typing import Any

import pytest
from tests.stored import frame, stored
from tests.unit.results.by_definition import position_effect
from tests.unit.results.test_score_summary import score_row

from nlfol.results.analyses.members import EDIT_MIX, EDIT_MIX_TABLE, edit_mix
from nlfol.store import files, schemas
from nlfol_extras.analyses.positions import positions, sizes_of

ABOUT = {"dataset": "toy", "task": "k3", "task_kind": "most_similar", "protocol": "audited"}


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    shown = [("english", 1, 1.0), ("english", 2, 0.0), ("formula", 2, 1.0), ("formula", 2, 0.0), ("formula", 1, 1.0)]
    rows = [
        score_row(f"1:{n}", 3, score, presentation=presentation, position=position, metric="accuracy", verdict=None)
        for n, (presentation, position, score) in enumerate(shown)
    ]
    path = tmp_path / "scores.arrow"
    files.write(path, schemas.SCORES, rows, {**ABOUT, "model": "m", "kind": "chat", "available": "5"})
    return path


def test_position_counts_match_expected_right_answers(scores: Path) -> None:
    """Expected: of english 1:0 and 1:1 each its own size, of formula 2/3 of three sets of one size."""
    sizes = {("toy", "k3"): {"1:0": 2, "1:1": 3, "1:2": 4, "1:3": 4, "1:4": 4}}
    found = positions([scores], sizes)
    assert [(row["presentation"], row["position"], row["answers"], row["right"], row["expected"]) for row in found] == [
        ("english", None, 2, 1, 1),
        ("english", 1, 1, 1, 1),
        ("english", 2, 1, 0, 0),
        ("formula", None, 3, 2, pytest.approx(2)),
        ("formula", 1, 1, 1, pytest.approx(2 / 3)),
        ("formula", 2, 2, 1, pytest.approx(4 / 3)),
    ]
    assert {tuple({**row}[name] for name in ABOUT) for row in found} == {tuple(ABOUT.values())}
    statistic, freedom, p = position_effect([(4, [(2, 1.0)]), (4, [(2, 0.0)]), (4, [(1, 1.0)])])
    tested = {name: [row[name] for row in found] for name in ("statistic", "freedom", "p", "adjusted")}
    assert tested["statistic"] == [None, None, None, pytest.approx(statistic), None, None]
    # Of sets each of a size of its own nothing varies, so one p is the whole family.
    assert tested["p"] == tested["adjusted"] == [None, None, None, pytest.approx(p), None, None]
    assert tested["freedom"][3] == freedom


def test_positions_reject_items_with_unknown_size(scores: Path) -> None:
    with pytest.raises(files.StoreError, match="no ITEMS file given has item '1:0'; build the items and judge again"):
        positions([scores], {("toy", "k3"): {"1:1": 2}})


def test_positions_cover_only_choice_tasks_and_dialogue_models(tmp_path: Path) -> None:
    ranked, compared = tmp_path / "ranked.arrow", tmp_path / "compared.arrow"
    row = score_row("1:0", 3, 1.0, position=2, verdict=None)
    about = {**ABOUT, "model": "m", "kind": "chat", "available": "1"}
    files.write(ranked, schemas.SCORES, [row], {**about, "task_kind": "ranking"})
    files.write(compared, schemas.SCORES, [row | {"seed": None, "position": None}], {**about, "kind": "embedding"})
    assert positions([ranked, compared], {}) == []


def member(role: str, *change: str) -> dict[str, Any]:
    row = {"formula": "P(a)", "english": "A.", "role": role, "certificates": None}
    return row | {"edits": len(change), "change": list(change), "path": [""] * len(change)}


def test_candidate_members_and_items_are_counted(tmp_path: Path) -> None:
    sets = [
        [member("gold"), member("perturbation", "connective"), member("perturbation", "negation")],
        [member("gold"), member("perturbation", "connective"), member("perturbation", "connective", "negation")],
        [member("gold"), member("perturbation", "connective")],
        [],
    ]
    refused = {"status": "refused", "reason": "too_few_perturbations"}
    rows = [
        stored(schemas.ITEMS, item=f"1:{n}", candidates=members, **({} if members else refused))
        for n, members in enumerate(sets)
    ]
    path = tmp_path / "candidates.arrow"
    files.write(path, schemas.ITEMS, rows, ABOUT)
    assert sizes_of([path]) == {("toy", "k3"): {"1:0": 3, "1:1": 3, "1:2": 2, "1:3": 0}}
    counted = list(edit_mix(path))
    files.write(tmp_path / "mix.arrow", EDIT_MIX, counted, {})
    members = [(row["role"], row["change"], row["edits"], row["count"], row["total"]) for row in counted if row["role"]]
    assert members == [
        ("gold", [], 0, 3, 3),
        ("perturbation", ["connective"], 1, 3, 5),
        ("perturbation", ["negation"], 1, 1, 5),
        ("perturbation", ["connective", "negation"], 2, 1, 5),
    ]
    drawn = EDIT_MIX_TABLE.table(frame(EDIT_MIX, *counted))
    assert drawn.rows[-1][3:] == ("perturbation", "connective, negation", 2, 1, 0.2)
    items = [(row["perturbations"], row["count"], row["total"]) for row in counted if row["role"] is None]
    assert items == [(1, 1, 3), (2, 2, 3)]
