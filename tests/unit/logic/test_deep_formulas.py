"""Deep formulas and terms in the unambiguous style: read back, or refused for their length."""

import pytest

from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import MAX_RENDERING, EnglishLengthError
from nlfol.logic.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.logic.syntax import And, Atom, Constant, Exists, Formula, Function, Iff, Implies, Not, Or, Term, Variable

ONTOLOGY = Ontology(
    (Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),),
    (
        FunctionSymbol("mother", 1, "the mother of {}"),
        FunctionSymbol("father", 1, "{}'s father"),
        FunctionSymbol("plus", 2, "{} plus {}"),
    ),
    (ConstantSymbol("a", "a"), ConstantSymbol("ann", "Ann")),
)


def deep(kind: str, depth: int) -> Formula:
    atom: Formula = Atom("Cube", (Constant("a"),))
    formula = atom
    for _ in range(depth):
        match kind:
            case "not":
                formula = Not(formula)
            case "exists":
                formula = Exists(Variable("x"), formula)
            case "left and":
                formula = And(formula, atom)
            case "right or":
                formula = Or(atom, formula)
            case "list":
                formula = And(formula, Or(atom, atom))
            case "left implies":
                formula = Implies(formula, atom)
            case "mixed":
                formula = Iff(Exists(Variable("y"), formula), atom)
    return formula


@pytest.mark.parametrize(
    ("kind", "depth"),
    [
        ("not", 3000), ("exists", 3000), ("left and", 3000), ("right or", 100), ("list", 1000), ("left implies", 100),
        ("mixed", 100),
    ],
)  # fmt: skip
def test_deep_formulas_render_and_read_back(kind: str, depth: int) -> None:
    formula = deep(kind, depth)
    assert read_english(render(formula, ONTOLOGY), ONTOLOGY) is formula


@pytest.mark.parametrize("kind", ["not", "exists", "left and", "right or", "left implies", "mixed"])
def test_overlong_rendering_raises_length_error(kind: str) -> None:
    with pytest.raises(EnglishLengthError, match=f"more than {MAX_RENDERING} characters"):
        render(deep(kind, 40_000), ONTOLOGY)


def test_shared_subtrees_hit_rendering_limit() -> None:
    # Equal trees are one object: a formula of 100 nodes can stand for 2 to the power of 100.
    formula: Formula = Atom("Cube", (Constant("a"),))
    term: Term = Constant("ann")
    for _ in range(100):
        formula, term = And(formula, formula), Function("plus", (term, term))
    with pytest.raises(EnglishLengthError, match="characters"):
        render(formula, ONTOLOGY)
    with pytest.raises(EnglishLengthError, match="literal of more than"):
        render(Atom("Cube", (term,)), ONTOLOGY)


def test_deep_terms_render_and_read_back() -> None:
    term: Term = Constant("ann")
    for depth in range(2000):
        term = Function("mother" if depth % 2 else "father", (term,))
        if depth in (10, 1999):
            formula = Atom("Cube", (term,))
            assert read_english(render(formula, ONTOLOGY), ONTOLOGY) is formula
