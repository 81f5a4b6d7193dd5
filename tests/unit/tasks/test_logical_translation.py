"""Translations judged by meaning, BLEU and LE by values worked out by hand, and the English of edited formulas."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import said
from tests.property.strategies import formulas
from tests.unit.logic.hard_pairs import LEFT_GROUP
from tests.unit.tasks.generated_set import items_file, triples_file

from nlfol.asking.asking import usable_items
from nlfol.logic.boards import board
from nlfol.logic.equivalence import equivalence
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import Atom, Equality, Formula, distinct_subformulas
from nlfol.tasks.explaining import with_evidence
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.metrics import bleu, malls_le
from nlfol.tasks.plan import Reply
from nlfol.tasks.task import Judgement

ONTOLOGY = derive([parse(GOLD), parse("Cube(a) ∧ Larger(a, b)")])
ASKED = examples.item(GOLD, "Every cube is small.", ontology=ONTOLOGY)


def judged(answer: object, asked: Item = ASKED, **entry: Any) -> Judgement:
    return LogicalTranslation(LogicalTranslationEntry(**entry)).judge_answer(asked, [], said(answer))


def explained(formula: str, asked: Item = ASKED) -> Judgement:
    """The judgement of an answer, with its evidence."""
    task = LogicalTranslation()
    (found,) = with_evidence(task, asked, [task.judge(asked, [Reply("", "answered", said(formula))])])
    return found


@pytest.mark.parametrize(
    ("formula", "verdict", "score"),
    [
        (GOLD, "equivalent", 1), ("¬∃y (Cube(y) ∧ ¬Small(y))", "equivalent", 1),
        ("∀x Cube(x) → Small(x)", "equivalent", 1), ("∃x (Cube(x) ∧ Small(x))", "not_equivalent", 0),
        ("∀x (Block(x) → Small(x))", "invalid", 0), ("∀x (Cube(x, a) → Small(x))", "invalid", 0),
        ("∀x (Cube(x) → Small(c))", "invalid", 0), ("Cube(x) → Small(x)", "invalid", 0),
    ],
)  # fmt: skip
def test_translations_are_judged_by_meaning(formula: str, verdict: str, score: int) -> None:
    found = judged(formula)
    assert (found.outcome, found.verdict, found.scores["equivalence"]) == ("answered", verdict, score)
    assert found.scores.keys() == {"equivalence", "bleu", "le"}
    assert found.answer == formula


def test_wrong_translation_has_countermodel() -> None:
    found = explained("∃x (Cube(x) ∧ Small(x))")
    assert found.counter_model is not None
    assert holds(parse(GOLD), found.counter_model) != holds(parse("∃x (Cube(x) ∧ Small(x))"), found.counter_model)
    assert (found.means, found.relation) == ("finite_structure", "independent")
    assert found.detail == (
        "a world of one thing (thing 1): none of the predicates holds of anything. "
        "The sentence is true there, the translation false"
    )


def test_translation_reading_is_tolerant_or_strict() -> None:
    text = "Answer: forall x (Cube(x) -> Small(x))"
    tolerant, strict = judged(text), LogicalTranslation(LogicalTranslationEntry(reading="strict"))
    assert (tolerant.verdict, tolerant.dialect, tolerant.formula) == ("equivalent", "ascii", GOLD)
    assert tolerant.repairs
    assert tolerant.policy == "reading tolerant, unbound variables invalid"
    unread = strict.judge(ASKED, [Reply("", "answered", said(text))])
    assert (unread.outcome, unread.verdict) == ("unparsable", None)


def test_undecided_translation_counts_as_wrong() -> None:
    found = judged(f"({LEFT_GROUP}) ∧ ∀x ∀y m(x, y) = m(y, x)", examples.item(LEFT_GROUP, "It is a group."))
    assert (found.verdict, found.scores["equivalence"]) == ("unknown", 0)


def test_ambiguous_translation_has_empty_verdict() -> None:
    """Also if the reading that comes first is the gold formula."""
    gold = "∀x (Cube(x) ∧ Small(x))"
    found = judged("∀x (Cube(x) ^ Small(x))", examples.item(gold, "All are small cubes.", ontology=ONTOLOGY))
    assert (found.outcome, found.verdict, found.fault) == ("unparsable", None, "ambiguous")
    assert "ambiguous: '^' taken as ∧" in (found.detail or "")
    assert any(ambiguity.startswith("caret: ") for ambiguity in found.ambiguities)


def test_conventionally_resolved_ambiguity_is_recorded() -> None:
    found = judged("∀x Cube(x) → Small(x)")
    assert (found.verdict, found.fault) == ("equivalent", None)
    assert any(ambiguity.startswith("quantifier_scope: ") for ambiguity in found.ambiguities)


def test_invalid_translation_has_reason_and_may_be_closed() -> None:
    assert "'Block'" in (judged("∀x (Block(x) → Small(x))").detail or "")
    found = judged("Cube(x) → Small(x)")
    assert (found.verdict, found.means, found.detail) == ("invalid", "open_formula", "no quantifier binds x")
    closed = judged("Cube(x) → Small(x)", unbound="close")
    assert (closed.verdict, closed.formula) == ("equivalent", GOLD)


@pytest.mark.parametrize("text", ["prose", said("Every cube is small"), said(""), said(5), said("∀x (Cube(x) ∧")])
def test_unreadable_translation_is_unparsable_and_wrong(text: str) -> None:
    found = LogicalTranslation().judge(ASKED, [Reply("", "answered", text)])
    assert (found.outcome, found.verdict) == ("unparsable", None)
    chance = LogicalTranslation().chance(ASKED).scores
    assert found.scores == {**chance, "on_boards": 0} == {"equivalence": 0, "bleu": 0, "le": 0, "on_boards": 0}
    assert found.detail


@pytest.mark.parametrize(
    ("gold", "formula", "verdict", "of_boards"),
    [
        (GOLD, "¬∃y (Cube(y) ∧ ¬Small(y))", "equivalent", ("equivalent", 4, None)),
        ("Larger(a, b)", "Smaller(b, a)", "not_equivalent", ("equivalent", 4, "right_on_every_board")),
        ("Larger(a, b)", "Larger(b, a)", "not_equivalent", ("not_equivalent", 2, "argument_order")),
        (GOLD, "∀x (Cube(x) → Small(d))", "invalid", (None, None, None)),
    ],
)
def test_blocks_world_translations_are_compared_on_boards(
    gold: str, formula: str, verdict: str, of_boards: tuple[str | None, int | None, str | None]
) -> None:
    symbols = derive([parse(GOLD), parse("Smaller(a, b) ∧ Larger(b, a)")])
    asked = examples.item(gold, "In English.", ontology=symbols)
    found = explained(formula, asked)
    assert (found.verdict, found.on_boards, found.blocks, found.fault) == (verdict, *of_boards)
    is_right = of_boards[0] == "equivalent"
    assert found.scores["on_boards"] == is_right
    if found.counter_model is not None:
        assert (board(found.counter_model) is None) == is_right
    elsewhere = replace(asked, ontology=derive([*map(parse, (GOLD, "Smaller(a, b) ∧ Larger(b, a)", "Barks(a)"))]))
    found = explained(formula, elsewhere)
    assert (found.verdict, found.on_boards, found.blocks) == (verdict, None, None)
    assert "on_boards" not in found.scores


def test_translation_right_on_every_board_is_reported() -> None:
    symbols = derive([parse(GOLD), parse("Smaller(a, b) ∧ Larger(b, a)")])
    found = explained("Smaller(b, a)", examples.item("Larger(a, b)", "In English.", ontology=symbols))
    assert str(found.detail).startswith(
        "On every board both are true or both false. But logic allows a world of one thing"
    )


def test_translation_right_on_small_boards_only_scores_zero() -> None:
    endless = "∀x ∃y (LeftOf(y, x) ∨ (SameCol(y, x) ∧ BackOf(y, x)))"
    symbols = derive([parse(f"∃x (Cube(x) ∧ ¬Cube(x)) ∧ {endless}")])
    found = explained(endless, examples.item("∃x (Cube(x) ∧ ¬Cube(x))", "In English.", ontology=symbols))
    assert (found.on_boards, found.blocks, found.fault) == ("equivalent_up_to_4", 4, "right_on_small_boards")
    assert found.scores["on_boards"] == 0
    assert str(found.detail).startswith("On every board of up to 4 blocks both are true or both false, and no proof")


def test_repeated_formula_is_judged_once() -> None:
    texts = [json.dumps({"reasoning": reasoning, "answer": "¬Small(a)"}) for reasoning in ("a", "b")]
    first, second = map(partial(LogicalTranslation().judge_answer, ASKED, []), texts)
    assert first is second
    assert first.verdict == "not_equivalent"


# BLEU and LE


@pytest.mark.parametrize(
    ("gold", "translation", "expected"),
    [
        ("P(a)", "P(a)", 1.0),
        # 8 of 9 tokens, 6 of 8 pairs, 4 of 7 triples, 2 of 6 quadruples.
        ("P(a) ∧ Q(b)", "P(a) ∨ Q(b)", (8 / 9 * 6 / 8 * 4 / 7 * 2 / 6) ** 0.25),
        # No quadruple of tokens in common, and no smoothing.
        ("P(a)", "Q(b)", 0.0),
        # All 4-grams of the translation occur, but it is short: brevity penalty exp(1 - 9/4).
        ("P(a) ∧ Q(b)", "P(a)", 2.718281828459045 ** (1 - 9 / 4)),
    ],
)
def test_bleu_matches_hand_computation(gold: str, translation: str, expected: float) -> None:
    assert bleu(parse(gold), parse(translation)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "translation", "expected"),
    [
        # Quantifiers and names do not matter: the score's flaws.
        ("∀x P(x)", "∃x P(x)", 1.0),
        ("P(a)", "Q(b)", 1.0),
        ("P(a)", "¬P(a)", 0.0),
        # True in three rows and in one, of which one is common; false in one, which is common.
        ("P(a) → Q(a)", "P(a) ∧ Q(a)", 0.5),
        # A dummy for Q: they differ where P holds and Q does not.
        ("P(a) ∧ Q(a)", "P(a)", 0.75),
        # Bound crosswise the tables are the same, whatever the names say.
        ("P(a) → Q(a)", "Q(a) → P(a)", 1.0),
        # One variable each for P(x) and P(y).
        ("∀x ∀y (P(x) ∨ P(y))", "∀x (P(x) ∨ P(x))", 0.75),
        ("P(a) ⊕ Q(a)", "P(a) ↔ Q(a)", 0.0),
        ("a = b", "a ≠ b", 0.0),
    ],
)
def test_le_matches_hand_computation(gold: str, translation: str, expected: float) -> None:
    assert malls_le(parse(gold), parse(translation)) == expected


def test_le_is_zero_beyond_truth_table_size() -> None:
    many = " ∧ ".join(f"P(c{number})" for number in range(17))
    assert malls_le(parse("P(c0)"), parse(many)) == 0.0


def atoms(formula: Formula) -> int:
    return sum(isinstance(node, Atom | Equality) for node in distinct_subformulas(formula))


@given(formulas(), formulas())
@settings(max_examples=150)
def test_identical_formulas_have_unit_bleu_and_le(first: Formula, second: Formula) -> None:
    assert malls_le(first, first) == bleu(first, first) == 1.0
    assert 0 <= bleu(first, second) <= 1
    assert 0 <= malls_le(first, second) <= 1
    if max(atoms(first), atoms(second)) <= 6:
        assert malls_le(first, second) == malls_le(second, first)


def test_bleu_suppresses_warnings_and_output(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    bleu(parse("P(a) ∧ Q(b)"), parse("P(a) ∨ Q(b)"))
    assert (caplog.records, *capfd.readouterr()) == ([], "", "")


# Edited formulas


FORMULAS = ["∀x (P(x) → Q(x))", "∃x (P(x) ∧ Q(x)) ∨ R(a, b)", "P(a) ∧ ¬Q(a)"]
TASK = LogicalTranslation(LogicalTranslationEntry(english="edited"))


@pytest.fixture
def items(tmp_path: Path) -> list[Item]:
    categories = [(2, formula) for formula in FORMULAS]
    triples = triples_file(tmp_path / "triples.arrow", "first_order", derive(map(parse, FORMULAS)), categories)
    return usable_items(items_file(tmp_path, triples, task="logical_translation", english="edited"))


def test_edited_item_keeps_formula_before_and_after_edit(items: list[Item]) -> None:
    assert len(items) == len(FORMULAS)
    for item, before in zip(items, FORMULAS, strict=True):
        assert [member.role for member in item.members] == ["gold", "original"]
        assert [member.formula for member in item.members] == [item.formula, before]
        assert equivalence(parse(item.formula), parse(before)).outcome == "not_equivalent"
        assert LANGUAGES["first_order"].read_english(item.text, item.ontology) is parse(item.formula)


def scores(item: Item, answer: str | None) -> tuple[float, float]:
    text = None if answer is None else said(answer)
    found = TASK.judge(item, [Reply("", "failed" if text is None else "answered", text)])
    return found.scores["equivalence"], found.scores["returned"]


def test_formalization_scores_equivalence_or_return_to_original(items: list[Item]) -> None:
    for item, before in zip(items, FORMULAS, strict=True):
        assert scores(item, item.formula) == (1, 0)
        assert scores(item, f"¬¬({before})") == (0, 1)
        for lost in ("R(b, a)", "R(b", "S(a)", None):
            assert scores(item, lost) == (0, 0)
        assert TASK.chance(item).scores["returned"] == 0


def test_returned_metric_exists_for_edited_entries_only(items: list[Item]) -> None:
    assert "returned" not in judged(items[0].formula, items[0]).scores
    assert not TASK.entry.is_about_dataset
    assert LogicalTranslationEntry().is_about_dataset


WITHER = "Either a is a cube or b is, and c is small."
READINGS = ("(Cube(a) ∨ Cube(b)) ∧ Small(c)", "Cube(a) ∨ Cube(b)")


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        (WITHER, "(Cube(b) ∨ Cube(a)) ∧ Small(c)", (0, 1, 1)),
        (WITHER, "Cube(a) ∧ Small(c)", (1, 0, 0)),
        (WITHER, "¬Cube(a) → Cube(b)", (0, 0, 1)),
        (WITHER, "(Cube(a) ⊕ Cube(b)) ∧ Small(c)", (0, 0, 0)),  # unless ``data.patches`` makes that reading
        (WITHER, "(Cube(a) ↔ Cube(b)) ∧ Small(c)", (0, 0, 0)),
        (WITHER, "Dodec(a)", (0, 0, 0)),
        (WITHER, "Cube(a", (0, 0, 0)),
        (WITHER, None, (0, 0, 0)),
    ],
)
def test_answer_is_scored_against_every_gold_version(
    text: str, answer: str | None, expected: tuple[int, int, int]
) -> None:
    ontology = derive([parse("Cube(a) ∧ Cube(b) ∧ Small(c)")])
    asked = replace(examples.item("Cube(a) ∧ Small(c)", text, ontology=ontology), readings=READINGS)
    reply = Reply("", "failed", None) if answer is None else Reply("", "answered", said(answer))
    found = LogicalTranslation().judge(asked, [reply])
    assert tuple(found.scores[name] for name in ("equivalence", "corrected", "accepted")) == expected
    assert ("accepted as " in (found.detail or "")) is bool(expected[2] and not expected[0])
    (lost,) = LogicalTranslation().lost(asked, "internal_error", None, answer)
    assert lost.scores.keys() == found.scores.keys()
