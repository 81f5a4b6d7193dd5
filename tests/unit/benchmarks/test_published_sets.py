"""Published sets counted: ours, and files as the release writes them."""

import json
import sys
from pathlib import Path

import pytest
from benchmarks.published_sets import PAPER, main, ours, released, tree_of

from nlfol.logic.reading import parse


def test_tree_shape_ignores_vocabulary_and_chain_grouping() -> None:
    assert tree_of(parse("P(a) ∧ (Q(b) ∧ ¬(P(a) ∨ P(b)))")) == "(∧aa¬(∨aa))"
    assert tree_of(parse("(P(b) ∧ Q(b)) ∧ ¬(P(a) ∨ Q(b))")) == "(∧aa¬(∨aa))"
    assert tree_of(parse("∀x1 ∃x2 ((P(x1) ∨ P(x2)) ∧ P(a))")) == "∀∃(∧(∨aa)a)"


@pytest.mark.parametrize(
    ("name", "formulas", "trees"),
    [
        (
            "k_sat",
            ["((p1 v ¬p2 v p3) ∧ (p4 v p5 v p6))", "((p2 v ¬p2 v p2) ∧ (p1 v p1 v p1))"],
            ["(∧(∨a¬aa)(∨aaa))"] * 2,
        ),
        ("propositional", ["p1", "¬¬p1"], ["a", "¬¬a"]),
        ("first_order_names", ["∀ x1 x2.∃ x3.(pred1(x1,p2) v ¬pred2(p1))"], ["∀∀∃(∨a¬a)"]),
        ("regular", ["(1)*0", "((0)*)1"], ["0*0", "0*0"]),
    ],
)
def test_released_datasets_are_read_as_trees(tmp_path: Path, name: str, formulas: list[str], trees: list[str]) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps({"info": {}, "data": [{"idx": 0, "fs": formula} for formula in formulas]}))
    assert released(name, path) == trees


def test_batch_counts_are_checked_against_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps({"data": [{"fs": "p1"}, {"fs": "p2"}]}))
    monkeypatch.setattr("benchmarks.published_sets.SETS", {"k_sat": {"grammar": "k_sat"}})
    monkeypatch.setattr(sys, "argv", ["published_sets", "--batches", "10", "--released", "k_sat", str(path)])
    monkeypatch.setattr("benchmarks.published_sets.ours", lambda name, seed, batch: [f"{batch % 5}", "a", "b"])
    with pytest.raises(SystemExit, match="not within 3% of the paper: k_sat"):
        main()
    printed = capsys.readouterr().out
    assert "3.0 items a batch,     3.0 trees" in printed
    assert "in 10: 7 trees of 30 (23.3%)" in printed
    assert "in 1: 1 trees of 2 (50.0%)" in printed
    assert f"{PAPER['k_sat']} trees" in printed


def test_clause_batch_matches_published_tree_count() -> None:
    assert len(set(ours("k_sat", 1, 1))) == pytest.approx(905, rel=0.03)
