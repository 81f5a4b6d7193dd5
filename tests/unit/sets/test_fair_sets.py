import json
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from nlfol.facts import Role
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.printing import to_bracketed
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import Atomic, Formula, Not, subformulas
from nlfol.randomness import generator
from nlfol.sets.audit import audit, item_of
from nlfol.sets.audited import Plan
from nlfol.sets.dimensions import Kind, apply, dimensions
from nlfol.sets.distances import nearness
from nlfol.sets.drawn import drawn
from nlfol.sets.fair import most_similar_set, ranking_set
from nlfol.sets.forms import doubled, form
from nlfol.sets.sets import Candidate, CandidateError, candidate_rows
from nlfol.tasks.item import Item, Member
from nlfol.tasks.item_rows import Exemplars, sentence_row
from nlfol.tasks.registry import build_task

FORMULAS = [
    "∀x (Cube(x) → Small(x))",
    "∃x (Cube(x) ∧ Larger(x, a) ∧ ¬Small(x))",
    "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))",
    "¬∃x (Cube(x) ∧ ∀y (Tet(y) → Larger(x, y)))",
    "∀x (Cube(x) ∧ ¬Small(x) → Larger(x, a) ∨ Larger(b, x))",
    "Cube(a) ∧ Tet(b) → ¬Larger(a, b)",
    "∀x ∀y (Cube(x) ∧ Tet(y) ∧ x ≠ y → Larger(x, y))",
    "∀x (Small(x) ↔ Cube(x) ∧ ¬Tet(x))",
    "∃x ∀y (Cube(x) ∧ (Tet(y) ⊕ Larger(x, y)))",
]
PLAN = Plan(8, style=Style.EVEN)
SHOWN = [
    *FORMULAS,
    "∀x ∀y (Cube(x) ∧ (Tet(y) ∧ Small(x)) ∧ x ≠ a → ¬(Larger(x, y) ∨ y = b))",
    "∃x (Cube(x) ↔ (Tet(x) ↔ ¬Small(x)) ↔ Larger(x, a))",
    "∀x (¬Cube(x) → Tet(x) ∨ Small(x) ∨ Larger(x, a) ∨ Larger(x, b) ∨ Larger(a, x))",
]


def ontology(*formulas: Formula) -> Ontology:
    derived = derive(formulas)
    return Ontology(
        (*derived.predicates, Predicate("Dodec", 1, "{} is dodec", "{} is not dodec")), (), derived.constants
    )


def made(kind: str, text: str, seed: int = 0, *, is_drawn: bool = True) -> list[Candidate]:
    gold = parse(text)
    make = {"most_similar": most_similar_set, "ranking": ranking_set}[kind]
    plan = replace(PLAN, forms=generator(seed, text, "forms") if is_drawn else None)
    return make(gold, ontology(gold), plan, generator(seed, text))


@pytest.mark.parametrize("text", FORMULAS)
def test_fair_dimension_is_reversible(text: str) -> None:
    gold = parse(text)
    symbols = ontology(gold)
    found = list(dimensions(gold, symbols))
    assert found
    for one in found:
        changed = apply(gold, (one,))
        assert changed is not gold
        back = [other for other in dimensions(changed, symbols) if other.kind is one.kind]
        assert gold in {apply(changed, (other,)) for other in back}


@pytest.mark.parametrize("text", FORMULAS)
def test_disjoint_dimensions_commute(text: str) -> None:
    gold = parse(text)
    found = list(dimensions(gold, ontology(gold)))
    pairs = [(a, b) for a, b in combinations(found, 2) if a.places.isdisjoint(b.places)]
    assert pairs
    for first, second in pairs:
        both = apply(gold, (first, second))
        assert both is apply(gold, (second, first))
        assert both not in (apply(gold, (first,)), apply(gold, (second,)))


def test_dimensions_never_swap_converse_and_arguments_together() -> None:
    gold = parse("Larger(a, b) ∧ Smaller(a, c)")
    by_kind: dict[Kind, list[frozenset[object]]] = {}
    for one in dimensions(gold, ontology(gold)):
        by_kind.setdefault(one.kind, []).append(one.places)
    for places in by_kind[Kind.ARGUMENTS]:
        assert not any(places.isdisjoint(others) for others in by_kind[Kind.PREDICATES])


def test_dimensions_keep_symmetric_arguments_in_order() -> None:
    near = Predicate("Near", 2, "{} is next to {}", "{} is not next to {}")
    symbols = Ontology((near,), (), (ConstantSymbol("a", "a"), ConstantSymbol("b", "b")))
    assert Kind.ARGUMENTS not in {one.kind for one in dimensions(parse("Near(a, b)"), symbols)}


@pytest.mark.parametrize("text", FORMULAS)
def test_fair_forms_preserve_meaning_and_operators_up_to_negation(text: str) -> None:
    gold = parse(text)
    symbols = ontology(gold)

    def without_negations(formula: Formula) -> tuple[int, ...]:
        written = to_bracketed(formula)
        return len(written) - written.count("¬"), sum(isinstance(node, Atomic) for _, node in subformulas(formula))

    drawn = {form(gold, Random(seed)) for seed in range(60)}
    assert len(drawn) > 3
    for one in drawn:
        assert equivalence(gold, one).outcome is Outcome.EQUIVALENT
        assert without_negations(one) == without_negations(gold)
        assert read_english(rendered_even(one, symbols), symbols) is one


def rendered_even(formula: Formula, symbols: Ontology) -> str:
    from nlfol.logic.english.styles import render

    return render(formula, symbols, Style.EVEN)


@pytest.mark.parametrize("text", SHOWN)
def test_drawn_forms_keep_meaning_symbols_and_length(text: str) -> None:
    gold = parse(text)
    symbols = ontology(gold)

    def looks(formula: Formula) -> tuple[tuple[str, ...], int, int]:
        written, english = to_bracketed(formula), rendered_even(formula, symbols)
        return tuple(sorted(re.findall(r"\w+|\S", written))), len(written), len(english)

    forms = {drawn(gold, Random(seed), lambda form: looks(form) == looks(gold)) for seed in range(40)}
    assert len(forms) > 1 or text == FORMULAS[0]
    assert {looks(form) for form in forms} == {looks(gold)}
    assert {equivalence(gold, form).outcome for form in forms} == {Outcome.EQUIVALENT}


def test_drawn_forms_have_one_distribution_whichever_they_come_from() -> None:
    one, other = parse("∀x ∀y (Cube(x) ∧ Tet(y) → ¬x = y)"), parse("∀y ∀x (y = x → ¬(Tet(y) ∧ Cube(x)))")
    counts = [Counter(drawn(gold, Random(seed), lambda _: True) for seed in range(1600)) for gold in (one, other)]
    assert len(counts[0]) == 16
    for count in counts:
        assert count.keys() == counts[0].keys()
        assert chisquare(list(count.values())).pvalue > 0.001


@pytest.mark.parametrize("kind", ["most_similar", "ranking"])
def test_plain_forms_make_same_sets_as_drawn_ones(kind: str) -> None:
    plain, shown = made(kind, SHOWN[-3], is_drawn=False), made(kind, SHOWN[-3])
    assert [member.plain for member in shown] == [member.formula for member in plain]
    assert [member.formula for member in shown] != [member.formula for member in plain]
    assert [replace(member, formula=shown[0].formula, english="") for member in shown] == [
        replace(member, formula=shown[0].formula, english="") for member in plain
    ]


@pytest.mark.parametrize("kind", ["most_similar", "ranking"])
@pytest.mark.parametrize("text", FORMULAS)
def test_fair_sets_pass_audit_from_rows(kind: str, text: str) -> None:
    members = made(kind, text)
    row: Any = {"item": "i", "candidates": candidate_rows(members, bracketed=True)}
    (audited,) = audit([item_of(row)])
    assert not audited.violations
    assert not audited.undecided
    for place, member in enumerate(members):
        certificates = member.certificates
        assert certificates is not None
        assert [one.to for one in certificates] == list(range(place))
        for one in certificates:
            assert one.verdict is equivalence(members[one.to].formula, member.formula).outcome
            if one.counter_model is not None:
                assert holds(member.formula, one.counter_model) is not holds(members[one.to].formula, one.counter_model)


@pytest.mark.parametrize("text", FORMULAS)
def test_cube_members_have_equal_length_in_both_presentations(text: str) -> None:
    members = made("most_similar", text)
    assert len(members) in (4, 8)
    for shown in ([to_bracketed(m.formula) for m in members], [m.english for m in members]):
        assert len({(len(one), len(one.split())) for one in shown}) == 1


@pytest.mark.parametrize("text", FORMULAS[:-2])
def test_fair_ranking_set_pairs_meanings_with_single_negated_form(text: str) -> None:
    members = made("ranking", text)
    assert [m.role for m in members] == [
        *(Role.GOLD, Role.EQUIVALENT, Role.CORNER, Role.REPHRASED),
        *(Role.CORNER, Role.REPHRASED, Role.NEGATION, Role.NEGATION_EQUIVALENT),
    ]
    for first, second in zip(members[::2], members[1::2], strict=True):
        assert isinstance(first.formula, Not) is not isinstance(second.formula, Not)
    lengths = Counter(len(m.english) for m in members)
    assert sorted(lengths.values()) == [4, 4]


def shown_item(text: str, members: list[Candidate]) -> Item:
    shown = tuple(Member(str(m.formula), m.english, m.role) for m in members)
    return Item("i", "s", "", text, ontology(parse(text)), shown)


@pytest.mark.parametrize("text", FORMULAS)
def test_blind_reasoner_cannot_separate_cube_corners(text: str) -> None:
    # It decides for each member how many of the others say the same, or the contrary.
    members = made("most_similar", text)

    def equal(to: Formula) -> int:
        return sum(equivalence(to, m.formula).outcome is Outcome.EQUIVALENT for m in members)

    seen = [(equal(m.formula), equal(Not(m.formula))) for m in members]
    task = build_task('{"task": "most_similar", "protocol": "fair"}')
    for rank in (1, -1):
        closeness = [float(rank * sorted(set(seen)).index(one)) for one in seen]
        assert task.judge_similarities(shown_item(text, members), closeness).scores["accuracy"] == 1 / len(members)


def test_blind_reasoner_scores_quarter_on_fair_rankings() -> None:
    # It decides all equivalences and puts the two of a meaning first, and those of its negation last.
    task = build_task('{"task": "ranking", "protocol": "fair"}')
    scores = []
    for text in FORMULAS[:-2]:
        members = made("ranking", text)
        item = shown_item(text, members)
        for meaning in range(0, 8, 2):
            first = members[meaning].formula
            closeness = [
                1.0
                if equivalence(first, m.formula).outcome is Outcome.EQUIVALENT
                else -1.0
                if equivalence(Not(first), m.formula).outcome is Outcome.EQUIVALENT
                else 0.0
                for m in members
            ]
            scores.append(task.judge_similarities(item, closeness).scores["equivalence"])
    assert sum(scores) / len(scores) == 1 / 4


def test_fair_ranking_set_refuses_formula_without_dimensions() -> None:
    gold = parse("Cube(a)")
    with pytest.raises(CandidateError, match="no formula one dimension away") as refused:
        ranking_set(gold, derive([gold]), PLAN, generator(0))
    assert refused.value.reason == "no_forms"


@pytest.mark.parametrize(
    "text", ["Larger(a, b)", "¬Larger(a, b)", "Cube(a) ∧ Tet(b)", "∃x Larger(x, a)", "Cube(a) ↔ Tet(b)"]
)
def test_fair_ranking_set_doubles_literal_in_short_formula(text: str) -> None:
    members = made("ranking", text)
    assert len(members) == 8
    atoms = {sum(isinstance(node, Atomic) for _, node in subformulas(member.formula)) for member in members}
    assert len(atoms) == 1
    assert min(atoms) >= sum(isinstance(node, Atomic) for _, node in subformulas(parse(text)))
    assert doubled(parse("Cube(a) ∧ Tet(b)"), 1) == (
        parse("Cube(a) ∧ (¬Tet(b) → Tet(b))"),
        parse("Cube(a) ∧ (Tet(b) ∧ Tet(b))"),
    )


def triple(text: str, category: int | None) -> Any:
    gold = parse(text)
    about: dict[str, object] = {
        "item": "i",
        "story": "s",
        "language": "first_order",
        "category": category,
        "depth": None,
        "readings": [],
    }
    return {**about, "text": "What it says.", "formula": text, "ontology": ontology(gold).to_row()}


@pytest.mark.parametrize(("kind", "meanings"), [("most_similar", 8), ("ranking", 4)])
def test_generated_gold_is_drawn_from_finished_set(kind: str, meanings: int) -> None:
    task = build_task(json.dumps({"task": kind, "protocol": "fair"}))
    text = "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"
    gold, draws = parse(text), 0
    drawn: Counter[bool] = Counter()
    for seed in range(400):
        row = sentence_row(triple(text, 3), task, seed, Exemplars([], None, "d", seed))
        chosen = parse(row["formula"])
        assert equivalence(chosen, parse(row["candidates"][0]["formula"])).outcome is Outcome.EQUIVALENT
        assert read_english(row["text"], ontology(gold)) is chosen
        drawn[equivalence(chosen, gold).outcome is Outcome.EQUIVALENT] += 1
        draws += 1
    expected = [draws / meanings, draws - draws / meanings]
    assert chisquare([drawn[True], drawn[False]], expected).pvalue > 0.001


def test_human_sentences_keep_their_formula() -> None:
    task = build_task('{"task": "most_similar", "protocol": "fair"}')
    row = sentence_row(triple(FORMULAS[0], None), task, 1, Exemplars([], None, "d", 1))
    assert (row["text"], row["formula"]) == ("What it says.", FORMULAS[0])
    assert equivalence(parse(row["candidates"][0]["formula"]), parse(FORMULAS[0])).outcome is Outcome.EQUIVALENT


def test_nearness_hides_gold_in_cube_only() -> None:
    assert nearness(["a b", "a c", "d b", "d c"]) == [4, 4, 4, 4]
    near = nearness(["a b c", "x b c", "a x c", "a b x"])
    assert near.index(min(near)) == 0
