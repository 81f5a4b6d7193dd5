"""Random ontologies whose glosses and meanings are made to be mistaken, and formulas over them."""

from functools import cache

from hypothesis import strategies as st
from tests.property.strategies import formulas_of

from nlfol.logic.ontology.ontology import SLOT, ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.logic.syntax import Constant, Formula, Function, Term, Variable

VARIABLES = ("x", "y", "x1", "e", "and")

# Words of the grammar, punctuation, markers and words that are prefixes of one another.
_WORDS = (
    "and", "or", "if", "then", "both", "either", "but not both", "if and only if", "it is not the case that",
    "for every x,", "there is some x such that", "all of the following hold:", "(1)",
    "all of (1) to (3):", "at least one of (1) to (3):", "it is not false that", "itself", ";\n  (2)", ",", ";", ".",
    "“", "”", "[P]", "is", "is not", "the same as", "a", "a b", "x", "thing", "thing e", "B", "b", "é", "ß", "7", " ",
)  # fmt: skip
_JOINTS = (" ", "", ", ", " and ", " or ")


@cache
def _texts(slots: int) -> st.SearchStrategy[str]:
    """Texts with so many slots, that are more than blank."""
    words = st.lists(st.sampled_from(_WORDS), max_size=2).map(lambda parts: [*parts, *[SLOT] * slots])
    shuffled = words.flatmap(st.permutations)
    joints = st.lists(st.sampled_from(_JOINTS), min_size=4, max_size=4)
    return st.builds(_joined, shuffled, joints).filter(lambda text: bool(text.strip()))


def _joined(words: list[str], joints: list[str]) -> str:
    return "".join(joint + word for joint, word in zip(["", *joints], words, strict=False))


@st.composite
def nasty_ontologies(draw: st.DrawFn) -> Ontology:
    """Two propositional letters, four predicates, up to two functions and four constants."""
    predicates = [
        Predicate(name, arity, draw(_texts(arity)), draw(_texts(arity)))
        for name, arity in {"L": 0, "M": 0, "P": 1, "Q": 1, "R": 2, "S": 2}.items()
    ]
    functions = [FunctionSymbol(name, arity, draw(_texts(arity))) for name, arity in {"f": 1, "g": 2}.items()]
    constants = [ConstantSymbol(name, draw(_texts(0))) for name in ("a", "b", "c", "d")]
    return Ontology(
        tuple(predicates), tuple(functions if draw(st.booleans()) else ()), tuple(constants[: draw(st.integers(1, 4))])
    )


def formulas_over(ontology: Ontology, leaves: int = 8) -> st.SearchStrategy[Formula]:
    """Formulas with every operator, open ones too."""
    predicates = tuple((symbol.name, symbol.arity) for symbol in ontology.predicates)
    functions = tuple((symbol.name, symbol.arity) for symbol in ontology.functions)
    return _formulas(predicates, functions, tuple(symbol.name for symbol in ontology.constants), leaves)


# Making a strategy takes longer than drawing from it.
@cache
def _formulas(
    predicates: tuple[tuple[str, int], ...],
    functions: tuple[tuple[str, int], ...],
    constants: tuple[str, ...],
    leaves: int,
) -> st.SearchStrategy[Formula]:
    term: st.SearchStrategy[Term] = st.sampled_from([*map(Variable, VARIABLES), *map(Constant, constants)])
    for name, arity in functions:
        term |= st.tuples(*[term] * arity).map(lambda terms, name=name: Function(name, terms))  # type: ignore[misc]
    return formulas_of(predicates, term, VARIABLES, leaves)
