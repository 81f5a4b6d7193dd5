"""Laws and negation normal form, elementary edits, and the change that puts a translation right."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from tests.property.strategies import closed_formulas

from nlfol.logic import diagnosis as module
from nlfol.logic.diagnosis import MAX_NODES, MAX_SOLVED, MAX_TRIED, Diagnosis, Fault, diagnose, diagnoses
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import (
    EditKind,
    Law,
    complement,
    edits,
    is_negation_normal_form,
    negation_normal_form,
    rewrites,
)
from nlfol.logic.syntax import Formula

CASES = [
    (Law.DE_MORGAN, "¬(P(a) ∧ Q(a))", (), "¬P(a) ∨ ¬Q(a)"),
    (Law.DE_MORGAN, "¬(P(a) ∨ ¬Q(a))", (), "¬P(a) ∧ Q(a)"),
    (Law.DE_MORGAN, "¬∀x P(x)", (), "∃x ¬P(x)"),
    (Law.DE_MORGAN, "¬∃x ¬P(x)", (), "∀x P(x)"),
    (Law.DE_MORGAN, "P(a) ∧ Q(a)", (), "¬(¬P(a) ∨ ¬Q(a))"),
    (Law.DE_MORGAN, "∀x (¬P(x) ∨ Q(x))", (0,), "∀x ¬(P(x) ∧ ¬Q(x))"),
    (Law.DOUBLE_NEGATION, "¬¬P(a) → Q(a)", (0,), "P(a) → Q(a)"),
    (Law.DOUBLE_NEGATION, "P(a) → Q(a)", (1,), "P(a) → ¬¬Q(a)"),
    (Law.COMMUTATIVITY, "P(a) ∧ Q(a)", (), "Q(a) ∧ P(a)"),
    (Law.COMMUTATIVITY, "P(a) ∨ Q(a)", (), "Q(a) ∨ P(a)"),
    (Law.COMMUTATIVITY, "P(a) ⊕ Q(a)", (), "Q(a) ⊕ P(a)"),
    (Law.COMMUTATIVITY, "¬(P(a) ↔ Q(a))", (0,), "¬(Q(a) ↔ P(a))"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ (Q(a) ∨ S(a))", (), "P(a) ∧ Q(a) ∨ P(a) ∧ S(a)"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ Q(a) ∨ S(a)", (), "(P(a) ∨ S(a)) ∧ (Q(a) ∨ S(a))"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ Q(a) ∨ P(a) ∧ S(a)", (), "P(a) ∧ (Q(a) ∨ S(a))"),
    (Law.DISTRIBUTIVITY, "(Q(a) ∨ P(a)) ∧ (S(a) ∨ P(a))", (), "Q(a) ∧ S(a) ∨ P(a)"),
    (Law.IMPLICATION_EXPANSION, "∀x (P(x) → Q(x))", (0,), "∀x (¬P(x) ∨ Q(x))"),
    (Law.IMPLICATION_EXPANSION, "¬P(a) → Q(a)", (), "P(a) ∨ Q(a)"),
    (Law.IMPLICATION_EXPANSION, "P(a) ↔ Q(a)", (), "(P(a) → Q(a)) ∧ (Q(a) → P(a))"),
]


@pytest.mark.parametrize(("law", "text", "path", "rewritten"), CASES)
def test_laws_rewrite_as_in_textbook(law: Law, text: str, path: tuple[int, ...], rewritten: str) -> None:
    found = {(one.law, one.path, to_unicode(one.formula)) for one in rewrites(parse(text))}
    assert (law, path, rewritten) in found


def test_laws_all_have_examples() -> None:
    assert {law for law, *_ in CASES} == set(Law)


def test_rewrites_are_complete_in_preorder() -> None:
    assert [(one.law.value, one.path, to_unicode(one.formula)) for one in rewrites(parse("P(a) → ¬Q(a)"))] == [
        ("double_negation", (), "¬¬(P(a) → ¬Q(a))"),
        ("implication_expansion", (), "¬P(a) ∨ ¬Q(a)"),
        ("double_negation", (0,), "¬¬P(a) → ¬Q(a)"),
        ("double_negation", (1, 0), "P(a) → ¬¬¬Q(a)"),
    ]


def test_commutativity_skips_equal_sides() -> None:
    assert Law.COMMUTATIVITY not in {one.law for one in rewrites(parse("P(a) ∧ P(a)"))}


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("P(a)", "P(a)"), ("¬¬¬P(a)", "¬P(a)"), ("¬(a = b)", "a ≠ b"), ("¬a ≠ b", "a = b"),
        ("¬(P(a) ∧ ¬Q(a))", "¬P(a) ∨ Q(a)"), ("¬(P(a) ∨ Q(a))", "¬P(a) ∧ ¬Q(a)"),
        ("¬(P(a) → Q(a))", "P(a) ∧ ¬Q(a)"), ("P(a) → Q(a)", "¬P(a) ∨ Q(a)"),
        ("P(a) ↔ Q(a)", "(¬P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ P(a))"), ("P(a) ⊕ Q(a)", "P(a) ∧ ¬Q(a) ∨ ¬P(a) ∧ Q(a)"),
        ("¬(P(a) ⊕ Q(a))", "(¬P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ P(a))"), ("¬(P(a) ↔ Q(a))", "P(a) ∧ ¬Q(a) ∨ ¬P(a) ∧ Q(a)"),
        ("¬∀x ∃y R(x, y)", "∃x ∀y ¬R(x, y)"),
    ],
)  # fmt: skip
def test_negation_normal_form_covers_every_operator(text: str, normal: str) -> None:
    assert to_unicode(negation_normal_form(parse(text))) == normal
    assert is_negation_normal_form(parse(normal))
    assert is_negation_normal_form(parse(text)) == (parse(text) is parse(normal))


def test_complement_cancels_double_negation() -> None:
    formula = parse("P(a) ∧ Q(a)")
    assert to_unicode(complement(formula)) == "¬(P(a) ∧ Q(a))"
    assert complement(complement(formula)) is formula
    assert to_unicode(complement(parse("¬¬P(a)"))) == "¬P(a)"


def edited(text: str) -> list[tuple[str, str]]:
    return [(edit.kind.value, to_unicode(edit.formula)) for edit in edits(parse(text))]


def test_universal_sentence_has_expected_elementary_edits() -> None:
    assert edited("∀x (Cube(x) → ¬Small(x))") == [
        ("quantifier", "∃x (Cube(x) → ¬Small(x))"),
        ("connective", "∀x (Cube(x) ∧ ¬Small(x))"),
        ("connective", "∀x (Cube(x) ∨ ¬Small(x))"),
        ("connective", "∀x (Cube(x) ↔ ¬Small(x))"),
        ("negation", "∀x (¬Cube(x) → ¬Small(x))"),
        ("negation", "∀x (Cube(x) → Small(x))"),
    ]


@pytest.mark.parametrize(
    ("formula", "negations"),
    [
        ("Cube(a)", ["¬Cube(a)"]),
        ("¬Cube(a)", ["Cube(a)"]),
        ("a = b", ["a ≠ b"]),
        ("a ≠ b", ["a = b"]),
        # ¬¬P: the literal is ¬P, and the outer negation stays.
        ("¬¬Cube(a)", ["¬Cube(a)"]),
    ],
)
def test_literal_negation_is_toggled_once(formula: str, negations: list[str]) -> None:
    assert [text for kind, text in edited(formula) if kind == EditKind.NEGATION] == negations


def test_exclusive_or_is_replaced_but_never_introduced() -> None:
    assert [text for kind, text in edited("Cube(a) ⊕ Tet(a)") if kind == EditKind.CONNECTIVE] == [
        "Cube(a) ∧ Tet(a)",
        "Cube(a) ∨ Tet(a)",
        "Cube(a) → Tet(a)",
        "Cube(a) ↔ Tet(a)",
    ]
    assert not any("⊕" in text for _, text in edited("Cube(a) ∨ Tet(a)"))


def test_edit_preserves_surrounding_tree() -> None:
    # As text, swapping the first ∧ for ∨ would regroup the whole.
    assert ("connective", "(Cube(a) ∨ Cube(b)) ∧ Cube(c)") in edited("Cube(a) ∧ Cube(b) ∧ Cube(c)")


def test_edit_paths_lead_to_changed_nodes() -> None:
    paths = {edit.path: edit.kind.value for edit in edits(parse("∀x (Cube(x) → ¬Small(x))"))}
    assert paths == {(): "quantifier", (0,): "connective", (0, 0): "negation", (0, 1): "negation"}


FAULTS = [
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


@pytest.mark.parametrize(("gold", "translation", "fault", "corrected"), FAULTS)
def test_diagnosis_finds_fault_and_correction(
    gold: str, translation: str, fault: Fault | None, corrected: str | None
) -> None:
    found = diagnose(parse(gold), parse(translation))
    assert (found and found.fault) == fault
    if found:
        assert equivalence(parse(gold), found.formula).outcome is Outcome.EQUIVALENT
        assert corrected in (None, to_unicode(found.formula))


@given(closed_formulas(functions=False, leaves=4), closed_formulas(functions=False, leaves=4))
@settings(max_examples=40)
def test_diagnosis_is_equivalent_to_gold_and_among_candidates(gold: Formula, translation: Formula) -> None:
    found = diagnose(gold, translation, budget=5_000)
    if found:
        assert equivalence(gold, found.formula).outcome is Outcome.EQUIVALENT
        assert found in list(diagnoses(gold, translation))[:MAX_TRIED]


def test_diagnosis_skips_changes_with_free_variables() -> None:
    found = diagnose(parse("∀x (Cube(x) ∧ Small(x))"), parse("∀x Cube(x) ∧ ∀x Small(x) ∧ Cube(a)"))
    assert found is not None
    assert not free_variables(found.formula)


def test_missing_condition_candidates_are_generated_lazily() -> None:
    # 30 bound variables for the three places of the gold formula's atom: over 100,000 formulas at every node.
    names = [f"x{number}" for number in range(30)]
    translation = parse("".join(f"∃{name} " for name in names) + f"({' ∧ '.join(f'P({name})' for name in names)})")
    gold = parse("∃x ∃y ∃z T(x, y, z)")
    found = list(islice(diagnoses(gold, translation), 3_000))
    assert found[-1].fault is Fault.MISSING


@pytest.fixture(name="means")
def noted_means(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Means that decided the comparisons, each by the engine itself."""
    means: list[str] = []

    def noted(*formulas: Formula, **options: Any) -> Any:
        verdict = equivalence(*formulas, **options)
        means.append(verdict.means)
        return verdict

    monkeypatch.setattr(module, "equivalence", noted)
    return means


def test_diagnosis_limits_solver_comparisons(means: list[str]) -> None:
    # Tables of so many places are too large for finite structures of two elements.
    gold, translation = (parse(f"P({', '.join([name] * 25)})") for name in "ab")
    assert diagnose(gold, translation) is None
    assert [each for each in means if each != "finite_structure"] == ["z3"] * MAX_SOLVED


def test_diagnosis_limits_changes_for_large_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Diagnosis] = []

    def watched(*both: Formula) -> Iterator[Diagnosis]:
        for change in diagnoses(*both):
            tried.append(change)
            yield change

    monkeypatch.setattr(module, "diagnoses", watched)
    names = [f"x{number}" for number in range(400)]
    translation = parse("".join(f"∀{name} " for name in names) + f"Cube({names[0]})")
    assert diagnose(parse("Small(a) ∧ Tet(a)"), translation) is None
    assert 0 < len(tried) <= MAX_NODES // 401 < MAX_TRIED
