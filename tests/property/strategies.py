"""Random formulas and structures."""

from hypothesis import strategies as st

from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.measuring import free_variables
from nlfol.logic.syntax import (
    BINARY,
    QUANTIFIED,
    Atom,
    Constant,
    Equality,
    Formula,
    Function,
    Not,
    Term,
    Variable,
)

PREDICATES = {"P": 1, "Q": 1, "R": 2}
NAMES = ("x", "y", "z")


def terms(*, functions: bool = True) -> st.SearchStrategy[Term]:
    """Variables, constants and small function terms."""
    leaves: st.SearchStrategy[Term] = st.sampled_from([*map(Variable, NAMES), Constant("a"), Constant("b")])
    applied: st.SearchStrategy[Term] = st.builds(lambda t: Function("f", (t,)), leaves)
    return leaves | applied if functions else leaves


def formulas(*, functions: bool = True, leaves: int = 6) -> st.SearchStrategy[Formula]:
    """Open formulas with every operator."""
    term = terms(functions=functions)
    atoms: st.SearchStrategy[Formula] = st.sampled_from(sorted(PREDICATES.items())).flatmap(
        lambda symbol: st.tuples(*[term] * symbol[1]).map(lambda arguments: Atom(symbol[0], arguments))
    )
    equations: st.SearchStrategy[Formula] = st.builds(Equality, term, term)

    def extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        variables = st.sampled_from(NAMES).map(Variable)
        made: st.SearchStrategy[Formula] = st.builds(Not, inner)
        for quantified in QUANTIFIED:
            made |= st.builds(quantified, variables, inner)
        for binary in BINARY:
            made |= st.builds(binary, inner, inner)
        return made

    return st.recursive(atoms | atoms | equations, extend, max_leaves=leaves)


def closed(formula: Formula, universal: bool = True) -> Formula:
    """The closure over all free variables."""
    for variable in sorted(free_variables(formula), key=lambda v: v.name):
        formula = QUANTIFIED[0 if universal else 1](variable, formula)
    return formula


def closed_formulas(*, functions: bool = True, leaves: int = 6) -> st.SearchStrategy[Formula]:
    """Closed formulas."""
    return st.builds(closed, formulas(functions=functions, leaves=leaves), st.booleans())


def families() -> st.SearchStrategy[RandomFamily]:
    """A few structures of one size."""
    return st.builds(RandomFamily, st.integers(1, 3), st.just(32), st.integers(0, 99).map("family {}".format))
