import pytest
from tests.unit.logic.document import DOCUMENT, document

from nlfol.logic.english.styles import Style, render
from nlfol.logic.errors import SignatureError
from nlfol.logic.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Atom, Constant, Function, Not, Term

ONTOLOGY = Ontology(
    (
        Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),
        Predicate("Small", 1, "{} is small", "{} is not small"),
        Predicate("Likes", 2, "{} likes {}", "{} doesn't like {}"),
        Predicate("Between", 3, "{} is between {} and {}", "{} is not between {} and {}"),
        Predicate("US", 1, "{} is in the US", "{} is not in the US"),
        Predicate("SoldInUS", 1, "{} is sold in the US", "{} is not sold in the US"),
        Predicate("Rain", 0, "it is raining", "it isn't raining"),
        Predicate("Braced", 1, "{} has {x} on it", "{} has no {x} on it"),
    ),
    (FunctionSymbol("mother", 1, "the mother of {}"), FunctionSymbol("sum", 2, "the sum of {} and {}")),
    (
        ConstantSymbol("ann", "Ann"),
        ConstantSymbol("bob", "Bob"),
        ConstantSymbol("on", "Ontario"),
        ConstantSymbol("huron", "lake Huron"),
        ConstantSymbol("smith", "Smith Jr."),
        ConstantSymbol("slot", "the sign {}"),
    ),
)


@pytest.mark.parametrize(
    ("formula", "english"),
    [
        ("Cube(ann)", "Ann is a cube."),
        ("¬Cube(ann)", "Ann is not a cube."),
        ("Rain → ¬Rain", "If it is raining, then it isn't raining."),
        ("¬¬Cube(ann)", "It's false that Ann is not a cube."),
        ("¬(Cube(ann) ∧ Small(ann))", "It's false that Ann is a cube and Ann is small."),
        ("Cube(ann) ∧ ¬Small(bob)", "Ann is a cube and Bob is not small."),
        ("Cube(ann) ∨ Small(ann)", "Ann is a cube or Ann is small."),
        ("Cube(ann) ⊕ Small(ann)", "Either Ann is a cube or Ann is small, but not both."),
        ("∀x (Cube(x) → Small(x))", "For all x, if x is a cube, then x is small."),
        ("∃x (Cube(x) ∧ ¬Likes(x, ann))", "There is x such that x is a cube and x doesn't like Ann."),
        ("Cube(ann) ↔ Small(ann)", "Ann is a cube if and only if Ann is small."),
        ("∀x ∃y Likes(x, y)", "For all x, there is y such that x likes y."),
        ("¬∃x Cube(x)", "It's false that there is x such that x is a cube."),
        ("ann = bob", "Ann is the same as Bob."),
        ("∀x x ≠ mother(x)", "For all x, x is not the same as the mother of x."),
        ("Likes(mother(sum(ann, bob)), ann)", "The mother of the sum of Ann and Bob likes Ann."),
        ("Between(bob, ann, bob)", "Bob is between Ann and Bob."),
        ("Likes(huron, on)", "Lake Huron likes Ontario."),
        ("US(ann) → SoldInUS(ann)", "If Ann is in the US, then Ann is sold in the US."),
        ("Likes(ann, smith)", "Ann likes Smith Jr."),
        ("Likes(slot, bob)", "The sign {} likes Bob."),
        ("Braced(ann)", "Ann has {x} on it."),
    ],
)
def test_paper_renderings_match_examples(formula: str, english: str) -> None:
    assert render(parse(formula, propositions=True), ONTOLOGY, Style.PAPER) == english


def test_symbol_without_gloss_is_refused() -> None:
    with pytest.raises(SignatureError, match="Round"):
        render(parse("Round(ann)"), ONTOLOGY, Style.PAPER)


def test_deep_formulas_render_in_paper_style() -> None:
    term: Term = Constant("ann")
    for _ in range(5_000):
        term = Function("mother", (term,))
    formula = Atom("Cube", (term,))
    deep = Not(Not(formula))
    for _ in range(2_500):
        deep = Not(Not(deep))
    text = render(deep, ONTOLOGY, Style.PAPER)
    assert text.count("it's false that") + text.count("It's false that") == 5_001
    assert text.count("the mother of") == 5_000


def test_single_letter_name_keeps_case() -> None:
    blocks = Ontology((Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),), (), (ConstantSymbol("a", "a"),))
    assert render(parse("Cube(a)"), blocks, Style.PAPER) == "a is a cube."
    assert render(parse("¬¬Cube(a)"), blocks, Style.PAPER) == "It's false that a is not a cube."


def test_document_examples_are_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == document(text), "run: python tests/unit/logic/document.py"
