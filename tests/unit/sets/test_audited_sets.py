from collections import Counter
from dataclasses import replace

import pytest

from nlfol.facts import Role
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits, negation_normal_form
from nlfol.logic.syntax import And, Atom, Constant, Formula, Not
from nlfol.randomness import generator
from nlfol.sets import audited
from nlfol.sets.audited import Plan, in_random_order, most_similar_set, ranking_set
from nlfol.sets.sets import Candidate, CandidateError, rendered

EIGHT, THREE = Plan(8), Plan(3)


def made_most_similar(text: str, seed: int = 0, plan: Plan = EIGHT) -> list[Candidate]:
    gold = parse(text)
    return most_similar_set(gold, derive([gold]), plan, generator(seed, text))


def made_ranking(text: str, seed: int = 0, plan: Plan = THREE) -> list[Candidate]:
    gold = parse(text)
    return ranking_set(gold, derive([gold]), plan, generator(seed, text))


def same(first: Candidate, second: Candidate) -> bool:
    outcome = equivalence(first.formula, second.formula).outcome
    assert outcome in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT)
    return outcome is Outcome.EQUIVALENT


def shown(candidates: list[Candidate]) -> list[str]:
    return [to_unicode(candidate.formula) for candidate in candidates]


def test_single_edits_record_kind_and_path() -> None:
    for candidate in made_most_similar("∀x (Cube(x) → Small(x))"):
        if candidate.role is Role.PERTURBATION:
            (change,), (path,) = candidate.change, candidate.path
            made = [e for e in edits(parse("∀x (Cube(x) → Small(x))")) if (e.kind, e.path) == (change, path)]
            assert candidate.formula in [edit.formula for edit in made]
            assert candidate.edits == 1


def test_audited_perturbations_exclude_currying() -> None:
    # A ∧ B → C with ∧ swapped for → says the same: the published sets hold 84 such distractors.
    texts = shown(made_most_similar("Cube(a) ∧ Cube(b) → Small(a)", plan=Plan(64)))
    assert "(Cube(a) → Cube(b)) → Small(a)" in texts
    assert "Cube(a) → Cube(b) → Small(a)" not in texts


def test_audited_set_keeps_single_edit_per_meaning() -> None:
    # ¬A → B and A ∨ B mean the same.
    texts = shown(made_most_similar("Cube(a) → Small(a)", plan=Plan(64)))
    assert len({"¬Cube(a) → Small(a)", "Cube(a) ∨ Small(a)"} & set(texts)) == 1


def test_audited_set_skips_undecided_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    # Some edits mean what the gold formula or another edit does: vectors do not tell, so the engine is asked.
    text = "Cube(a) ∧ (Cube(a) ∨ Small(a))"
    asked = []

    def undecided(first: Formula, second: Formula) -> Verdict:
        asked.append((first, second))
        return Verdict(Outcome.UNKNOWN, "budget")

    monkeypatch.setattr(audited, "equivalence", undecided)
    candidates = made_most_similar(text, plan=Plan(64))
    assert asked
    members = {candidate.formula for candidate in candidates}
    assert not any({first, second} <= members for first, second in asked)
    for candidate in candidates:
        assert {found.verdict for found in candidate.certificates or ()} <= {Outcome.NOT_EQUIVALENT}


def test_larger_audited_set_extends_smaller() -> None:
    text = "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"
    assert shown(made_most_similar(text, plan=Plan(3))) == shown(made_most_similar(text, plan=Plan(8)))[:4]


def test_atomic_sentence_has_single_distractor_and_fails_ranking() -> None:
    assert shown(made_most_similar("Cube(a)")) == ["Cube(a)", "¬Cube(a)"]
    with pytest.raises(CandidateError, match="the only edit of an atom is its negation") as caught:
        made_ranking("Cube(a)")
    assert caught.value.reason == "too_few_perturbations"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("Cube(a) ∨ ¬Cube(a)", "valid"), ("∃x (Cube(x) ∧ ¬Cube(x))", "unsatisfiable"), ("Cube(x) → Small(x)", "open")],
)
def test_audited_set_refuses_trivial_gold_with_specific_reason(text: str, reason: str) -> None:
    for make in (made_most_similar, made_ranking):
        with pytest.raises(CandidateError) as caught:
            make(text)
        assert caught.value.reason == reason


def test_audited_set_refuses_oversized_gold_as_undecided() -> None:
    gold: Formula = parse("Cube(a) ∨ ¬Cube(a)")
    ontology = derive([gold])
    for _ in range(12):
        gold = And(gold, gold)
    with pytest.raises(CandidateError) as caught:
        most_similar_set(gold, ontology, EIGHT, generator(1))
    assert caught.value.reason == "undecided"


def test_audited_set_refuses_glosses_blind_to_negation() -> None:
    gold = parse("Cube(a)")
    mute = Ontology((Predicate("Cube", 1, "{} is something", "{} is something"),), (), (ConstantSymbol("a", "a"),))
    with pytest.raises(CandidateError, match="correct the glosses") as caught:
        ranking_set(gold, mute, Plan(3), generator(1))
    assert caught.value.reason == "same_english"
    with pytest.raises(CandidateError) as caught:
        most_similar_set(gold, mute, EIGHT, generator(1))
    assert caught.value.reason == "too_few_perturbations"


def test_audited_set_refuses_member_with_overlong_rendering() -> None:
    # Each ↔ doubles the normal form of a negation, and the English with it.
    gold = parse(" ↔ ".join(f"P{number}(a)" for number in range(15)))
    normal_form = negation_normal_form(Not(gold))
    with pytest.raises(CandidateError, match="the rendering has more than") as caught:
        rendered(normal_form, derive([gold]), Style.UNAMBIGUOUS)
    assert caught.value.reason == "rendering_too_long"


@pytest.mark.parametrize(
    "text",
    [
        "∀x (Cube(x) → Small(x))",
        "¬∃x (Cube(x) ∧ Larger(x, b))",
        "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))",
        "∃x ∃y (Cube(x) ∧ Cube(y) ∧ x ≠ y)",
        "∀x (Cube(x) ↔ ¬Tet(x))",
        "(Cube(a) ∨ Tet(a)) ⊕ Small(a)",
        "∀x (Cube(mother(x)) → Larger(mother(x), x))",
    ],
)
def test_set_without_english_equals_injective_style_set(text: str) -> None:
    bare = made_ranking(text, plan=Plan(3, style=None))
    rendered_last = made_ranking(text, plan=Plan(3, style=Style.UNAMBIGUOUS))
    assert {candidate.english for candidate in bare} == {""}
    assert [replace(candidate, english="") for candidate in rendered_last] == bare
    assert len({candidate.english for candidate in rendered_last}) == len(rendered_last)


def test_audited_set_depends_on_seed_only() -> None:
    text = "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"
    assert made_ranking(text) == made_ranking(text)
    assert len({tuple(shown(made_most_similar(text, seed))) for seed in range(20)}) > 1


@pytest.mark.parametrize(
    ("gold", "laws"),
    [
        (
            "∀x (Cube(x) ∧ (Small(x) ∨ Large(x)) → Tet(x))",
            {"de_morgan", "commutativity", "distributivity", "implication_expansion"},
        ),
        ("∀x ¬¬Cube(x)", {"double_negation"}),
        ("∀x ∃y Larger(x, y)", {"double_negation"}),
        ("¬∀x Cube(x)", {"de_morgan"}),
    ],
)
def test_ranking_set_draws_every_law_before_double_negation(gold: str, laws: set[str]) -> None:
    made = [
        candidate for seed in range(60) for candidate in made_ranking(gold, seed) if candidate.role is Role.EQUIVALENT
    ]
    assert {candidate.change for candidate in made} == {(law,) for law in laws}
    if gold == "∀x ¬¬Cube(x)":
        assert {to_unicode(candidate.formula) for candidate in made} == {"∀x Cube(x)"}


def test_in_random_order_yields_every_element_once() -> None:
    atoms = [Atom("Cube", (Constant(name),)) for name in "abcde"]
    for key in (None, lambda atom: atom is atoms[0]):
        assert sorted(map(repr, in_random_order(atoms, generator(1), key))) == sorted(map(repr, atoms))


def test_in_random_order_weights_keys_equally() -> None:
    firsts = Counter(
        next(iter(in_random_order(["a1", "a2", "a3", "b1"], generator("first", number), lambda text: text[0])))
        for number in range(3_000)
    )
    assert firsts["b1"] / 3_000 == pytest.approx(1 / 2, abs=0.04)
    for text in ("a1", "a2", "a3"):
        assert firsts[text] / 3_000 == pytest.approx(1 / 6, abs=0.04)
