"""Questions about what a wrong premise adds to a story: clauses of mutants, their instances, and several in one."""

from random import Random

import pytest

from nlfol.logic import Outcome, entails, equivalence, parse
from nlfol.logic.syntax import Constant
from nlfol.problems.adequacy.pieces import clauses, instances, joined, said
from nlfol.problems.adequacy.selecting import choose
from nlfol.problems.adequacy.stories import score
from nlfol.problems.programs.outcome import Truth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("∀x (Cat(x) → Shy(x) ∧ Tall(x))", ["∀x (Cat(x) → Shy(x))", "∀x (Cat(x) → Tall(x))"]),
        ("∀x (Cat(x) ∨ Dog(x) → Shy(x))", ["∀x (Cat(x) → Shy(x))", "∀x (Dog(x) → Shy(x))"]),
        ("Cat(tom) ↔ Shy(tom)", ["Cat(tom) → Shy(tom)", "Shy(tom) → Cat(tom)"]),
        ("∃x (Cat(x) ∧ Shy(x))", ["∃x (Cat(x) ∧ Shy(x))", "∃x Cat(x)", "∃x Shy(x)"]),
        ("∀x (¬Cat(x) ∨ ¬Shy(x))", ["∀x (Cat(x) → ¬Shy(x))"]),
        ("Cat(tom) ∨ ¬Cat(tom)", []),
    ],
)
def test_clauses_say_what_a_formula_entails(text: str, expected: list[str]) -> None:
    found = [said(clause) for clause in clauses(parse(text))]
    assert found == [parse(each) for each in expected]
    assert all(entails([parse(text)], each).label.value == "true" for each in found)


def test_too_many_clauses_are_none() -> None:
    assert clauses(parse(" ∨ ".join(f"(P{n}(a) ∧ Q{n}(a))" for n in range(5)))) == []


def test_instances_leave_out_what_is_false_in_the_story() -> None:
    (clause,) = clauses(parse("∀x (Cat(x) → Shy(x))"))
    known = {parse("¬Cat(tom)")}
    found = [said(one) for one in instances(clause, [Constant("tom"), Constant("ann")], known.__contains__)]
    assert found == [parse(text) for text in ("∀x (Cat(x) → Shy(x))", "Shy(tom)", "Cat(ann) → Shy(ann)")]


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("∀x (Cat(x) → Shy(x))", "∀x (Cat(x) → Tall(x))", "∀x (Cat(x) → Shy(x) ∨ Tall(x))"),
        ("∀x (Cat(x) → Shy(x))", "∀x (Dog(x) → Shy(x))", "∀x (Cat(x) ∧ Dog(x) → Shy(x))"),
        ("Shy(tom)", "Tall(ann)", "Shy(tom) ∨ Tall(ann)"),
        ("∃x Cat(x)", "∃x Dog(x)", "∃x (Cat(x) ∨ Dog(x))"),
        ("Shy(tom)", "¬Shy(tom)", None),
    ],
)
def test_two_clauses_in_one_follow_from_each(one: str, other: str, both: str | None) -> None:
    found = joined(*(clauses(parse(text))[0] for text in (one, other)))
    if both is None:
        assert found is None
        return
    assert found is not None
    assert equivalence(said(found), parse(both)).outcome is Outcome.EQUIVALENT
    assert {entails([parse(text)], said(found)).label.value for text in (one, other)} == {"true"}


def test_relations_of_two_variables_are_asked_about_within_few_conclusions() -> None:
    texts = ("∀x ∀y (Game(x) ∧ Created(x, y) → Japanese(y))", "Game(zelda)", "∃x (Japanese(x) ∧ Created(zelda, x))")
    chosen = choose([parse(text) for text in texts], Random(1))
    noticed, other = score(chosen.fates)
    assert noticed / other > 0.95
    assert len(chosen.conclusions) <= 60
    assert {conclusion.truth for conclusion in chosen.conclusions} == set(Truth)
