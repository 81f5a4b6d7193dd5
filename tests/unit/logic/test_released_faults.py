"""Faults of the released ∀uto∃∨∧L, as its users met them: each is named after its number, and none is ours.

D1 to D4, of regular expressions, are in ``tests/unit/regular``; D5 to D7, of generating, in ``tests/unit/grammars`` and
``tests/unit/datasets``; D14 and D17 to D19, of prompts and answers, in ``tests/unit/tasks``, D15 and D16, of asking, in
``tests/unit/asking``.
"""

from typing import Any

import pytest

from nlfol.logic import Outcome, parse
from nlfol.logic.languages.language import ReadingError, UnknownSymbolError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology

FORMULAS: Any = LANGUAGES["first_order"]
PROPOSITIONS: Any = LANGUAGES["propositional"]
LETTERS = derive([parse("p1 ∧ p2 ∧ p3", propositions=True)])


def symbols_of(*formulas: str) -> Ontology:
    return derive([parse(formula) for formula in formulas])


def test_d8_names_inside_words_stay_unreplaced() -> None:
    formula = "∀x (call(x) → vendor(x))"
    assert FORMULAS.write(FORMULAS.parse(formula)) == formula
    english = FORMULAS.render(FORMULAS.parse(formula), symbols_of(formula))
    assert "∀" not in english
    assert FORMULAS.read_english(english, symbols_of(formula)) is FORMULAS.parse(formula)


@pytest.mark.parametrize(
    "text",
    [
        "p1∧(¬p2∨p3)",
        "p1 ∧ (¬p2 ∨ p3).",
        "```\np1 ∧ (¬p2 ∨ p3)\n```",
        "Formula: p1 ∧ (¬p2 ∨ p3)",
        "p1 ∧ (~p2 ∨ p3)",
        "p1 & (~p2 | p3)",
        "p1 ∧\n(¬p2 ∨ p3)",
        "(p1) ∧ (not p2 or p3)",
    ],
)
def test_d9_legal_output_is_read(text: str) -> None:
    assert PROPOSITIONS.read(text, LETTERS).sentence is PROPOSITIONS.parse("p1 ∧ (¬p2 ∨ p3)")


@pytest.mark.parametrize("text", ["p1 ⇒ p2", "p1 ⊕ p2"])
def test_d9_other_connectives_are_read(text: str) -> None:
    assert PROPOSITIONS.read(text, LETTERS).sentence is PROPOSITIONS.parse(text.replace("⇒", "→"))


def test_d9_colon_after_quantifier_is_read() -> None:
    read = FORMULAS.read("∀x: (Cat(x) → Sleeps(x))", symbols_of("∀x (Cat(x) → Sleeps(x))"))
    assert read.sentence is FORMULAS.parse("∀x (Cat(x) → Sleeps(x))")


def test_d10_line_break_separates_names() -> None:
    letters = derive([parse("p1 ∧ p2", propositions=True)])
    with pytest.raises(ReadingError):
        PROPOSITIONS.read("p1 ∧ p\n2", letters)


def test_d11_dot_widens_scope_and_implication_is_right_associative() -> None:
    ontology = symbols_of("∀x (Cat(x) ∨ Dog(x))")
    assert FORMULAS.read("∀x. Cat(x) ∨ Dog(x)", ontology).sentence is FORMULAS.parse("∀x (Cat(x) ∨ Dog(x))")
    chain = PROPOSITIONS.read("p1 -> p2 -> p3", LETTERS)
    assert chain.sentence is PROPOSITIONS.parse("p1 → (p2 → p3)")
    assert chain.ambiguities


def test_d12_arity_mismatch_is_invalid() -> None:
    ontology = symbols_of("Likes(ann, bob)")
    with pytest.raises(UnknownSymbolError) as error:
        FORMULAS.check(FORMULAS.read("Likes(ann) ∧ Likes(ann, bob)", ontology).sentence, ontology)
    assert error.value.kind == "signature"
    both = FORMULAS.parse("Likes(ann) ∧ Likes(ann, bob)")
    turned = FORMULAS.parse("Likes(ann, bob) ∧ Likes(ann)")
    assert FORMULAS.compare(both, turned).outcome is Outcome.INVALID


def test_d13_unread_invalid_and_undecided_are_distinguished() -> None:
    with pytest.raises(ReadingError):
        FORMULAS.read("I cannot say.", symbols_of("P(a)"))
    with pytest.raises(UnknownSymbolError):
        FORMULAS.check(FORMULAS.parse("Q(a)"), symbols_of("P(a)"))
    kinds = {outcome.value for outcome in Outcome}
    assert {"unknown", "invalid", "not_equivalent"} <= kinds
