"""Trees: one object for one formula, unchangeable, walked without recursion."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from tests.unit.logic.examples import formulas, iterated, nested

from nlfol import interning
from nlfol.interning import interned
from nlfol.logic import trees
from nlfol.logic.decision.normal_form import same_normal_form
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import (
    bound_variables,
    constants,
    count_operators,
    count_quantifiers,
    free_variables,
    predicates,
    signature,
)
from nlfol.logic.printing import to_latex, to_smtlib, to_tptp, to_unicode
from nlfol.logic.reading import MAX_LENGTH, parse
from nlfol.logic.rewriting import is_negation_normal_form, negation_normal_form
from nlfol.logic.syntax import (
    And,
    Atom,
    Constant,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Node,
    Not,
    Or,
    Variable,
    children,
    distinct_subformulas,
    fold,
    map_term,
    replace,
    subformulas,
    subterms,
    with_children,
)

X, A = Variable("x"), Constant("a")
P = Atom("P", (A,))
Q = Atom("Q", (A,))


DEEP: dict[str, Callable[[Formula], Formula]] = {
    "negations": Not,
    "conjunctions to the left": lambda formula: And(formula, Q),
    "implications to the right": lambda formula: Implies(Q, formula),
    "quantifiers": lambda formula: ForAll(X, Exists(X, formula)),
}


@pytest.mark.parametrize("formula", formulas(), ids=str)
def test_equal_trees_are_identical_objects(formula: Formula) -> None:
    assert parse(to_unicode(formula)) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert copy.copy(formula) is formula
    assert copy.deepcopy(formula) is formula


def test_different_trees_are_unequal() -> None:
    alike: list[Node] = [
        And(P, Q),
        And(Q, P),
        Or(P, Q),
        Variable("b"),
        Constant("b"),
        Function("f", (A,)),
        Atom("f", (A,)),
    ]
    assert len(set(alike)) == len(alike)


def test_interning_is_thread_safe() -> None:
    def build(_: int) -> list[Formula]:
        return [Or(Atom(f"T{number}", (Constant(f"c{number}"),)), P) for number in range(300)]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(build, range(16))
    assert all(mine is yours for built in others for mine, yours in zip(first, built, strict=True))


def test_interning_sweep_tolerates_concurrent_inserts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary stands in for the entries: it grows while it is iterated, as if another thread entered one."""

    class Growing(dict[object, object]):
        def items(self) -> Any:
            for entry in super().items():
                self[len(self)] = weakref.ref(A)
                yield entry

    entries = Growing({"kept": weakref.ref(A), "gone": weakref.ref(set())})
    monkeypatch.setattr(interning, "interned", entries)
    monkeypatch.setattr(interning, "_swept", 0)
    trees.forget()
    assert list(entries) == ["kept"]


def test_formulas_are_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        Not(P).operand = Q  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del X.name


def test_unreferenced_formula_is_freed() -> None:
    formula = Not(Atom("HeldByNothing", (A,)))
    seen = weakref.ref(formula)
    del formula
    gc.collect()
    assert seen() is None


def test_freed_formula_is_interned_again() -> None:
    for _ in range(3):
        one = Not(Atom("FreedAndMadeAgain", (A,)))
        assert one is Not(Atom("FreedAndMadeAgain", (A,)))
        del one


def test_interning_table_is_bounded_for_freed_formulas() -> None:
    held = And(P, Not(Q))
    # Other tests of this process hold formulas of their own.
    alive = sum(reference() is not None for reference in list(interned.values()))
    for number in range(40_000):
        Not(Not(Atom(f"Fleeting{number}", (A,))))
    assert len(interned) - alive < 100_000
    assert And(P, Not(Q)) is held


def test_node_constructor_checks_argument_count() -> None:
    with pytest.raises(TypeError, match="Not takes 1 arguments, not 2"):
        Not(P, Q)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["", "1a", "_a", "a-b", "a b", "é", "a'", "a\n"])
def test_symbol_names_must_be_ascii_words(name: str) -> None:
    for build in (Variable, Constant, lambda n: Function(n, (A,)), lambda n: Atom(n, (A,))):
        with pytest.raises(FormulaError, match="cannot name a"):
            build(name)


@pytest.mark.parametrize("name", ["u", "x", "z", "y12"])
def test_constant_names_must_differ_from_variables(name: str) -> None:
    with pytest.raises(FormulaError, match="are variables"):
        Constant(name)
    assert Constant(f"{name}_1").name == f"{name}_1"


def test_functions_require_arguments_but_predicates_may_have_zero() -> None:
    assert Atom("P", ()) is Atom("P", ())
    assert Atom("P", ()) is not Atom("P", (A,))
    with pytest.raises(FormulaError, match="write it as a constant"):
        Function("f", ())


def test_subformulas_are_in_preorder_with_paths() -> None:
    formula = parse("∀x (P(x) ∧ ¬Q(x)) → P(a)")
    assert [(path, to_unicode(node, checked=False)) for path, node in subformulas(formula)] == [
        ((), "∀x (P(x) ∧ ¬Q(x)) → P(a)"),
        ((0,), "∀x (P(x) ∧ ¬Q(x))"),
        ((0, 0), "P(x) ∧ ¬Q(x)"),
        ((0, 0, 0), "P(x)"),
        ((0, 0, 1), "¬Q(x)"),
        ((0, 0, 1, 0), "Q(x)"),
        ((1,), "P(a)"),
    ]


def test_distinct_subformulas_are_unique_in_first_occurrence_order() -> None:
    formula = Or(And(Q, P), And(P, Not(Q)))
    assert list(distinct_subformulas(formula)) == [formula, And(Q, P), Q, P, And(P, Not(Q)), Not(Q)]


def test_fold_visits_distinct_nodes_once() -> None:
    shared = And(P, P)
    visited: list[Formula] = []

    def size(node: Formula, parts: tuple[int, ...]) -> int:
        visited.append(node)
        return 1 + sum(parts)

    assert fold(Iff(shared, shared), size) == 7
    assert visited == [P, shared, Iff(shared, shared)]


@pytest.mark.parametrize("formula", formulas(), ids=str)
def test_node_rebuilt_from_its_children_is_identical(formula: Formula) -> None:
    for path, node in subformulas(formula):
        assert with_children(node, children(node)) is node
        assert replace(formula, path, node) is formula


def test_replace_changes_only_given_path() -> None:
    formula = And(P, Or(P, P))
    assert replace(formula, (1, 0), Not(P)) is And(P, Or(Not(P), P))
    assert replace(formula, (), Not(P)) is Not(P)


def test_map_term_replaces_leaves_and_keeps_functions() -> None:
    term = Function("f", (X, Function("g", (A, X))))
    assert [type(inner).__name__ for inner in subterms(term)] == [
        "Function",
        "Variable",
        "Function",
        "Constant",
        "Variable",
    ]
    renamed = map_term(term, lambda leaf: Variable("y") if leaf is X else leaf)
    assert renamed is Function("f", (Variable("y"), Function("g", (A, Variable("y")))))


def test_repr_shows_text_even_for_unprintable_trees() -> None:
    assert repr(Not(P)) == str(Not(P)) == "¬P(a)"
    assert repr(X) == str(X) == "x"
    assert repr(And(Atom("P", (Constant("b"),)), ForAll(Variable("b"), P))) == "P(b) ∧ ∀b P(a)"


def test_deep_formulas_are_processed_without_recursion() -> None:
    formula = nested(lambda inner: Not(And(ForAll(X, Implies(Q, inner)), Q)), 5_000, P)
    assert isinstance(hash(formula), int)
    assert formula == nested(lambda inner: Not(And(ForAll(X, Implies(Q, inner)), Q)), 5_000, P)
    assert len(repr(formula)) > 20_000
    assert free_variables(formula) == frozenset()
    assert bound_variables(formula) == {X}
    assert constants(formula) == {"a"}
    assert predicates(formula)["P"] == 1
    assert signature(formula).constants == {"a"}
    assert count_operators(formula) + count_quantifiers(formula) == 20_000
    for printed in (to_unicode(formula), to_latex(formula), to_tptp(formula), to_smtlib(formula)):
        assert len(printed) > 20_000
    assert is_negation_normal_form(negation_normal_form(formula))
    assert not same_normal_form(formula, Q)
    del formula
    gc.collect()


def test_deep_terms_are_processed_without_recursion() -> None:
    formula = Atom("P", (iterated("f", 100_000),))
    assert constants(formula) == {"a"}
    assert len(to_unicode(formula)) == 300_004
    assert same_normal_form(formula, Not(Not(formula)))


@pytest.mark.parametrize("name", DEEP)
def test_deep_formulas_within_length_limit_read_back(name: str) -> None:
    formula = nested(DEEP[name], 2_500, P)
    assert parse(to_unicode(formula)) is formula


def test_reader_accepts_signs_up_to_length_limit() -> None:
    assert parse("¬" * (MAX_LENGTH - 4) + "P(a)") is nested(Not, MAX_LENGTH - 4, P)
    brackets = (MAX_LENGTH - 4) // 2
    assert parse("(" * brackets + "P(a)" + ")" * brackets) is P
    calls = (MAX_LENGTH - 4) // 3
    assert parse("P(" + "f(" * calls + "a" + ")" * calls + ")") is Atom("P", (iterated("f", calls),))


def test_shared_subformulas_are_measured_once() -> None:
    formula = nested(lambda inner: Iff(inner, inner), 200, P)
    assert count_operators(formula) == 2**200 - 1
    assert predicates(formula) == {"P": 1}
    assert is_negation_normal_form(negation_normal_form(formula))
