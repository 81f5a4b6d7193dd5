import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from nlfol.facts import STRATA
from nlfol.logic.boards import on_boards
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology, Predicate
from nlfol.logic.printing import to_bracketed
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import subformulas
from nlfol.randomness import generator
from nlfol.sets.anagram import bag, most_similar_set
from nlfol.sets.audit import audit, item_of
from nlfol.sets.audited import Plan
from nlfol.sets.exchanges import Table
from nlfol.sets.sets import Candidate, CandidateError, candidate_rows

FORMULAS = [
    "∀x (Cube(x) → Small(x)) ∧ Larger(a, b)",
    "∃x (Cube(x) ∧ Larger(x, a) ∧ ¬Small(x))",
    "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))",
    "¬∃x (Cube(x) ∧ ∀y (Tet(y) → Larger(x, y)))",
    "∀x (Cube(x) ∧ ¬Small(x) → Larger(x, a) ∨ Larger(b, x)) ∧ ¬(Tet(a) ∧ ¬Tet(b))",
    "(Cube(a) ∧ Tet(b) → ¬Larger(a, b)) ∧ Small(c)",
    "∀x (Small(x) ↔ Cube(x) ∧ ¬Tet(x)) ∧ ∀x ∀y (Tet(x) ∧ x ≠ y → Larger(x, y))",
    "∃x (Cube(x) ∧ (Tet(x) ⊕ Larger(x, a))) ∧ Small(b)",
]


def made(text: str, seed: int = 0, **plan: object) -> list[Candidate]:
    gold = parse(text)
    whole = replace(Plan(8, style=Style.EVEN, forms=generator(seed, "forms")), **plan)  # type: ignore[arg-type]
    return most_similar_set(gold, derive([gold]), whole, generator(seed, text))


@pytest.mark.parametrize("text", FORMULAS)
def test_score_of_sentence_and_bag_is_right_with_probability_of_one_in_all_candidates(text: str) -> None:
    members = made(text)
    assert len(members) in (4, 8)
    # An arbitrary function of a sentence and a bag.
    draw = random.Random(text)
    weights: dict[tuple[str, str], float] = {}

    def score(sentence: str, candidate: str) -> float:
        return sum(
            weights.setdefault((cue, word), draw.gauss(0, 1)) * min(count, 3)
            for cue in sentence.split()
            for word, count in sorted(bag(candidate).items())
        )

    for shown in ([to_bracketed(member.formula) for member in members], [member.english for member in members]):
        assert len({len(one) for one in shown}) == 1
        scores = [score("If one of the blocks is large, none is small.", one) for one in shown]
        assert {scores.count(max(scores)), len(set(scores))} == {len(members), 1}


@pytest.mark.parametrize("text", FORMULAS)
def test_anagrams_are_proven_different_on_boards_too(text: str) -> None:
    members = made(text)
    for one, other in combinations(members, 2):
        assert equivalence(one.formula, other.formula).outcome is Outcome.NOT_EQUIVALENT
        assert on_boards(one.formula, other.formula).outcome is Outcome.NOT_EQUIVALENT
    for member in members:
        for certificate in member.certificates or ():
            assert certificate.verdict is Outcome.NOT_EQUIVALENT
            if (structure := certificate.counter_model) is not None:
                assert holds(member.formula, structure) is not holds(members[certificate.to].formula, structure)
    assert members[0].plain is parse(text)
    assert equivalence(members[0].formula, parse(text)).outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("text", FORMULAS)
def test_exchange_keeps_bag_and_commutes_with_others(text: str) -> None:
    table, gold = Table(parse(text)), parse(text)
    assert table.made(()) is gold
    exchanges = list(table.exchanges())
    for one, other in combinations(exchanges[:40], 2):
        if one.places.isdisjoint(other.places):
            assert table.made((one, other)) is table.made((other, one))
    for exchange in exchanges:
        member = table.made((exchange,))
        if member is not None:
            assert bag(to_bracketed(member)) == bag(to_bracketed(gold))
            assert member.profile.free == frozenset()


@pytest.mark.parametrize("text", FORMULAS)
def test_anagram_sets_pass_audit_from_rows(text: str) -> None:
    row: Any = {"item": "i", "candidates": candidate_rows(made(text), bracketed=True)}
    (audited,) = audit([item_of(row)])
    assert not audited.violations
    assert not audited.undecided


def test_every_exchange_is_of_one_stratum() -> None:
    kinds = {exchange.kind.value for text in FORMULAS for exchange in Table(parse(text)).exchanges()}
    assert kinds == {*STRATA}


def test_exchange_refuses_open_formulas_and_idle_quantifiers() -> None:
    table = Table(parse("∀x (Cube(x) → Larger(x, a)) ∧ ∃y (Tet(y) ∧ Small(b))"))
    members = [member for exchange in table.exchanges() if (member := table.made((exchange,)))]
    assert "Larger(b, a)" not in {str(node) for member in members for _, node in subformulas(member)}
    assert "Larger(x, x)" not in {str(node) for member in members for _, node in subformulas(member)}


def test_gold_formula_is_drawn_from_one_set() -> None:
    drawn = {made(FORMULAS[2], seed, draws_gold=True, forms=None)[0].formula for seed in range(12)}
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Cube(a)", "no_anagram"),
        ("∀x (Cube(x) → Small(x))", "one_anagram"),
        ("Cube(x)", "open"),
        ("Cube(a) ∨ ¬Cube(a)", "valid"),
        (" ∧ ".join(["Cube(a)"] * 101), "too_large"),
    ],
)
def test_formula_with_fewer_than_four_anagrams_is_refused_with_reason(text: str, reason: str) -> None:
    with pytest.raises(CandidateError) as refused:
        made(text)
    assert refused.value.reason == reason


def test_symmetric_relation_gives_no_anagram() -> None:
    gold = parse("Adjoins(a, b)")
    for gloss, reason in (("{} adjoins {}", "no_anagram"), ("{} loves {}", "one_anagram")):
        ontology = Ontology((Predicate("Adjoins", 2, gloss, f"not {gloss}"),), (), derive([gold]).constants)
        with pytest.raises(CandidateError) as refused:
            most_similar_set(gold, ontology, Plan(8, style=Style.EVEN), generator(0))
        assert refused.value.reason == reason
