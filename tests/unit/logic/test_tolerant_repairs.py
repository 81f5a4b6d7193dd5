"""Repairs (dropped, changed and supplied signs), and their messages."""

import pytest

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse, read_tolerantly

CUBES = "∀x (Cube(x) → Small(x))"
REPAIRED = [
    # replies
    ("```\n∀x (Cube(x) → Small(x))\n```", CUBES, "code fence dropped"),
    ("```fol\n∀x (Cube(x) → Small(x))\n```", CUBES, "code fence dropped"),
    ("Here it is:\n```\n∀x (Cube(x) → Small(x))\n```\nDone.", CUBES, "outside the code fence dropped"),
    ("Answer: ∀x (Cube(x) → Small(x))", CUBES, "'Answer:' before the formula dropped"),
    ("Formula: ∀x (Cube(x) → Small(x))", CUBES, "'Formula:' before the formula dropped"),
    ("FOL: ∀x (Cube(x) → Small(x))", CUBES, "'FOL:' before the formula dropped"),
    ("First-order logic formula: ∀x (Cube(x) → Small(x))", CUBES, "before the formula dropped"),
    ("The translation is ∀x (Cube(x) → Small(x))", CUBES, "'The translation is' before the formula dropped"),
    ("Premise 2: ∀x (Cube(x) → Small(x))", CUBES, "'Premise 2:' before the formula dropped"),
    ("**∀x (Cube(x) → Small(x))**", CUBES, "'**' around the formula dropped"),
    ("**Answer:** `∀x (Cube(x) → Small(x))`.", CUBES, "'`' around the formula dropped"),
    ("`∀x (Cube(x) → Small(x))`", CUBES, "'`' around the formula dropped"),
    ('"∀x (Cube(x) → Small(x))"', CUBES, "around the formula dropped"),
    ("“∀x (Cube(x) → Small(x))”", CUBES, "around the formula dropped"),
    ("1. ∀x (Cube(x) → Small(x))", CUBES, "'1.' before the formula dropped"),
    ("(3) ∀x (Cube(x) → Small(x))", CUBES, "'(3)' before the formula dropped"),
    ("- ∀x (Cube(x) → Small(x))\n- ∀x (Cube(x) → Small(x))", CUBES, "the bullet dropped"),
    ("* ∀x (Cube(x) → Small(x))", CUBES, "'*' before the formula dropped"),
    ("∀x (Cube(x) → Small(x)) ::: All cubes are small.", CUBES, "explanation after ':::' dropped"),
    ("∀x (Cube(x) → Small(x)).", CUBES, "'.' after the formula dropped"),
    ("∀x (Cube(x) → Small(x)),", CUBES, "',' after the formula dropped"),
    ("∀x (Cube(x) → Small(x));", CUBES, "';' after the formula dropped"),
    ("∀x (Cube(x) → Small(x))\n\nThis says: every cube is small.", CUBES, "line of prose dropped"),
    ("P(a)\n\nP(a)", "P(a)", "the same formula found 2 times"),
    ("P(a) or Q(a)?\nFinal answer: P(a)", "P(a)", "took what is marked as final, not the rest"),
    ("P(a)\n**Final answer:** Q(a)", "Q(a)", "took what is marked as final, not the rest"),
    ("*P(a)*", "P(a)", "'*' around the formula dropped"),
    # signs
    ("P(a) ⟶ Q(a)", "P(a) → Q(a)", "column 6: '⟶' read as '→'"),
    ("P(a) ⇒ Q(a)", "P(a) → Q(a)", "'⇒' read as '→'"),
    ("P(a) ⊃ Q(a)", "P(a) → Q(a)", "'⊃' read as '→'"),
    ("∼P(a)", "¬P(a)", "'∼' read as '¬'"),
    ("˜P(a)", "¬P(a)", "'˜' read as '¬'"),
    ("P(a) ⋀ Q(a)", "P(a) ∧ Q(a)", "'⋀' read as '∧'"),
    ("P(a) ⋁ Q(a)", "P(a) ∨ Q(a)", "'⋁' read as '∨'"),
    ("P(a) ≡ Q(a)", "P(a) ↔ Q(a)", "'≡' read as '↔'"),
    ("P(a) ⇔ Q(a)", "P(a) ↔ Q(a)", "'⇔' read as '↔'"),
    ("P(a) ⟷ Q(a)", "P(a) ↔ Q(a)", "'⟷' read as '↔'"),
    ("P(a) ⊻ Q(a)", "P(a) ⊕ Q(a)", "'⊻' read as '⊕'"),
    ("P（a） ∧ Q(a)", "P(a) ∧ Q(a)", "'（' read as '('"),
    ("P(a) v Q(a)", "P(a) ∨ Q(a)", "the letter 'v' read as '∨'"),
    ("P(x′) ∧ ∀x′ Q(x′)", "P(x) ∧ ∀x Q(x)", "'′' read as"),
    # truth constants
    ("$true", "∀x0 x0 = x0", "'$true' read as ∀x0 x0 = x0"),
    ("P(a) → False", "P(a) → ¬∀x0 x0 = x0", "'False' read as ¬∀x0 x0 = x0"),
    ("∀x0 (P(x0) → ⊥)", "∀x0 (P(x0) → ¬∀x1 x1 = x1)", "'⊥' read as ¬∀x1 x1 = x1"),
    # numbers
    ("P(1,000,000)", "P(n1000000)", "the name '1000000' written 'n1000000'"),
    ("P(a, $1,050, b)", "P(a, n1050, b)", "the name '$1050' written 'n1050'"),
    ("Rate(a) < 0.5%", "Less(Rate(a), n0_5_percent)", "the name '0.5%' written 'n0_5_percent'"),
    # quantifiers
    ("∀x ∈ D (Cube(x) → Small(x))", CUBES, "the restriction '∈ D' left out"),
    (r"\forall x \in Cube, Small(x)", CUBES, "the restriction '\\\\in Cube' read as Cube(x)"),
    ("∃x ∈ A ∀y ∈ B L(x, y)", "∃x (A(x) ∧ ∀y (B(y) → L(x, y)))", "the restriction '∈ B' read as B(y)"),
    ("exist x. (P(x) & Q(x))", "∃x (P(x) ∧ Q(x))", ""),
    # chains
    ("∀x (0 < x ≤ c)", "∀x (Less(n0, x) ∧ LessOrEqual(x, c))", "chain of comparisons read as their conjunction"),
    ("P(a) ∨ a = b = f(c)", "P(a) ∨ (a = b ∧ b = f(c))", "chain of equations read as their conjunction"),
    # parentheses
    ("((P(a)))", "P(a)", ""),
    ("∀x (Cube(x) → Small(x)", CUBES, "closing parenthesis missing, added"),
    ("∀x (Cube(x) → Small(x)))", CUBES, "closing parenthesis too many, dropped"),
    # names
    ("Cost(yale, 42.3billion)", "Cost(yale, n42_3billion)", "'42.3billion' written 'n42_3billion'"),
    ("Sides(a, 4)", "Sides(a, n4)", "'4' written 'n4'"),
    ("Anti-abortion(a)", "Anti_abortion(a)", "'Anti-abortion' written 'Anti_abortion'"),
    ("P(O'Brien)", "P(OBrien)", '"O\'Brien" written'),
    ("P(jane’s)", "P(janes)", "written 'janes'"),
    ("P('bob')", "P(bob)", ""),
    ("P('x')", "P(x_)", "'x' written 'x_'"),
    ('In("New York", a)', "In(New_York, a)", "'New York' written 'New_York'"),
    ("P(c++)", "P(c_plus_plus)", "'c++' written"),
    ("Cost(gre, US$205)", "Cost(gre, US_205)", "'US$205' written"),
    ("P(josé)", "P(jose)", "'josé' written 'jose'"),
    ("∀α P(α)", "∀char3b1 P(char3b1)", "'α' written"),
    ("∀x' P(x')", "∀x P(x)", '"x\'" written'),
    ("∀x P(x₁)", "∀x P(x1)", "'x₁' written 'x1'"),
    ("P(x_1) → Q(x_1)", "P(x1) → Q(x1)", "'x_1' written 'x1'"),
    (r"P(x_{12}) \to Q(x_{12})", "P(x12) → Q(x12)", "'x_12' written 'x12'"),
    ("∀x_1 P(x_1)", "∀x_1 P(x_1)", ""),
    ("Founded(a, y_1976)", "Founded(a, y_1976)", ""),
    ("∀x P(x) ∧ Q(x)", "∀x (P(x) ∧ Q(x))", "column 1: ∀x read with wide scope"),
    ("P(a) & ∀x P(x) & Q(x)", "P(a) ∧ ∀x (P(x) ∧ Q(x))", "column 8: ∀x read with wide scope"),
]
AMBIGUOUS = [
    ("caret", "P(a) ^ Q(a)", "P(a) ∧ Q(a)", ["P(a) ⊕ Q(a)"]),
    ("caret", "(P(a) & Q(a)) ^ R(a)", "(P(a) ∧ Q(a)) ⊕ R(a)", ["P(a) ∧ Q(a) ∧ R(a)"]),
    ("mixed_and_or", "P(a) ∧ Q(a) ∨ R(a)", "(P(a) ∧ Q(a)) ∨ R(a)", ["P(a) ∧ (Q(a) ∨ R(a))"]),
    ("mixed_and_or", "P(a) | Q(a) & R(a)", "P(a) ∨ (Q(a) ∧ R(a))", ["(P(a) ∨ Q(a)) ∧ R(a)"]),
    ("mixed_exclusive_or", "P(a) ⊕ Q(a) ∨ R(a)", "P(a) ⊕ (Q(a) ∨ R(a))", ["(P(a) ⊕ Q(a)) ∨ R(a)"]),
    ("implication_chain", "P(a) → Q(a) → R(a)", "P(a) → (Q(a) → R(a))", ["(P(a) → Q(a)) → R(a)"]),
    ("quantifier_scope", "∀x P(x) → Q(a)", "(∀x P(x)) → Q(a)", ["∀x (P(x) → Q(a))"]),
    ("quantifier_scope", "∀x. P(x) → Q(a)", "∀x (P(x) → Q(a))", ["(∀x P(x)) → Q(a)"]),
    ("quantifier_scope", "∀x P(x) → Q(x)", "∀x (P(x) → Q(x))", ["(∀x P(x)) → Q(x)"]),
    ("quantifier_scope", "¬∃x. P(x) ∧ Q(a)", "¬∃x (P(x) ∧ Q(a))", ["(¬∃x P(x)) ∧ Q(a)"]),
    ("leading_dash", "- ∀x (Cube(x) → Small(x))", "¬∀x (Cube(x) → Small(x))", [CUBES]),
    ("equality", "P(a) ∧ (P(b) = Q(b) ∨ Q(a))", "P(a) ∧ (P(b) = Q(b) ∨ Q(a))", ["P(a) ∧ ((P(b) ↔ Q(b)) ∨ Q(a))"]),
    ("leading_dash", "- ¬P(a)", "¬¬P(a)", ["¬P(a)"]),
    ("sort", "∀ x : Person, Tall x", "∀x Tall(x)", ["∀x (Person(x) → Tall(x))"]),
    ("prefix_application", "∀ x, Likes bob x", "∀x Likes(bob, x)", []),
    ("typeface", r"\mathcal{P}(a) \land P(a)", "P(a) ∧ P(a)", ["P_cal(a) ∧ P(a)"]),
    ("typeface", r"\mathbf{P}(a) \to \mathsf{P}(b)", "P(a) → P(b)", ["P_bf(a) → P_sf(b)"]),
    ("comma", "∀x (P(x), Q(x) → R(x))", "∀x (P(x) ∧ Q(x) → R(x))", []),
    ("equality", "P(a) = Q(a) ∧ P(b)", "P(a) = Q(a) ∧ P(b)", ["(P(a) ↔ Q(a)) ∧ P(b)"]),
    ("equality", "P(a) != Q(a) ∧ P(b)", "P(a) ≠ Q(a) ∧ P(b)", ["¬(P(a) ↔ Q(a)) ∧ P(b)"]),
    ("equality", "Q(b) ∨ P(a) ≠ Q(a)", "Q(b) ∨ P(a) ≠ Q(a)", ["Q(b) ∨ ¬(P(a) ↔ Q(a))"]),
    ("equality", "P(a) == Q(a)", "P(a) ↔ Q(a)", ["P(a) = Q(a)"]),
    ("equality", "(P(a) & Q(a)) == ~R(a)", "(P(a) ∧ Q(a)) ↔ ¬R(a)", []),
]
UNAMBIGUOUS = [
    "f(a) == g(b)", r"\text{P}(a) \land P(a)", "∀x P(x) ∧ Q(a)", "∀x P(x) ∧ ∃y Q(y) ∧ ∃z P(z)",
    "P(a) → Q(a) ∧ R(a)", "(P(a) ∧ Q(a)) ∨ R(a)", "P(a) ∨ Q(a) → P(b) ∧ Q(b)", "∀x. P(x) → Q(x)",
    "∀x (P(x) → ∃y R(x, y))", "![X]: p(X) => q(a)", "- P(a)", "- all x (P(x) -> -Q(x))", "P(a) ^ (Q(a) v R(a))",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "repair"), REPAIRED)
def test_tolerant_reader_records_repairs(text: str, expected: str, repair: str) -> None:
    reading = read_tolerantly(text)
    assert reading.formula is parse(expected)
    assert any(repair in told for told in reading.repairs) or not repair


@pytest.mark.parametrize(("kind", "text", "expected", "others"), AMBIGUOUS)
def test_tolerant_reader_lists_alternative_readings(kind: str, text: str, expected: str, others: list[str]) -> None:
    reading = read_tolerantly(text)
    assert reading.formula is parse(expected)
    assert [a.kind for a in reading.ambiguities] == [kind]
    assert reading.ambiguous
    assert list(reading.alternatives) == [parse(other) for other in others]


@pytest.mark.parametrize("text", UNAMBIGUOUS)
def test_equivalent_groupings_read_as_unambiguous(text: str) -> None:
    assert not read_tolerantly(text).ambiguous


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("∀x (P(x) ∧ Q(x) R(x))", 1, 17), ("Answer: P(a) ∧ y ≈ 9", 1, 18), ("```\nP(a) ∧\n  λx.P(x)\n```", 3, 3),
        (r"\forall x (P(x) \land \leq x)", 1, 23), ("P(a) & Q(b, )", 1, 13),
    ],
)  # fmt: skip
def test_syntax_errors_point_into_original_text(text: str, line: int, column: int) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("line", "column"), [("P(a) ∧ \u2265", 8), ("P(a) ∧", 0), ("P(a) ∧ Q(a) \\", 13), ("fof(a, axiom, p(b) & q", 23)]
)
def test_error_in_a_known_line_points_into_its_own_text(line: str, column: int) -> None:
    """A line is remembered; the end of a text is behind all its lines, but for TPTP's parenthesis."""
    for before, after in (("Q(a)\n", "\n\n"), ("Q(a)\n\n  ", "")):
        text = f"{before}{line}{after}"
        with pytest.raises(FormulaSyntaxError) as caught:
            read_tolerantly(text)
        place = len(before) + column - 1 if column else len(text)
        assert caught.value.line == text.count("\n", 0, place) + 1
        assert caught.value.column == place - text.rfind("\n", 0, place)


def test_repairs_of_a_known_line_point_into_their_own_text() -> None:
    line, first = "P(a) ⟹ Q(a)", "column 6: '⟹' read as '→'"
    assert read_tolerantly(line).repairs == (first,)
    assert read_tolerantly(f"{line}\n   {line}").repairs == (first, "the same formula found 2 times")
    assert read_tolerantly(f"So we get\n   {line}").repairs[0] == "line 2, column 9: '⟹' read as '→'"
    doubtful = "Cube a == ∀ x, Small x"
    for text, place in ((f"So:\n{doubtful}", "line 2, column 8"), (f"{doubtful}\nThis is it all.", "column 8")):
        assert read_tolerantly(text).ambiguities[0].detail.startswith(f"{place}: '==' taken as ↔")


@pytest.mark.parametrize("text", ["P(a)\nQ(a)", "1. P(a)\n2. Q(a)", "```\nP(a)\n```\n```\nQ(a)\n```", "- P(a)\n- Q(a)"])
def test_tolerant_reader_refuses_several_formulas(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="2 different formulas found"):
        read_tolerantly(text)


def test_tolerant_reader_refuses_malformed_formula_line() -> None:
    with pytest.raises(FormulaSyntaxError, match="infix comparisons"):
        read_tolerantly("∀x P(x)\n∀x (Q(x) → x ≈ y)")


@pytest.mark.parametrize("text", ["It is not the case that\nP(a)", "P(a)\nif it rains", "It is false that:\n\nP(a)"])
def test_tolerant_reader_refuses_sentence_running_into_formula(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_tolerantly(text)


@pytest.mark.parametrize("text", ["P(a) ∧ (Q(a) ∨ R(a)", "¬(P(a) ∧ Q(a)", "∀x ((P(x) ∨ Q(x)) ∧ R(x)) → S(x))"])
def test_tolerant_reader_refuses_ambiguous_missing_parenthesis(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="parenthesis"):
        read_tolerantly(text)


@pytest.mark.parametrize("text", ["∀x (P(x) ∧ P(x'))", "P(a-b) ∧ P(a_b)", "P(josé) ∨ P(jose)"])
def test_tolerant_reader_refuses_colliding_names(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="would both be written"):
        read_tolerantly(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y > 9", "Greater(y, n9)"),
        ("2000 > 1500", "Greater(n2000, n1500)"),
        ("∀x (Rating(x, y) ∧ y ≥ 9 → Listed(x))", "∀x (Rating(x, y) ∧ GreaterOrEqual(y, n9) → Listed(x))"),
        ("P(a) → y <= 42.3billion", "P(a) → LessOrEqual(y, n42_3billion)"),
        (r"P(a) \land y \lt 3", "P(a) ∧ Less(y, n3)"),
        ("forall x. (Age(x) > 18 -> Adult(x))", "∀x (Greater(Age(x), n18) → Adult(x))"),
        ("∀x (x ∈ s → x ∉ t)", "∀x (Member(x, s) → ¬Member(x, t))"),
        ("P(x-1, y + 1)", "P(minus(x, n1), plus(y, n1))"),
        ("(x + 1) * 2 = y - 3 * 4", "times(plus(x, n1), n2) = minus(y, times(n3, n4))"),
    ],
)
def test_infix_mathematics_reads_as_predicates_and_functions(text: str, expected: str) -> None:
    reading = read_tolerantly(text)
    assert reading.formula is parse(expected)
    assert reading.dialect == "mathematics"
    assert any(" read as " in told for told in reading.repairs)


def test_leading_underscore_reads_without_repair() -> None:
    reading = read_tolerantly("all x.(_people(x) -> exists y._dog(y))")
    assert (reading.formula, reading.repairs) == (parse("∀x (people(x) → ∃y dog(y))"), ())


def test_signature_decides_constants_and_comparison_symbols() -> None:
    declared = signature(parse("P(x_1)"))
    assert not read_tolerantly("P(x_1)", signature=declared).repairs
    assert "Greater" not in declared.predicates
    assert "Greater" in signature(read_tolerantly("Greater(y, 9) ∧ y > 9", signature=declared).formula).predicates


def test_signature_names_match_with_blanks() -> None:
    known = signature(parse("Video_Gag(Los_Angeles)"))
    found = read_tolerantly("∀x (Video Gag(x) → x = Los Angeles)", signature=known)
    assert found.formula is parse("∀x (Video_Gag(x) → x = Los_Angeles)")
    assert "the name 'Video Gag' written 'Video_Gag'" in found.repairs[0]
    with pytest.raises(FormulaSyntaxError, match="two names in a row"):
        read_tolerantly("∀x (Other Gag(x))", signature=known)


def test_signature_year_reads_as_constant_unless_bound() -> None:
    known = signature(parse("Born(ann, y_1984)"))
    found = read_tolerantly("Born(ann, y1984)", signature=known)
    assert found.formula is parse("Born(ann, y_1984)")
    assert found.repairs == ("column 11: the name 'y1984' written 'y_1984'",)
    assert read_tolerantly("∃y1984 Born(ann, y1984)", signature=known).formula is parse("∃y1984 Born(ann, y1984)")
    assert read_tolerantly("Born(ann, y1985)", signature=known).formula is parse("Born(ann, y1985)")
