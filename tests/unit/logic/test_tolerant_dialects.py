"""Each notation that is recognised, by example."""

import pytest

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading import TolerantReading, close_universally, parse, read_tolerantly

CUBES = "∀x (Cube(x) → Small(x))"
EXAMPLES = [
    ("unicode", "∀x (Cube(x) → Small(x))", CUBES),
    ("unicode", "∀x(Cube(x)→Small(x))", CUBES),
    ("unicode", "∀x. Cube(x) → Small(x)", CUBES),
    ("unicode", "∀x.(Cube(x) → Small(x))", CUBES),
    ("unicode", "∀x: Cube(x) → Small(x)", CUBES),
    ("unicode", "∀(x)[Cube(x) → Small(x)]", CUBES),
    ("unicode", "∀(x)(Cube(x) → Small(x))", CUBES),
    ("unicode", "(∀x)(Cube(x) → Small(x))", CUBES),
    ("unicode", "[∀x][Cube(x) → Small(x)]", CUBES),
    ("unicode", "∀x {Cube(x) → Small(x)}", CUBES),
    ("unicode", "∀x y ¬R(x,y)", "∀x ∀y ¬R(x, y)"),
    ("unicode", "∀x,y R(x,y)", "∀x ∀y R(x, y)"),
    ("unicode", "∀x, y (R(x,y))", "∀x ∀y R(x, y)"),
    ("unicode", "∀x∀y R(x,y)", "∀x ∀y R(x, y)"),
    ("unicode", "∀x y R(x,y)", "∀x ∀y R(x, y)"),
    ("unicode", "(∀x)(∃y)R(x,y)", "∀x ∃y R(x, y)"),
    ("unicode", "(∀x∃y) R(x,y)", "∀x ∃y R(x, y)"),
    ("unicode", "∃x.∃y.R(x,y) ∧ P(x)", "∃x ∃y (R(x, y) ∧ P(x))"),
    ("unicode", "∄x P(x)", "¬∃x P(x)"),
    ("unicode", "∄x,y R(x,y)", "¬∃x ∃y R(x, y)"),
    ("unicode", "∄x y. R(x,y) ∧ P(a)", "¬∃x ∃y (R(x, y) ∧ P(a))"),
    ("unicode", "∄(x, y) (R(x,y))", "¬∃x ∃y R(x, y)"),
    ("unicode", "∃!x P(x)", "∃x (P(x) ∧ ∀y (P(y) → y = x))"),
    ("unicode", "∃!x P(x) ∧ Q(x)", "∃x (P(x) ∧ Q(x) ∧ ∀y (P(y) ∧ Q(y) → y = x))"),
    ("unicode", "¬∃!x P(x) ∧ Q(x)", "¬∃x (P(x) ∧ Q(x) ∧ ∀y (P(y) ∧ Q(y) → y = x))"),
    ("unicode", "∀x, y R(x,y) → P(x)", "∀x ∀y (R(x, y) → P(x))"),
    ("unicode", "∀x y = x", "∀x y = x"),
    ("latex", r"\forall x (Cube(x) \rightarrow Small(x))", CUBES),
    ("latex", r"$\forall x\, (\mathrm{Cube}(x) \to \text{Small}(x))$", CUBES),
    ("latex", r"$$\forall x\ \left( Cube(x) \Rightarrow Small(x) \right)$$", CUBES),
    ("latex", r"\[ \forall x . Cube(x) \implies Small(x) \]", CUBES),
    ("latex", r"\(\forall{x}\;(Cube(x) \to Small(x))\)", CUBES),
    ("latex", r"$∀x (Cube(x) → Small(x))$", CUBES),
    ("latex", r"\exists x (\text{Is\_Cube}(x) \land \lnot In\_A(x))", "∃x (Is_Cube(x) ∧ ¬In_A(x))"),
    ("latex", r"P(a) \wedge Q(a) \iff \neg R(a)", "P(a) ∧ Q(a) ↔ ¬R(a)"),
    ("latex", r"P(a) \oplus Q(a) \leftrightarrow R(a)", "P(a) ⊕ Q(a) ↔ R(a)"),
    ("latex", r"P(a) \vee a \neq b \to a \not= c", "P(a) ∨ a ≠ b → a ≠ c"),
    ("latex", r"\forall x_{1} P(x_{1})", "∀x_1 P(x_1)"),
    ("latex", r"P(a) \text{ and } Q(a)", "P(a) ∧ Q(a)"),
    ("latex", r"\exists! x P(x)", "∃x (P(x) ∧ ∀y (P(y) → y = x))"),
    ("latex", r"\nexists x, y R(x,y)", "¬∃x ∃y R(x, y)"),
    ("ascii", "forall x (Cube(x) -> Small(x))", CUBES),
    ("ascii", "FORALL x: Cube(x) IMPLIES Small(x)", CUBES),
    ("ascii", "for all x, (Cube(x) => Small(x))", CUBES),
    ("ascii", "all x (Cube(x) => Small(x))", CUBES),
    ("ascii", "ForAll(x, Cube(x) -> Small(x))", CUBES),
    ("ascii", "ForAll(x, Implies(Cube(x), Small(x)))", CUBES),
    ("ascii", "ForAll([x], Implies(Cube(x), Small(x)))", CUBES),
    ("ascii", "Exists([x, y], P(x) && Q(y))", "∃x ∃y (P(x) ∧ Q(y))"),
    ("ascii", "forall (x, y) (R(x, y))", "∀x ∀y R(x, y)"),
    ("ascii", "there exists x (P(x) and Q(x))", "∃x (P(x) ∧ Q(x))"),
    ("ascii", "some x (P(x) & Q(x))", "∃x (P(x) ∧ Q(x))"),
    ("ascii", "!P(a) || Q(a) && R(a)", "¬P(a) ∨ Q(a) ∧ R(a)"),
    ("ascii", "~P(a) <=> Q(a)", "¬P(a) ↔ Q(a)"),
    ("ascii", "not P(a) xor Q(a) iff R(a)", "¬P(a) ⊕ Q(a) ↔ R(a)"),
    ("ascii", "And(P(a), Or(Q(a), R(a)), Not(S(a)))", "P(a) ∧ (Q(a) ∨ R(a)) ∧ ¬S(a)"),
    ("ascii", "a != b", "a ≠ b"),
    ("ascii", r"P(a) /\ Q(a) \/ R(a)", "P(a) ∧ Q(a) ∨ R(a)"),
    ("prover9", "all x (Cube(x) -> Small(x)).", CUBES),
    ("prover9", "all x all y (R(x,y) & -P(x) | Q(y) <-> x != y)", "∀x ∀y (R(x, y) ∧ ¬P(x) ∨ Q(y) ↔ x ≠ y)"),
    ("prover9", "exists x P(x) & Q(a)", "(∃x P(x)) ∧ Q(a)"),
    ("prover9", "-P(a) | Q(a).", "¬P(a) ∨ Q(a)"),
    ("nltk", "all x.(Cube(x) -> Small(x))", CUBES),
    ("nltk", "exists x y.(R(x,y) & -P(x))", "∃x ∃y (R(x, y) ∧ ¬P(x))"),
    ("nltk", "all x.P(x) -> Q(a)", "(∀x P(x)) → Q(a)"),
    ("tptp", "![X]: (cube(X) => small(X))", "∀X (cube(X) → small(X))"),
    ("tptp", "! [X, Y] : (p(X) <~> ~ q(Y, a))", "∀X ∀Y (p(X) ⊕ ¬q(Y, a))"),
    ("tptp", "?[X]: p(X) & q(a)", "(∃X p(X)) ∧ q(a)"),
    ("tptp", "fof(ax, axiom, ![X]: (p(X) | X != a)).", "∀X (p(X) ∨ X ≠ a)"),
    ("tptp", "fof(ax, axiom, p(X) & q(x)).", "p(x1) ∧ q(x_)"),
    ("tptp", "fof(ax, axiom, p(X) & q(a)).", "p(x) ∧ q(a)"),
    ("tptp", "fof(ax, axiom, 'Is Cube'(a)).", "Is_Cube(a)"),
    ("lean", "∀ x, Cube x → Small x", CUBES),
    ("lean", "∀ x, (Cube x → Small x)", CUBES),
    ("lean", "∀ x, Cube(x) → Small(x)", CUBES),
    ("lean", "∀ x y, R x y ↔ R (f x) (f (f y))", "∀x ∀y (R(x, y) ↔ R(f(x), f(f(y))))"),
    ("lean", "∀ x : U, ∃ y : U, R x y ∧ ¬ x = y", "∀x ∃y (R(x, y) ∧ x ≠ y)"),
    ("lean", "∀ (x : U), Cube x", "∀x Cube(x)"),
    ("lean", "∄ x y, R x y", "¬∃x ∃y R(x, y)"),
    ("lean", "¬ ∃ x, P x ∧ f x ≠ a", "¬∃x (P(x) ∧ f(x) ≠ a)"),
]


def same(reading: TolerantReading, expected: str) -> bool:
    return reading.formula is parse(expected)


@pytest.mark.parametrize(("dialect", "text", "expected"), EXAMPLES)
def test_dialect_is_read_and_named(dialect: str, text: str, expected: str) -> None:
    reading = read_tolerantly(text)
    assert same(reading, expected)
    assert reading.dialect == dialect


@pytest.mark.parametrize("kind", ["cnf", "tff", "thf"])
def test_unsupported_tptp_languages_are_refused(kind: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="is not read here"):
        read_tolerantly(f"{kind}(name, axiom, p(a)).")


def test_unique_existence_expands_without_variable_capture() -> None:
    reading = read_tolerantly("∃!x (P(x) ∧ ∀x Q(x) ∧ ∃y R(x, y) ∧ S(z))")
    assert same(
        reading, "∃x (P(x) ∧ (∀x Q(x)) ∧ (∃y R(x, y)) ∧ S(z) ∧ ∀w (P(w) ∧ (∀x Q(x)) ∧ (∃y R(w, y)) ∧ S(z) → w = x))"
    )
    assert "∃!" in reading.repairs[0]


def test_nested_unique_existence_is_bounded() -> None:
    assert same(
        read_tolerantly("∃!x ∃!y R(x, y)"),
        "∃x (∃y (R(x, y) ∧ ∀z (R(x, z) → z = y)) ∧ ∀w (∃y (R(w, y) ∧ ∀z (R(w, z) → z = y)) → w = x))",
    )
    with pytest.raises(FormulaSyntaxError, match="7 ∃!; at most 6"):
        read_tolerantly("∃!x " * 7 + "P(x)")


@pytest.mark.parametrize(
    ("text", "operators", "names"),
    [
        ("Not(P(a))", "¬P(a)", "Not(P(a))"),
        ("And(P(a), Q(a))", "P(a) ∧ Q(a)", "And(P(a), Q(a))"),
        ("ForAll(x, P(x))", "∀x P(x)", "ForAll(x, P(x))"),
        ("fof(ax, axiom, p(a))", "p(a)", "fof(ax, axiom, p(a))"),
    ],
)
def test_words_are_operators_unless_declared_in_signature(text: str, operators: str, names: str) -> None:
    reading = read_tolerantly(text)
    assert same(reading, operators)
    assert [a.kind for a in reading.ambiguities] == ["word_operator"]
    assert reading.alternatives == (parse(names),)
    predicate, _, arguments = names.partition("(")
    declared = read_tolerantly(text, signature=Signature({predicate: arguments.count(",") + 1}))
    assert same(declared, names)
    assert not declared.ambiguous


def test_words_in_predicate_position_are_names() -> None:
    assert same(read_tolerantly("Exists(a) ∧ All(b)"), "Exists(a) ∧ All(b)")
    assert same(read_tolerantly("Not(a)"), "Not(a)")


def test_reader_keeps_undeclared_symbols() -> None:
    signature = Signature({"Cube": 1}, {}, frozenset(["a"]))
    assert same(read_tolerantly("cube(A) & Cuba(a)", signature=signature), "cube(A) ∧ Cuba(a)")


def test_lean_requires_declared_predicates_under_signature() -> None:
    signature = Signature({"Likes": 2}, {}, frozenset(["bob"]))
    assert same(read_tolerantly("∀ x, Likes bob x", signature=signature), "∀x Likes(bob, x)")
    with pytest.raises(FormulaSyntaxError, match="not among the predicates"):
        read_tolerantly("∀ x, bob Likes x", signature=signature)


def test_universal_closure_binds_free_variables() -> None:
    assert close_universally(parse("R(y, x) → P(a)")) is parse("∀x ∀y (R(y, x) → P(a))")
    assert close_universally(parse("∀x P(x)")) is parse("∀x P(x)")


@pytest.mark.parametrize(
    "text",
    [
        "theorem t : ∀ x, Cube x → ¬ Larger x b := by sorry",
        "Theorem s : forall x : Block, Cube x -> ~ Larger x b.",
        r'lemma "\<forall>x. Cube x \<longrightarrow> \<not> Larger x b"',
        "∀x. Cube x ⟶ ¬ Larger x b",
        "(forall (?x) (=> (Cube ?x) (not (Larger ?x b))))",
        "&forall;x (Cube(x) &rarr; &not;Larger(x, b))",
        r"\\u2200x (Cube(x) \u2192 \u00acLarger(x, b))",
        r"∀x (Cube(x) → \+ Larger(x, b))",
        "!x. Cube(x) => ~Larger(x, b)",
    ],
)
def test_notations_of_provers_and_markup_are_respelled(text: str) -> None:
    reading = read_tolerantly(text)
    assert reading.formula == parse("∀x (Cube(x) → ¬Larger(x, b))")
    assert reading.repairs or reading.dialect == "lean"
