"""Laws of every formula."""

from collections.abc import Callable
from itertools import product
from operator import and_, eq, le, not_, or_, xor

import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.strategies import closed, closed_formulas, families, formulas

from nlfol.logic.decision.normal_form import same_normal_form
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.equivalence import Contingency, Outcome, contingency, equivalence
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import constants, free_variables, functions, signature
from nlfol.logic.printing import to_smtlib, to_unicode
from nlfol.logic.reading import read
from nlfol.logic.rewriting import complement, is_negation_normal_form, negation_normal_form, rewrites
from nlfol.logic.structures import Conditions, Structure, holds
from nlfol.logic.syntax import (
    Atom,
    Equality,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Not,
    Term,
    Variable,
    children,
    distinct_subformulas,
    fold,
    subformulas,
)

TRUTH_TABLES: dict[str, Callable[..., bool]] = {"¬": not_, "∧": and_, "∨": or_, "⊕": xor, "→": le, "↔": eq}
"""By the signs of connectives, of truth values: False is less than True."""
ALWAYS = closed(Equality(Variable("x"), Variable("x")))


def _value(term: Term, structure: Structure, assignment: dict[str, int]) -> int:
    if isinstance(term, Function):
        return structure.functions[term.name][tuple(_value(part, structure, assignment) for part in term.arguments)]
    return assignment[term.name] if isinstance(term, Variable) else structure.constants[term.name]


def _satisfied(formula: Formula, structure: Structure, assignment: dict[str, int]) -> bool:
    """Tarski's definition word for word."""
    match formula:
        case Atom(name, arguments):
            return tuple(_value(term, structure, assignment) for term in arguments) in structure.predicates[name]
        case Equality(left, right):
            return _value(left, structure, assignment) == _value(right, structure, assignment)
        case ForAll(variable, body):
            return all(_satisfied(body, structure, {**assignment, variable.name: e}) for e in range(structure.size))
        case Exists(variable, body):
            return any(_satisfied(body, structure, {**assignment, variable.name: e}) for e in range(structure.size))
        case _:
            truth = TRUTH_TABLES[formula.sign]
            return truth(*(_satisfied(part, structure, assignment) for part in children(formula)))


def _z3_says_equivalent(first: Formula, second: Formula) -> bool | None:
    """Z3's own parser on the SMT-LIB text of the negated equivalence."""
    asked = z3.Solver()
    asked.set("rlimit", 300_000)
    asked.from_string(to_smtlib(Not(Iff(first, second))))
    answer = asked.check()
    return None if answer == z3.unknown else bool(answer == z3.unsat)


@given(formulas(leaves=10))
def test_printed_formula_reads_back_as_same_tree(formula: Formula) -> None:
    reading = read(to_unicode(formula))
    assert reading.formula is formula
    assert reading.warnings == ()


def _without_a_pair(text: str) -> list[str]:
    """The text without one pair of parentheses, in every way; those of arguments follow a name."""
    shorter, stack = [], []
    for place, sign in enumerate(text):
        if sign == "(":
            stack.append(place)
        elif sign == ")":
            opening = stack.pop()
            if not (opening and text[opening - 1].isalnum()):
                shorter.append(text[:opening] + " " + text[opening + 1 : place] + " " + text[place + 1 :])
    return shorter


@given(closed_formulas(leaves=10))
def test_printer_writes_minimal_parentheses(formula: Formula) -> None:
    text = to_unicode(formula)
    for shorter in _without_a_pair(text):
        try:
            reading = read(shorter)
        except FormulaSyntaxError:
            continue
        assert reading.formula is not formula or reading.warnings


@given(st.text(alphabet="∧∨⊕→↔¬∀∃()=≠, \nPQRxyaf.é", max_size=25))
def test_strict_reader_reads_or_reports_error_position(text: str) -> None:
    lines = text.split("\n")
    try:
        reading = read(text)
    except FormulaSyntaxError as error:
        line, column = error.line, error.column
    else:
        assert read(to_unicode(reading.formula)).formula is reading.formula
        return
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1


@given(formulas(leaves=10))
def test_formula_measures_follow_from_subformulas(formula: Formula) -> None:
    nodes = [node for _, node in subformulas(formula)]
    assert set(distinct_subformulas(formula)) == set(nodes)
    assert list(distinct_subformulas(formula)) == list(dict.fromkeys(nodes))
    assert fold(formula, lambda _, parts: 1 + sum(parts)) == len(nodes)
    assert not free_variables(closed(formula))


@given(closed_formulas(), families())
def test_truth_evaluation_matches_tarski_definition(formula: Formula, family: RandomFamily) -> None:
    bits = family.truth(formula)
    assert bits is not None
    for index in range(family.width):
        structure = family.structure(index, signature(formula))
        truth = _satisfied(formula, structure, {})
        assert holds(formula, structure) == Conditions()[formula](structure, {}) == truth
        assert bool(bits >> index & 1) == truth
    assert bits >> family.width == 0


@given(closed_formulas(), families())
def test_negation_normal_form_preserves_truth(formula: Formula, family: RandomFamily) -> None:
    normal, negated = negation_normal_form(formula), negation_normal_form(Not(formula))
    assert is_negation_normal_form(normal)
    assert is_negation_normal_form(negated)
    assert negation_normal_form(normal) is normal
    assert same_normal_form(formula, normal)
    bits = family.truth(formula)
    assert bits is not None
    assert family.truth(normal) == bits
    assert family.truth(negated) == family.truth(complement(formula)) == bits ^ ((1 << family.width) - 1)


@given(closed_formulas(), families())
def test_rewrites_preserve_truth(formula: Formula, family: RandomFamily) -> None:
    bits = family.truth(formula)
    for rewrite in rewrites(formula):
        assert family.truth(rewrite.formula) == bits


@settings(max_examples=40)
@given(closed_formulas(leaves=4))
def test_solver_question_agrees_with_smtlib_export(formula: Formula) -> None:
    """Two translations of one formula, one through Z3's parser, agree."""
    asked = z3.Solver()
    asked.set("rlimit", 300_000)
    asked.from_string(to_smtlib(formula))
    answers = {str(asked.check()), {Answer.YES: "sat", Answer.NO: "unsat"}.get(satisfiable(formula).answer, "unknown")}
    assert len(answers - {"unknown"}) <= 1
    assert asked.to_smt2().count("assert") == 1


@settings(max_examples=80)
@given(closed_formulas(leaves=4), closed_formulas(leaves=4))
def test_equivalence_verdict_is_symmetric_and_agrees_with_z3(first: Formula, second: Formula) -> None:
    verdict, mirrored = equivalence(first, second), equivalence(second, first)
    assert (verdict.outcome, verdict.means) == (mirrored.outcome, mirrored.means)
    model = verdict.counter_model
    if model is not None:
        assert _satisfied(first, model, {}) != _satisfied(second, model, {})
        assert set(model.constants) == constants(first) | constants(second)
        for name, arity in {**functions(first), **functions(second)}.items():
            assert set(model.functions[name]) == set(product(range(model.size), repeat=arity))
    direct = _z3_says_equivalent(first, second)
    if verdict.outcome is Outcome.UNKNOWN or direct is None:
        return
    assert (verdict.outcome is Outcome.EQUIVALENT) == direct


@settings(max_examples=60)
@given(closed_formulas(leaves=5), st.data())
def test_formula_is_equivalent_to_rewrites_but_never_to_negation(formula: Formula, data: st.DataObject) -> None:
    rewrite = data.draw(st.sampled_from([rewrite.formula for rewrite in rewrites(formula)]))
    assert equivalence(formula, rewrite).outcome in (Outcome.EQUIVALENT, Outcome.UNKNOWN)
    assert equivalence(formula, complement(formula)).outcome is Outcome.NOT_EQUIVALENT


@settings(max_examples=60)
@given(closed_formulas(leaves=5))
def test_contingency_is_mirrored_under_negation(formula: Formula) -> None:
    mirror = {Contingency.VALID: Contingency.UNSATISFIABLE, Contingency.UNSATISFIABLE: Contingency.VALID}
    known = contingency(formula)
    assert contingency(Not(formula)) is mirror.get(known, known)
    truth = {Contingency.VALID: ALWAYS, Contingency.UNSATISFIABLE: Not(ALWAYS)}.get(known)
    assert truth is None or _z3_says_equivalent(formula, truth) is not False
