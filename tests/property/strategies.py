"""Random formulas and structures."""

from collections.abc import Iterable
from functools import partial

from hypothesis import strategies as st

from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.measuring import free_variables
from nlfol.logic.syntax import BINARY, QUANTIFIED, Atom, Constant, Equality, Formula, Function, Not, Term, Variable

PREDICATES = {"P": 1, "Q": 1, "R": 2}
NAMES = ("x", "y", "z")


def terms(*, functions: bool = True) -> st.SearchStrategy[Term]:
    """Variables, constants and small function terms."""
    leaves: st.SearchStrategy[Term] = st.sampled_from([*map(Variable, NAMES), Constant("a"), Constant("b")])
    applied: st.SearchStrategy[Term] = st.builds(lambda t: Function("f", (t,)), leaves)
    return leaves | applied if functions else leaves


def formulas_of(
    predicates: Iterable[tuple[str, int]], term: st.SearchStrategy[Term], names: Iterable[str], leaves: int
) -> st.SearchStrategy[Formula]:
    """Open formulas with every operator, of some predicates, terms and variables."""
    equations: st.SearchStrategy[Formula] = st.builds(Equality, term, term)
    atoms = [st.tuples(*[term] * arity).map(partial(Atom, name)) for name, arity in predicates]
    variables = st.sampled_from(sorted(names)).map(Variable)

    def extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(
            st.builds(Not, inner),
            *(st.builds(quantified, variables, inner) for quantified in QUANTIFIED),
            *(st.builds(binary, inner, inner) for binary in BINARY),
        )

    return st.recursive(st.one_of(*atoms, equations), extend, max_leaves=leaves)


def formulas(*, functions: bool = True, leaves: int = 6) -> st.SearchStrategy[Formula]:
    """Open formulas over the few symbols here."""
    return formulas_of(PREDICATES.items(), terms(functions=functions), NAMES, leaves)


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
