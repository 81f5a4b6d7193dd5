"""The published procedure, uncertified as it is."""

from itertools import combinations

import pytest

from nlfol.facts import Role
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits
from nlfol.logic.syntax import Not
from nlfol.randomness import generator
from nlfol.sets.paper import most_similar_set, ranking_set
from nlfol.sets.sets import Candidate


def made_most_similar(text: str, seed: int = 0, wanted: int = 8) -> list[Candidate]:
    gold = parse(text)
    return most_similar_set(gold, derive([gold]), perturbations=wanted, style=Style.PAPER, draw=generator(seed, text))


def made_ranking(text: str, seed: int = 0) -> list[Candidate]:
    gold = parse(text)
    return ranking_set(gold, derive([gold]), perturbations=3, style=Style.PAPER, draw=generator(seed, text))


def equivalents(text: str, seeds: int = 60) -> set[str]:
    made = (made_ranking(text, seed) for seed in range(seeds))
    return {to_unicode(c.formula) for candidates in made for c in candidates if c.role is Role.EQUIVALENT}


def test_paper_perturbations_are_distinct_single_edits() -> None:
    text = "∀x (Cube(x) → Small(x) ∧ Tet(x))"
    known = {edit.formula for edit in edits(parse(text))}
    gold, *rest = made_most_similar(text)
    assert gold.formula is parse(text)
    assert len(rest) == len({c.formula for c in rest}) == 8
    assert {c.formula for c in rest} <= known
    assert {(c.role, c.edits, len(c.change), len(c.path)) for c in rest} == {(Role.PERTURBATION, 1, 1, 1)}
    assert len(made_most_similar(text, wanted=64)) == 1 + len(known)


def test_larger_paper_set_extends_smaller() -> None:
    text = "∀x (Cube(x) → Small(x) ∧ Tet(x))"
    assert made_most_similar(text, wanted=3) == made_most_similar(text, wanted=8)[:4]


def test_paper_sets_lack_certificates() -> None:
    for candidates in (made_most_similar("Cube(a) → Small(a)"), made_ranking("Cube(a) → Small(a)")):
        assert [c.certificates for c in candidates] == [None] * len(candidates)


def test_paper_sets_keep_equivalent_edits() -> None:
    candidates = made_most_similar("Cube(a) ∨ Small(a) → Cube(a)", wanted=64)
    same = [
        (to_unicode(a.formula), to_unicode(b.formula))
        for a, b in combinations(candidates, 2)
        if equivalence(a.formula, b.formula).outcome is Outcome.EQUIVALENT
    ]
    assert ("Cube(a) ∨ Small(a) → Cube(a)", "Cube(a) ∨ Small(a) ↔ Cube(a)") in same
    assert len(same) > 1


def test_paper_ranking_accepts_atomic_sentence() -> None:
    roles = {c.role: to_unicode(c.formula) for c in made_ranking("Cube(a)")}
    assert roles == {
        Role.GOLD: "Cube(a)",
        Role.PERTURBATION: "¬Cube(a)",
        Role.EQUIVALENT: "Cube(a)",
        Role.NEGATION: "¬Cube(a)",
        Role.NEGATION_NORMAL_FORM: "¬Cube(a)",
    }


@pytest.mark.parametrize("text", ["Cube(a) ∨ ¬Cube(a)", "∃x (Cube(x) ∧ ¬Cube(x))", "Cube(x) → Small(y)"])
def test_paper_sets_accept_every_gold_formula(text: str) -> None:
    assert len(made_most_similar(text)) > 1
    assert len(made_ranking(text)) > 4


def test_paper_equivalent_applies_single_rule_once() -> None:
    assert equivalents("Cube(a) → Small(a)") == {"¬Cube(a) ∨ Small(a)"}
    assert equivalents("Cube(a) ∧ Small(a)") == {"¬(¬Cube(a) ∨ ¬Small(a))", "Small(a) ∧ Cube(a)"}
    assert equivalents("∀x Cube(x)") == {"¬∃x ¬Cube(x)"}
    assert equivalents("¬∃x Cube(x)") == {"∀x ¬Cube(x)", "¬¬∀x ¬Cube(x)"}


def test_paper_equivalent_records_rule_and_path() -> None:
    for seed in range(20):
        (equivalent,) = (c for c in made_ranking("∀x (Cube(x) → Small(x))", seed) if c.role is Role.EQUIVALENT)
        said = {
            "¬∃x (Cube(x) ∧ ¬Small(x))": ("double_negation", ()),
            "∀x (¬Cube(x) ∨ Small(x))": ("implication_expansion", (0,)),
        }
        assert (*equivalent.change, *equivalent.path) == said[to_unicode(equivalent.formula)]


def test_paper_ranking_includes_negation_and_normal_form() -> None:
    gold, *_, negation, normal_form = made_ranking("∀x (Cube(x) → Small(x))")
    assert negation.formula is Not(gold.formula)
    assert to_unicode(normal_form.formula) == "∃x (Cube(x) ∧ ¬Small(x))"
