"""The one change that puts a translation right."""

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from tests.property.strategies import closed_formulas

from nlfol.logic import diagnosis as module
from nlfol.logic.diagnosis import MAX_NODES, MAX_SOLVED, MAX_TRIED, Fault, diagnose, diagnoses
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Formula

CASES = [
    ("∀x (Cube(x) → Small(x))", "∃x (Cube(x) → Small(x))", Fault.QUANTIFIER, "∀x (Cube(x) → Small(x))"),
    ("∃x (Cube(x) ∧ Small(x))", "∃x (Cube(x) → Small(x))", Fault.IMPLICATION_UNDER_EXISTS, "∃x (Cube(x) ∧ Small(x))"),
    ("∀x (Cube(x) → Small(x))", "∀x (Cube(x) ∧ Small(x))", Fault.CONJUNCTION_UNDER_FORALL, "∀x (Cube(x) → Small(x))"),
    ("Cube(a) ∨ Small(a)", "Cube(a) ⊕ Small(a)", Fault.CONNECTIVE, "Cube(a) ∨ Small(a)"),
    ("Cube(a) → Small(a) ∨ Tet(a)", "(Cube(a) → Small(a)) ↔ Tet(a)", Fault.CONNECTIVE, None),
    ("Cube(a) ∧ (Small(a) ∨ Tet(a))", "Cube(a) ∧ Small(a) ∨ Tet(a)", Fault.CONNECTIVE, "Cube(a) ∧ (Small(a) ∨ Tet(a))"),
    ("Cube(a) → Small(a)", "Small(a) → Cube(a)", Fault.DIRECTION, "Cube(a) → Small(a)"),
    ("∀x (Cube(x) → ¬Small(x))", "∀x (Cube(x) → Small(x))", Fault.NEGATION, "∀x (Cube(x) → ¬Small(x))"),
    ("¬∀x Cube(x)", "∀x ¬Cube(x)", Fault.QUANTIFIER, "∃x ¬Cube(x)"),
    ("¬(Cube(a) ∧ Small(a))", "¬Cube(a) ∧ Small(a)", Fault.NEGATION_SCOPE, "¬(Cube(a) ∧ Small(a))"),
    ("¬Cube(a) ∧ Small(a)", "¬(Cube(a) ∧ Small(a))", Fault.NEGATION_SCOPE, "¬Cube(a) ∧ Small(a)"),
    ("Left(a, b)", "Left(b, a)", Fault.ARGUMENT_ORDER, "Left(a, b)"),
    (
        "∀x (Left(x, a) → Left(x, b))",
        "∀x (Left(a, x) → Left(b, x))",
        Fault.ARGUMENT_ORDER,
        "∀x (Left(x, a) → Left(x, b))",
    ),
    ("∀x ∃y Left(x, y)", "∃y ∀x Left(x, y)", Fault.QUANTIFIER_ORDER, "∀x ∃y Left(x, y)"),
    ("∀x Cube(x) → Cube(a)", "∀x (Cube(x) → Cube(a))", Fault.QUANTIFIER, "∃x (Cube(x) → Cube(a))"),
    ("∃x Cube(x) ∧ ∃x Small(x)", "∃x (Cube(x) ∧ Small(x))", None, None),
    ("∀x (Cube(x) → ∃y Left(x, y))", "∀x Cube(x) → ∃y Left(a, y)", None, None),
    ("Cube(a)", "Small(a)", Fault.PREDICATE, "Cube(a)"),
    ("Cube(a) ∧ Small(b)", "Cube(a) ∧ Small(a)", Fault.TERM, "Cube(a) ∧ Small(b)"),
    ("Cube(a)", "Cube(a) ∧ Small(a)", Fault.SUPERFLUOUS, "Cube(a)"),
    ("∀x (Cube(x) ∧ Small(x) → Left(x, a))", "∀x (Cube(x) → Left(x, a))", Fault.MISSING, None),
]


@pytest.mark.parametrize(("gold", "translation", "fault", "corrected"), CASES)
def test_faults(gold: str, translation: str, fault: Fault | None, corrected: str | None) -> None:
    found = diagnose(parse(gold), parse(translation))
    assert (found and found.fault) == fault
    if found:
        assert equivalence(parse(gold), found.formula).outcome is Outcome.EQUIVALENT
        assert corrected in (None, to_unicode(found.formula))


@given(closed_formulas(functions=False, leaves=4), closed_formulas(functions=False, leaves=4))
@settings(max_examples=40)
def test_what_is_found_is_equivalent_to_the_gold_and_one_of_the_changes(gold: Formula, translation: Formula) -> None:
    found = diagnose(gold, translation, budget=5_000)
    if found:
        assert equivalence(gold, found.formula).outcome is Outcome.EQUIVALENT
        assert found in list(diagnoses(gold, translation))[:MAX_TRIED]


def test_changes_that_leave_a_variable_free_are_passed_over() -> None:
    found = diagnose(parse("∀x (Cube(x) ∧ Small(x))"), parse("∀x Cube(x) ∧ ∀x Small(x) ∧ Cube(a)"))
    assert found is not None
    assert not free_variables(found.formula)


def test_conditions_that_may_be_missing_are_not_listed_beforehand() -> None:
    # 30 bound variables for the three places of the gold formula's atom: over 100,000 formulas at every node.
    names = [f"x{number}" for number in range(30)]
    translation = parse("".join(f"∃{name} " for name in names) + f"({' ∧ '.join(f'P({name})' for name in names)})")
    gold = parse("∃x ∃y ∃z T(x, y, z)")
    found = list(islice(diagnoses(gold, translation), 3_000))
    assert found[-1].fault is Fault.MISSING


@pytest.fixture(name="means")
def noted_means(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What decided the comparisons that are made, each by the engine itself."""
    means: list[str] = []

    def noted(*formulas: Formula, **options: Any) -> Any:
        verdict = equivalence(*formulas, **options)
        means.append(verdict.means)
        return verdict

    monkeypatch.setattr(module, "equivalence", noted)
    return means


def test_few_comparisons_that_only_a_solver_could_settle_are_made(means: list[str]) -> None:
    # Tables of so many places are too large for finite structures of two elements.
    gold, translation = (parse(f"P({', '.join([name] * 25)})") for name in "ab")
    assert diagnose(gold, translation) is None
    assert [each for each in means if each != "finite_structure"] == ["z3"] * MAX_SOLVED


def test_few_changes_of_a_large_translation_are_tried(means: list[str]) -> None:
    names = [f"x{number}" for number in range(400)]
    translation = parse("".join(f"∀{name} " for name in names) + f"Cube({names[0]})")
    assert diagnose(parse("Small(a) ∧ Tet(a)"), translation) is None
    assert 0 < len(means) <= MAX_NODES // 401 < MAX_TRIED
