"""Copies of the notation, told from English."""

import pytest

from nlfol.logic.english.lexicon import lexicon
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.tasks.copies import copies, described

CATS = derive([parse("∀x (Cat(x) → Likes(x, tom))")])
LETTERS = derive([parse("p1 ∧ p2", propositions=True)])
WORDS = Ontology(alphabet="01")
ONTOLOGIES: dict[LanguageName, Ontology] = {"first_order": CATS, "propositional": LETTERS, "regular": WORDS}


def found(text: str, language: LanguageName) -> str:
    return described(text, copies(text, ONTOLOGIES[language], language))


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("We say: ∀x (Cat(x) → Likes(x, tom)). Fine.", "formula at 8-35: ∀x (Cat(x) → Likes(x, tom))"),
        ("He said “Cat(x) & Likes(x,tom)” there.", "formula at 9-30: Cat(x) & Likes(x,tom)"),
        (r"It is \forall x. Cat(x) then.", r"formula at 6-23: \forall x. Cat(x)"),
        ("∀person Cat(person) holds", "formula at 0-19: ∀person Cat(person)"),
        ("If Cat(x) then Likes(x, tom)", "application at 3-9: Cat(x); application at 15-28: Likes(x, tom)"),
        ("Cat (tom) holds", "application at 0-9: Cat (tom)"),
        ("likes(Anna, Bert)", "application at 0-17: likes(Anna, Bert)"),
        ("being a cat -> being liked", "sign at 12-14: ->"),
        ("cats ∧ dogs, if x ≠ y", "sign at 5-6: ∧; formula at 16-21: x ≠ y"),
        ("!Cat(tom)", "sign at 0-1: !; application at 1-9: Cat(tom)"),
    ],
)
def test_copies_detects_signs_applications_and_formulas(text: str, copied: str) -> None:
    assert found(text, "first_order") == copied


@pytest.mark.parametrize(
    "text",
    [
        "Every cat likes Tom, who is tom.",
        "For every x, if x is a Cat, then x Likes tom!",
        "Every cat(s) likes Tom.",
        "The cat (Tom) sleeps; (1) it is so, (2) it is not.",
        "(Cat and Likes) are words, and a = b is an equation.",
    ],
)
def test_copies_ignores_names_plurals_and_asides(text: str) -> None:
    assert found(text, "first_order") == ""


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("Either p1, or ((p1 or p2) and not p1).", "formula at 14-37: ((p1 or p2) and not p1)"),
        ("p1 ∧ ¬p2 holds", "formula at 0-8: p1 ∧ ¬p2"),
        ("p1 and p2, or not p1", ""),
    ],
)
def test_copies_detects_operator_words_between_parentheses(text: str, copied: str) -> None:
    assert found(text, "propositional") == copied


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("It matches (01)*, often.", "expression at 11-16: (01)*"),
        ("see (0*1).", "expression at 4-9: (0*1)"),
        ("a group (01) twice", "expression at 8-12: (01)"),
        ("0|1", "expression at 0-3: 0|1"),
        ("'0'* and then", "sign at 3-4: *"),
        (r"0^\ast", r"sign at 1-6: ^\ast"),
        ("The letter '0' zero or more times, then 01.", ""),
        ("**Part (1)** is *any* text (0) of 01\n* one\n* two?", ""),
    ],
)
def test_copies_detects_stars_and_groups_in_expressions(text: str, copied: str) -> None:
    assert found(text, "regular") == copied


def test_copies_ignores_gloss_text() -> None:
    predicate = Predicate("Sells", 1, "{} & Sons sells P(x)", "{} & Sons sells no P(x)")
    ontology = Ontology((predicate, Predicate("P", 1, "{} is P", "{} is not P")), (), (ConstantSymbol("a", "Smith"),))
    assert copies("Smith & Sons sells P(x).", ontology, "first_order") == ()
    text = "Smith & Brothers sells P(x), P(a)"
    assert described(text, copies(text, ontology, "first_order")) == (
        "sign at 6-7: &; application at 23-27: P(x); application at 29-33: P(a)"
    )


def test_copies_allows_bracketed_symbol_after_its_quotation_only() -> None:
    meets = Predicate("Meet", 2, "both {} and {} meet", "{} and {} do not meet")
    ontology = Ontology((meets,), (), (ConstantSymbol("a", "Ann"),))
    literal = lexicon(ontology).literal(parse("Meet(a, a)"))
    assert literal.startswith("“"), "the gloss would be misread"
    assert copies(f"It is said that {literal}.", ontology, "first_order") == ()
    for other in (literal.replace("and", "or", 1), literal.replace("“", "", 1), "[Meet(a, a)]"):
        assert copies(f"It is said that {other}.", ontology, "first_order") != ()


@pytest.mark.parametrize("text", ["¬" * 4000, "(p1 and " * 500 + ")" * 500, "(" * 2000 + ")" * 2000, "(not " * 800])
def test_copies_handles_adversarial_text(text: str) -> None:
    assert isinstance(copies(text, LETTERS, "propositional"), tuple)
