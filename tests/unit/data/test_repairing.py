import pytest

from nlfol.data.repairing import balance, mend_signs, names, rename
from nlfol.data.sentences import Repair
from nlfol.logic.reading import parse


@pytest.mark.parametrize(
    ("text", "expected", "kinds"),
    [
        (" P(a)  ", "P(a)", []),
        ("P(a).", "P(a)", ["full_stop"]),
        ("P(a) ⟷ Q(a)", "P(a) ↔ Q(a)", ["connective_sign"]),
        ("P(a) ⇒ Q(a) .", "P(a) → Q(a) .", ["connective_sign"]),
        ("(P(a) ⟷ Q(a)). ", "(P(a) ↔ Q(a))", ["full_stop", "connective_sign"]),
    ],
)
def test_sign_repairs_yield_expected_text_and_kinds(text: str, expected: str, kinds: list[str]) -> None:
    mended, repairs = mend_signs(text)
    assert mended == expected
    assert [repair.kind for repair in repairs] == kinds


def test_name_scanner_finds_names_with_roles() -> None:
    text = "∀x Road-like (x) → (Near(captain america, x) ∧ c++ = f(2000))"
    found = [(name.text, name.role) for name in names(text)]
    assert found == [
        ("x", "variable"),
        ("Road-like", "symbol"),
        ("x", "argument"),
        ("Near", "symbol"),
        ("captain america", "argument"),
        ("x", "argument"),
        ("c++", "argument"),
        ("f", "symbol"),
        ("2000", "argument"),
    ]
    assert all(text[name.start :].startswith(name.text) for name in names(text))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Anti-abortion(x)", "Anti_abortion(x)"),
        ("∀x Anti-abortion(x)", "∀x Anti_abortion(x)"),
        ("∀x(A-b(x))", "∀x(A_b(x))"),
        ("Lives(mr.smith, two)", "Lives(mr_smith, two)"),
        ("Hero(captain america)", "Hero(captain_america)"),
        ("Uses(bob, c++)", "Uses(bob, c_plus_plus)"),
        ("In(moscow, 2000)", "In(moscow, n2000)"),
        ("LostToŚwiątek(serena)", "LostToSwiatek(serena)"),
        ("Companies’Stocks(acme)", "CompaniesStocks(acme)"),
        ("Born(ann, y1976)", "Born(ann, y_1976)"),
        ("Same-as(a-b, a-b) ∧ P(a-b)", "Same_as(a_b, a_b) ∧ P(a_b)"),
        ("P(a) ∧ Q(b)", "P(a) ∧ Q(b)"),
        ("∃x1 Next(x1, x2)", "∃x1 Next(x1, x2)"),
        ("∀x P(x, y)", "∀x P(x, y)"),
        ("∀x (P(x) ^ Q(x))", "∀x (P(x) ^ Q(x))"),
        ("∀x (P(x) Q-r(x))", "∀x (P(x) Q-r(x))"),
        ("not Happy(ann)", "not Happy(ann)"),
        ("∃x Loves(x mary)", "∃x Loves(x mary)"),
        ("∀x P(x-1)", "∀x P(x-1)"),
        ("P(a & b)", "P(a & b)"),
        ("P(_)", "P(_)"),
    ],
)
def test_name_repair_fixes_invalid_names_only(before: str, after: str) -> None:
    renamed, repairs = rename([before]).apply(before)
    assert renamed == after
    assert bool(repairs) is (before != after)
    assert all(repair.kind == "name" for repair in repairs)


def test_name_repair_is_consistent_in_story_and_reported_once() -> None:
    renaming = rename(["P(a-b)", "Q(a-b, a-b)"])
    assert renaming.apply("Q(a-b, a-b)") == ("Q(a_b, a_b)", (Repair("name", "a-b", "a_b"),))


def test_numbered_variable_keeps_numbered_names_variables() -> None:
    assert rename(["∀x1 P(x1)", "Q(y1976)"]).apply("Q(y1976)") == ("Q(y1976)", ())


def test_colliding_name_repairs_are_skipped_and_reported() -> None:
    renaming = rename(["P(a-b)", "Q(a_b)", "R(c-d)"])
    assert renaming.apply("P(a-b)") == ("P(a-b)", ())
    assert renaming.collisions("P(a-b)") == {"a-b": "a_b"}
    assert renaming.collisions("Q(a_b)") == {}
    assert renaming.apply("R(c-d)")[0] == "R(c_d)"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("¬P(a))", "¬P(a)"),
        ("P(a) ∧ Q(a))", "P(a) ∧ Q(a)"),
        ("∀x (P(x) → (Q(x) ∨ R(x))", "∀x (P(x) → Q(x) ∨ R(x))"),
        ("∀x (P(x) → Q(x)", "∀x (P(x) → Q(x))"),
        ("P(a) ⊕ Q(a)) → R(a)", "(P(a) ⊕ Q(a)) → R(a)"),
    ],
)
def test_parenthesis_repair_finds_forced_reading(text: str, meant: str) -> None:
    (reading,) = balance(text)
    assert parse(reading) == parse(meant)


@pytest.mark.parametrize(
    "text", ["¬P(a) ∧ Q(a))", "∀x ((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", "P(a) → Q(a)) ∧ R(a)", "¬(P(a) ∧ Q(a)"]
)
def test_parenthesis_repair_keeps_ambiguous_readings(text: str) -> None:
    assert len(balance(text)) > 1


@pytest.mark.parametrize("text", ["P(a)))", "((P(a)", "P(a ∧", "P)", f"P(a{' ' * 1_000}"])
def test_parenthesis_repair_gives_up_on_hopeless_text(text: str) -> None:
    assert balance(text) == []
