from itertools import combinations

import pytest

from nlfol.candidates.randomness import generator
from nlfol.candidates.sets import Candidate, CandidateError, Role, most_similar_set, ranking_set
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import is_negation_normal_form
from nlfol.logic.syntax import Not
from nlfol.ontology.derivation import derive

FORMULAS = [
    "Cube(a)",
    "¬Cube(a)",
    "a = b",
    "Cube(a) ∧ Small(a)",
    "Cube(a) ∧ Cube(b) → Small(a)",
    "∀x (Cube(x) → Small(x))",
    "¬∃x (Cube(x) ∧ Larger(x, b))",
    "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))",
    "∃x ∃y (Cube(x) ∧ Cube(y) ∧ x ≠ y)",
    "∀x (Cube(x) ↔ ¬Tet(x))",
    "(Cube(a) ∨ Tet(a)) ⊕ Small(a)",
]


def made_most_similar(text: str, seed: int = 0, wanted: int = 8) -> list[Candidate]:
    gold = parse(text)
    return most_similar_set(gold, derive([gold]), perturbations=wanted, minimum=1, draw=generator(seed, text))


def made_ranking(text: str, seed: int = 0, minimum: int = 0) -> list[Candidate]:
    gold = parse(text)
    return ranking_set(gold, derive([gold]), perturbations=3, minimum=minimum, draw=generator(seed, text))


def same(first: Candidate, second: Candidate) -> bool:
    outcome = equivalence(first.formula, second.formula).outcome
    assert outcome in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT)
    return outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("seed", range(3))
def test_members_of_a_most_similar_set_all_differ_in_meaning(text: str, seed: int) -> None:
    candidates = made_most_similar(text, seed)
    assert candidates[0].role is Role.GOLD
    assert candidates[0].formula is parse(text)
    assert 2 <= len(candidates) <= 9
    assert not any(same(*pair) for pair in combinations(candidates, 2))
    assert len({candidate.english for candidate in candidates}) == len(candidates)


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("seed", range(3))
def test_members_of_a_ranking_set_stand_as_their_roles_say(text: str, seed: int) -> None:
    candidates = made_ranking(text, seed)
    gold = candidates[0]
    (equivalent,) = (c for c in candidates if c.role is Role.EQUIVALENT)
    (negation,) = (c for c in candidates if c.role is Role.NEGATION)
    (normal,) = (c for c in candidates if c.role in (Role.NEGATION_NORMAL_FORM, Role.NEGATION_EQUIVALENT))
    assert same(gold, equivalent)
    assert equivalent.formula is not gold.formula
    assert negation.formula is Not(gold.formula)
    assert same(negation, normal)
    assert normal.formula is not negation.formula
    assert normal.role is Role.NEGATION_EQUIVALENT or is_negation_normal_form(normal.formula)
    perturbations = [c for c in candidates if c.role is Role.PERTURBATION]
    assert len(perturbations) <= 3
    assert not any(same(p, other) for p in perturbations for other in (gold, negation))
    assert not any(same(*pair) for pair in combinations(perturbations, 2))


def test_currying_is_no_perturbation() -> None:
    # A ∧ B → C with ∧ swapped for → says the same: the published sets hold 84 such distractors.
    texts = [to_unicode(c.formula) for c in made_most_similar("Cube(a) ∧ Cube(b) → Small(a)", wanted=64)]
    assert "(Cube(a) → Cube(b)) → Small(a)" in texts
    assert "Cube(a) → Cube(b) → Small(a)" not in texts


def test_of_two_equivalent_edits_only_one_is_taken() -> None:
    # ¬A → B and A ∨ B mean the same.
    texts = [to_unicode(c.formula) for c in made_most_similar("Cube(a) → Small(a)", wanted=64)]
    assert len({"¬Cube(a) → Small(a)", "Cube(a) ∨ Small(a)"} & set(texts)) == 1


def test_an_atomic_sentence_has_one_distractor_and_no_perturbation_to_rank() -> None:
    assert [to_unicode(c.formula) for c in made_most_similar("Cube(a)")] == ["Cube(a)", "¬Cube(a)"]
    assert [c.role for c in made_ranking("Cube(a)")] == [
        Role.GOLD,
        Role.EQUIVALENT,
        Role.NEGATION,
        Role.NEGATION_EQUIVALENT,
    ]
    with pytest.raises(CandidateError, match="0 of 1 single edits") as caught:
        made_ranking("Cube(a)", minimum=1)
    assert caught.value.reason == "too_few_perturbations"


@pytest.mark.parametrize(
    ("text", "kind"), [("Cube(a) ∨ ¬Cube(a)", "valid"), ("∃x (Cube(x) ∧ ¬Cube(x))", "unsatisfiable")]
)
def test_a_gold_formula_that_says_nothing_is_refused(text: str, kind: str) -> None:
    for make in (made_most_similar, made_ranking):
        with pytest.raises(CandidateError, match=kind) as caught:
            make(text)
        assert caught.value.reason == "not_contingent"


def test_a_set_depends_on_its_seed_and_on_nothing_else() -> None:
    text = "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"
    assert made_ranking(text) == made_ranking(text)
    assert len({tuple(c.formula for c in made_most_similar(text, seed)) for seed in range(20)}) > 1


def test_every_law_is_drawn_at_some_time() -> None:
    laws = {
        candidate.change
        for seed in range(60)
        for candidate in made_ranking("∀x (Cube(x) ∧ (Small(x) ∨ Large(x)) → Tet(x))", seed)
        if candidate.role is Role.EQUIVALENT
    }
    assert laws == {"de_morgan", "double_negation", "commutativity", "distributivity", "implication_expansion"}


def test_a_member_without_usable_english_refuses_the_item() -> None:
    """Each ↔ doubles the normal form of a negation, and the English with it."""
    with pytest.raises(CandidateError, match="negation_normal_form: the rendering has more than") as caught:
        made_ranking(" ↔ ".join(f"P{number}(a)" for number in range(15)))
    assert caught.value.reason == "rendering_too_long"
