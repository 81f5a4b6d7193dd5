"""The strict reader: precedence, scope, and what it refuses, where."""

import pickle
from contextlib import suppress

import pytest
from tests.unit.logic import corpora
from tests.unit.logic.examples import EXAMPLES, Example

from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import MAX_LENGTH, Reading, parse, read
from nlfol.logic.syntax import Atom, Constant, Not, Variable


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.text)
def test_examples_read_as_canonical_text(example: Example) -> None:
    reading = read(example.text)
    assert reading.formula is parse(example.canonical)
    assert len(reading.warnings) == example.warnings
    assert read(example.canonical).warnings == ()


@pytest.mark.parametrize(
    ("text", "wide", "quantifiers"),
    [
        ("∀x P(x) → Q(x)", "∀x (P(x) → Q(x))", ["∀x"]),
        ("∀x∀y R(x,y) → S(x,y)", "∀x ∀y (R(x,y) → S(x,y))", ["∀x", "∀y"]),
        ("∀x∀y R(x,y) → R(y,x)", "∀x ∀y (R(x,y) → R(y,x))", ["∀y"]),  # and takes ∀x with it
        ("∀x ∃y R(x,y) → Q(x)", "∀x (∃y R(x,y) → Q(x))", ["∀x"]),
        ("∀x∀y R(x,y) → Q(x)", "∀x ∀y (R(x,y) → Q(x))", ["∀x"]),  # and takes ∀y with it, of its block
        ("∃x∃y∃z T(x,y,z) → Q(y)", "∃x ∃y ∃z (T(x,y,z) → Q(y))", ["∃y"]),
        ("∀x∀y∃z T(x,y,z) → Q(x)", "∀x ∀y (∃z T(x,y,z) → Q(x))", ["∀x"]),
        ("∀x ¬∀y R(x,y) → Q(x)", "∀x (¬∀y R(x,y) → Q(x))", ["∀x"]),
        ("∀x ∃y R(x,y) → Q(y)", "∀x ∃y (R(x,y) → Q(y))", ["∃y"]),
        ("¬∃x P(x) ∧ Q(x)", "¬∃x (P(x) ∧ Q(x))", ["∃x"]),
        ("¬∀x ¬∃y R(x,y) ∧ S(x,y)", "¬∀x ¬∃y (R(x,y) ∧ S(x,y))", ["∀x", "∃y"]),
        ("(∀x P(x) → Q(x)) ∧ S(a)", "∀x (P(x) → Q(x)) ∧ S(a)", ["∀x"]),
        ("S(a) ∧ ∀x P(x) → Q(x)", "S(a) ∧ ∀x (P(x) → Q(x))", ["∀x"]),
        ("∀x (P(x)) → Q(x) ∧ ∃y R(x,y)", "∀x (P(x) → Q(x) ∧ ∃y R(x,y))", ["∀x"]),
        ("∀x P(x) → ∀y Q(y) ∧ R(x,y)", "∀x (P(x) → ∀y (Q(y) ∧ R(x,y)))", ["∀x", "∀y"]),
        ("∃x P(x) ∧ ∃x Q(x) ∧ S(x)", "∃x P(x) ∧ ∃x (Q(x) ∧ S(x))", ["∃x"]),
        ("∃x P(x) ∧ (∃x Q(x) ∧ S(x)) ∧ T(x)", "∃x (P(x) ∧ ∃x (Q(x) ∧ S(x)) ∧ T(x))", ["∃x", "∃x"]),
        ("∀x P(x) ∧ Q(x) ∧ ∀x S(x) → T(x)", "∀x (P(x) ∧ Q(x) ∧ (∀x S(x)) → T(x))", ["∀x"]),
        ("∀a P(a) → Q(a)", "∀a (P(a) → Q(a))", ["∀a"]),
        ("∀x∀y∀z T(x,y,z) → Q(x)", "∀x ∀y ∀z (T(x,y,z) → Q(x))", ["∀x"]),
        ("∀x ¬∀y R(x,y) → R(y,x)", "∀x ¬∀y (R(x,y) → R(y,x))", ["∀y"]),
        ("∃x P(x) ∧ x = a", "∃x (P(x) ∧ x = a)", ["∃x"]),
    ],
)
def test_quantifier_takes_wide_scope_to_bind_its_variable(text: str, wide: str, quantifiers: list[str]) -> None:
    reading = read(text)
    assert reading.formula is parse(wide)
    assert [warning.split()[2] for warning in reading.warnings] == quantifiers
    assert free_variables(reading.formula) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "∀x P(x) → Q(a)", "∀x P(x) → ∀x Q(x)", "(∀x P(x)) → Q(x)", "Q(x) → ∀x P(x)", "∀x (P(x) → Q(x))",
        "∀x ((∃x P(x)) ∧ Q(x))", "∀x (∃x P(x) ∧ Q(x))",
    ],
)  # fmt: skip
def test_quantifier_keeps_tight_scope_when_wide_binds_nothing_more(text: str) -> None:
    assert read(text).warnings == ()


def test_scope_warning_gives_position_and_reason() -> None:
    assert read("S(a) ∧ ∀x P(x) → Q(x)").warnings == (
        "column 8: ∀x read with wide scope, because tight scope leaves x free",
    )


def test_wide_scope_handles_900_quantifiers() -> None:
    names = [f"x{number}" for number in range(900)]
    text = "∧".join(f"∀{name} P({name})" for name in names) + f"∧Q({','.join(names)})"
    reading = read(text)
    assert len(reading.warnings) == 900
    assert free_variables(reading.formula) == frozenset()


def test_parenthesized_quantifiers_keep_their_scope() -> None:
    text = "∧".join(["(∀x P(x))"] * 1_000) + f"∧Q({','.join(['x'] * 4_000)})"
    assert read(text).warnings == ()


def test_unbound_names_u_to_z_are_variables_and_others_constants() -> None:
    def arguments(*names: str) -> tuple[Variable | Constant, ...]:
        atom = parse(f"P({', '.join(names)})")
        assert isinstance(atom, Atom)
        return atom.arguments  # type: ignore[return-value]

    assert {type(term) for term in arguments(*"uvwxyz", "x1", "u20")} == {Variable}
    assert {type(term) for term in arguments(*"abcdefghijklmnopqrst", "X", "x_1", "xa", "a1")} == {Constant}


def test_reader_ignores_white_space() -> None:
    assert parse("\t∀ x\n (P ( x )\r\n∧Q(x) ) ") is parse("∀x(P(x)∧Q(x))")


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "expected a formula, found the end"),
        ("   ", 1, 4, "expected a formula, found the end"),
        ("P(a) ∧", 1, 7, "expected a formula, found the end"),
        ("P(a) ∧\n", 2, 1, "expected a formula, found the end"),
        ("P(a)\n∧ ∧ Q(a)", 2, 3, "expected a formula, found '∧'"),
        ("∧ P(a)", 1, 1, "expected a formula, found '∧'"),
        ("P(a) Q(a)", 1, 6, "expected a connective or the end, found 'Q'"),
        ("P(a) ¬Q(a)", 1, 6, "expected a connective or the end, found '¬'"),
        ("P(a) ∀x Q(x)", 1, 6, "expected a connective or the end, found '∀'"),
        ("(P(a)", 1, 1, "this parenthesis is never closed"),
        ("P(a) ∧ ((Q(a))", 1, 8, "this parenthesis is never closed"),
        ("P(a))", 1, 5, "this parenthesis was never opened"),
        ("()", 1, 2, "expected a formula, found ')'"),
        ("P", 1, 1, "'P' stands alone: a predicate needs arguments, an equation needs '='"),
        ("¬P ∧ Q(a)", 1, 2, "'P' stands alone: a predicate needs arguments, an equation needs '='"),
        ("P()", 1, 3, "expected a term, found ')'"),
        ("P(a,)", 1, 5, "expected a term, found ')'"),
        ("P(a", 1, 4, "expected ')' or ',' in the arguments, found the end"),
        ("P(a b)", 1, 5, "expected ')' or ',' in the arguments, found 'b'"),
        ("P(¬Q(a))", 1, 3, "expected a term, found '¬'"),
        ("P(Q(a) ∧ R(a))", 1, 8, "expected ')' or ',' in the arguments, found '∧'"),
        ("P(a = b)", 1, 5, "expected ')' or ',' in the arguments, found '='"),
        ("a =", 1, 4, "expected a term, found the end"),
        ("a = b = c", 1, 7, "expected a connective or the end, found '='"),
        ("= a", 1, 1, "expected a formula, found '='"),
        ("∀ P(a)", 1, 5, "'a' stands alone"),
        ("∀x", 1, 3, "expected a formula, found the end"),
        ("∀(x) P(x)", 1, 2, "expected a variable after '∀', found '('"),
        ("∀x. P(x)", 1, 3, "unexpected character '.'"),
        ("∀x, y P(x)", 1, 3, "expected a formula, found ','"),
        ("∀x y P(x)", 1, 4, "'y' stands alone: a predicate needs arguments, an equation needs '='"),
        ("P(a) & Q(a)", 1, 6, "unexpected character '&'"),
        ("P(a) -> Q(a)", 1, 6, "unexpected character '-'"),
        ("~P(a)", 1, 1, "unexpected character '~'"),
        ("P(a) | Q(a)", 1, 6, "unexpected character '|'"),
        ("P(a) v Q(a)", 1, 6, "expected a connective or the end, found 'v'"),
        ("P(a).", 1, 5, "unexpected character '.'"),
        ("[P(a)]", 1, 1, "unexpected character '['"),
        ("P(é)", 1, 3, "unexpected character 'é', LATIN SMALL LETTER E WITH ACUTE"),
        ("\N{CYRILLIC CAPITAL LETTER ER}(a)", 1, 1, "unexpected character 'Р', CYRILLIC CAPITAL LETTER ER"),
        ("P(1)", 1, 3, "unexpected character '1'"),
        ("P('a')", 1, 3, 'unexpected character "\'"'),
        ("P(a)\xa0∧ Q(a)", 1, 5, r"unexpected character '\xa0'"),
        ("All dogs bark.", 1, 14, "unexpected character '.'"),
        ("All dogs bark", 1, 1, "'All' stands alone: a predicate needs arguments, an equation needs '='"),
        ("⊤", 1, 1, "unexpected character '⊤'"),
        ("P(a) ⇒ Q(a)", 1, 6, "unexpected character '⇒'"),
    ],
)
def test_syntax_errors_give_position_and_problem(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert problem in error.problem
    assert error.text == text
    assert str(error).startswith(f"line {line}, column {column}: ")


def test_syntax_error_shows_its_line_truncated() -> None:
    with pytest.raises(FormulaSyntaxError, match=r"in: '∧ ∧ Q\(a\)'$"):
        read("P(a)\n∧ ∧ Q(a)\n∧ R(a)")
    with pytest.raises(FormulaSyntaxError, match=r"…'$"):
        read("¬" * 1_000)


def test_overlong_texts_are_refused() -> None:
    text = "¬" * (MAX_LENGTH - 4) + "P(a)"
    assert isinstance(parse(text), Not)
    with pytest.raises(FormulaSyntaxError, match="20001 characters; at most 20000 are read"):
        read(text + " ")


def test_folio_formulas_read_and_print_as_same_trees() -> None:
    texts = corpora.folio()
    readings = []
    for text in texts:
        with suppress(FormulaSyntaxError):
            readings.append(read(text))
    assert len(texts) - len(readings) == 52
    assert sum(bool(reading.warnings) for reading in readings) == 15
    for reading in readings:
        assert read(to_unicode(reading.formula)) == Reading(reading.formula)


def test_reading_errors_survive_pickling() -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read("P(a)\n∧")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.line, error.column) == (str(caught.value), 2, 2)
    arity = pickle.loads(pickle.dumps(SignatureError("two arities", "P")))
    assert (str(arity), arity.symbol) == ("two arities", "P")
