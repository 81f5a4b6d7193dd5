import pytest

from nlfol.logic.editing import EditKind, edits
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse


def edited(text: str) -> list[tuple[str, str]]:
    return [(edit.kind.value, to_unicode(edit.formula)) for edit in edits(parse(text))]


def test_every_elementary_edit_of_a_universal_sentence() -> None:
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
def test_a_literal_is_toggled_once(formula: str, negations: list[str]) -> None:
    assert [text for kind, text in edited(formula) if kind == EditKind.NEGATION] == negations


def test_exclusive_or_is_swapped_out_but_never_in() -> None:
    assert [text for kind, text in edited("Cube(a) ⊕ Tet(a)") if kind == EditKind.CONNECTIVE] == [
        "Cube(a) ∧ Tet(a)",
        "Cube(a) ∨ Tet(a)",
        "Cube(a) → Tet(a)",
        "Cube(a) ↔ Tet(a)",
    ]
    assert not any("⊕" in text for _, text in edited("Cube(a) ∨ Tet(a)"))


def test_an_edit_keeps_the_tree_around_it() -> None:
    # As text, swapping the first ∧ for ∨ would regroup the whole.
    assert ("connective", "(Cube(a) ∨ Cube(b)) ∧ Cube(c)") in edited("Cube(a) ∧ Cube(b) ∧ Cube(c)")


def test_paths_lead_to_what_was_changed() -> None:
    paths = {edit.path: edit.kind.value for edit in edits(parse("∀x (Cube(x) → ¬Small(x))"))}
    assert paths == {(): "quantifier", (0,): "connective", (0, 0): "negation", (0, 1): "negation"}
