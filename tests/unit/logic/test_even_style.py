import pytest

from nlfol.logic.english.reading import read_english
from nlfol.logic.english.styles import Style, render
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.reading import parse

ONTOLOGY = Ontology(
    (
        Predicate("P", 1, "{} sings", "{} does not sing"),
        Predicate("Q", 1, "{} is tall", "{} is not tall"),
        Predicate("Likes", 2, "{} likes {}", "{} does not like {}"),
    ),
    (),
    (ConstantSymbol("ann", "Ann"), ConstantSymbol("bob", "Bob")),
    noun="person",
)


@pytest.mark.parametrize(
    ("formula", "english"),
    [
        ("¬P(ann)", "It is false that Ann sings."),
        ("P(ann) ∧ Q(bob)", "Both Ann sings, and Bob is tall."),
        ("P(ann) ∨ Q(bob)", "Either Ann sings or Bob is tall."),
        ("P(ann) → Q(bob)", "When Ann sings then Bob is tall."),
        ("P(ann) ↔ Q(bob)", "Iff Ann sings, then Bob is tall."),
        ("P(ann) ⊕ Q(bob)", "Exactly one holds: Ann sings, or Bob is tall."),
        ("P(ann) ∧ Q(bob) ∧ P(bob)", "All of three hold: Ann sings, Bob is tall, Bob sings."),
        ("P(ann) ∨ Q(bob) ∨ P(bob)", "Any of three hold: Ann sings, Bob is tall, Bob sings."),
        ("∀x (P(x) → ¬Q(x))", "For each x, when x sings then it is false that x is tall."),
        ("∃x (P(x) ∧ Q(x) ∧ Likes(x, x))", "For some x, both both x sings, and x is tall, and x likes x."),
        ("¬∃x ∀y Likes(x, y)", "It is false that for some x, for each y, x likes y."),
        ("ann ≠ bob", "It is false that Ann and Bob are the same person."),
    ],
)
def test_even_style_reads_back(formula: str, english: str) -> None:
    assert render(parse(formula), ONTOLOGY, Style.EVEN) == english
    assert read_english(english, ONTOLOGY) is parse(formula)


def test_even_style_gives_operators_equal_length() -> None:
    def length(text: str) -> int:
        return len(render(parse(text), ONTOLOGY, Style.EVEN))

    assert len({length(f"P(ann) {sign} Q(bob)") for sign in "∧∨→↔"}) == 1
    assert length("P(ann) ∧ Q(bob) ∧ P(bob)") == length("P(ann) ∨ Q(bob) ∨ P(bob)")
    assert length("∀x (P(x) → Q(x))") == length("∃x (P(x) ∧ Q(x))")
