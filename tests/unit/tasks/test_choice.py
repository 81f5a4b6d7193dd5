"""Presentation orders of candidates, answers about them, and scores where similarities tie."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import ROOT, said

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.randomness import generator
from nlfol.sets import fair
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.sets.sets import Candidate
from nlfol.tasks.choice import is_tied, probability_ends, shown_order
from nlfol.tasks.entry import SetProtocol
from nlfol.tasks.item import Item, Member
from nlfol.tasks.most_similar import MostSimilar, MostSimilarEntry
from nlfol.tasks.plan import NoPrompts, Prompts, Setting, Step
from nlfol.tasks.ranking import Ranking, RankingEntry
from nlfol.tasks.registry import build_task

TETS = "∀x (Cube(x) → Small(x) ∧ Tet(x))"
SEEDS = [3, 12, 26, 85, 107]


def item(number: int = 0) -> Item:
    gold = parse(TETS)
    candidates = most_similar_set(gold, derive([gold]), Plan(8), generator(1))
    return examples.item(TETS, "Every cube is a small tetrahedron.", candidates, item=f"w:{number}", source=str(number))


def orders(of: Item, seeds: list[int], protocol: SetProtocol = "audited") -> list[list[int]]:
    setting = Setting(1, NoPrompts())
    shown = [shown_order(of, setting, seed, kind="most_similar", protocol=protocol) for seed in seeds]
    assert all(sorted(order) == list(range(len(of.members))) for order in shown)
    return shown


def places(of: Item, seeds: list[int]) -> list[int]:
    return [order.index(0) for order in orders(of, seeds)]


def test_presentation_order_is_uniform_under_every_seed() -> None:
    same = item()
    shown = [places(replace(same, source=str(text)), SEEDS) for text in range(1800)]
    for of_seed in zip(*shown, strict=True):
        counts = Counter(of_seed)
        # 200 of each of nine places are expected: chi-square with 8 degrees of freedom, 1 in 10,000 above 32.
        assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 32
        assert set(counts) == set(range(9))


def test_presentation_order_depends_on_own_seed_only() -> None:
    of = item()
    (third, twelfth), back = orders(of, [3, 12]), orders(of, [12, 3])
    assert back == [twelfth, third]
    assert orders(of, [5, 3])[1] == third
    assert len({tuple(order) for order in orders(of, SEEDS)}) == 5
    assert orders(replace(of, item="w1:7", formula="Cube(a)"), SEEDS) == orders(of, SEEDS)


def test_paper_protocol_uses_same_order_for_all_seeds() -> None:
    assert len({tuple(order) for order in orders(item(), SEEDS, "paper")}) == 1
    assert orders(item(), [99], "paper")[0] == orders(item(), SEEDS, "paper")[0]
    assert orders(item(1), SEEDS, "paper") != orders(item(2), SEEDS, "paper")


@pytest.mark.parametrize("presentation", ["formula", "english"])
@pytest.mark.parametrize("kind", ["most_similar", "ranking", "logical_translation"])
def test_published_prompts_match_paper_wording(kind: str, presentation: str) -> None:
    about = item()
    of_kind = build_task(json.dumps({"task": kind, "prompt": "published"}))
    setting = Setting(1, Prompts(ROOT / "resources/prompts"))
    step = of_kind.plan(setting).following(about, presentation, 3, [])
    assert isinstance(step, Step)
    told = step.system + step.user
    assert about.text in step.user
    assert ("Predicates:" in told) == (kind == "logical_translation")
    assert not [words for words in ("binds", "parentheses", "or both", "≠", "opposite", "no more") if words in told]


def by_enumeration(similarities: Sequence[float], first: set[int], last: set[int]) -> Fraction:
    """Return by definition the share of the orders by falling similarity in which both ends are as asked."""
    count = len(similarities)
    orders = [
        order
        for order in permutations(range(count))
        if all(similarities[a] >= similarities[b] for a, b in pairwise(order))
    ]
    hits = sum(set(o[: len(first)]) == first and set(o[count - len(last) :]) == last for o in orders)
    return Fraction(hits, len(orders))


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=1, max_size=6), st.integers(0, 3), st.integers(0, 3))
def test_probability_ends_equals_tie_break_share(similarities: list[float], firsts: int, lasts: int) -> None:
    firsts = min(firsts, len(similarities))
    lasts = min(lasts, len(similarities) - firsts)
    first, last = set(range(firsts)), set(range(firsts, firsts + lasts))
    expected = by_enumeration(similarities, first, last)
    assert probability_ends(similarities, first, last) == pytest.approx(float(expected))


def test_ties_within_group_are_ignored() -> None:
    assert not is_tied([0.9, 0.9, 0.1], [(0, 1)])
    assert is_tied([0.9, 0.5, 0.5], [(0, 1)])
    assert not is_tied([0.9, 0.5, 0.5], [(0,)])


@pytest.mark.parametrize("similarities", [[float("nan"), 0.5, 0.3], [0.5, float("nan"), 0.3]])
def test_probability_ends_rejects_nan(similarities: list[float]) -> None:
    with pytest.raises(ValueError, match="no number"):
        probability_ends(similarities, (0,), ())


ONTOLOGY = derive([parse(GOLD), parse("Cube(a) ∧ Larger(a, b)")])
MOST_SIMILAR, RANKING = MostSimilar(MostSimilarEntry()), Ranking(RankingEntry())


def among(candidates: list[Candidate]) -> Item:
    return examples.item(GOLD, "Every cube is small.", candidates, ontology=ONTOLOGY)


TO_CHOOSE = among(most_similar_set(parse(GOLD), ONTOLOGY, Plan(4), generator(1)))
TO_RANK = among(ranking_set(parse(GOLD), ONTOLOGY, Plan(3), generator(1)))


def test_most_similar_scores_gold_position() -> None:
    order = [3, 0, 4, 1, 2]
    scores = [MOST_SIMILAR.judge_answer(TO_CHOOSE, order, said(number)).scores["accuracy"] for number in range(1, 6)]
    assert scores == [0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("order", "answer", "equivalence", "negation"),
    [
        ([0, 1, 2, 3, 4, 5, 6], [5, 1, 2, 3, 4, 7, 6], 1, 1),
        ([0, 1, 2, 3, 4, 5, 6], [1, 2, 5, 3, 4, 6, 7], 0, 1),
        ([0, 1, 2, 3, 4, 5, 6], [6, 7, 4, 3, 2, 1, 5], 0, 0),
        ([4, 0, 1, 2, 3, 5, 6], [1, 2, 3, 4, 5, 6, 7], 1, 1),
    ],
)
def test_ranking_scores_both_ends(order: list[int], answer: list[int], equivalence: int, negation: int) -> None:
    roles = [member.role for member in TO_RANK.members]
    assert roles == ["gold", *["perturbation"] * 3, "equivalent", "negation", "negation_normal_form"]
    scores = RANKING.judge_answer(TO_RANK, order, said(answer)).scores
    assert scores == {"equivalence": equivalence, "negation": negation, "both": equivalence * negation}


def test_similarities_are_scored_with_random_tie_breaking() -> None:
    assert MOST_SIMILAR.judge_similarities(TO_CHOOSE, [0.9, 0.5, 0.4, 0.3, 0.2]).scores == {"accuracy": 1}
    judged = MOST_SIMILAR.judge_similarities(TO_CHOOSE, [0.9, 0.9, 0.4, 0.3, 0.2])
    assert (judged.scores, judged.tied) == ({"accuracy": 0.5}, frozenset({"accuracy"}))
    ranked = RANKING.judge_similarities(TO_RANK, [0.9, 0.5, 0.5, 0.5, 0.8, 0.1, 0.2])
    assert (ranked.scores, ranked.tied) == ({"equivalence": 1, "negation": 1, "both": 1}, frozenset())


def test_chance_scores_are_exact() -> None:
    assert MOST_SIMILAR.chance(TO_CHOOSE).scores == {"accuracy": pytest.approx(1 / 5)}
    chance = {"equivalence": 1 / 21, "negation": 1 / 21, "both": 1 / 210}
    assert RANKING.chance(TO_RANK).scores == pytest.approx(chance)


def test_reasoner_draws_among_duplicated_meanings() -> None:
    assert MOST_SIMILAR.reasoner(TO_CHOOSE).scores == {"accuracy": pytest.approx(1 / 5)}
    audited = Ranking(RankingEntry(protocol="audited"))
    assert audited.reasoner(TO_RANK).scores == dict.fromkeys(("both", "equivalence", "negation"), 1 / 2)
    four = among(fair.ranking_set(parse(GOLD), ONTOLOGY, Plan(3), generator(1)))
    assert RANKING.reasoner(four).scores == dict.fromkeys(("both", "equivalence", "negation"), 1 / 4)


@pytest.mark.parametrize(
    ("perturbations", "scores"),
    [
        # Nothing more says what the sentence says, or denies it.
        (["∀x (Cube(x) ∧ Small(x))", "∀x (Cube(x) → Tet(x))"], (1 / 2, 1 / 2, 1 / 2)),
        # Three deny the sentence: the right two are last in one of three draws of the right meaning.
        (["¬∀x (Cube(x) → Small(x))"], (1 / 6, 1 / 2, 1 / 6)),
        (["∀y (Cube(y) → Small(y))"], (1 / 6, 1 / 6, 1 / 2)),
        # Other meanings said, and denied, twice could be the sentence's as well.
        (["∃x Tet(x)", "¬¬∃x Tet(x)", "∀x ¬Tet(x)", "¬∃x Tet(x)"], (1 / 4, 1 / 4, 1 / 4)),
    ],
)
def test_reasoner_handles_extra_duplicates_in_published_sets(
    perturbations: list[str], scores: tuple[float, ...]
) -> None:
    roles = ["gold", *["perturbation"] * len(perturbations), "equivalent", "negation", "negation_normal_form"]
    texts = [GOLD, *perturbations, f"¬¬{GOLD}", f"¬{GOLD}", "∃x (Cube(x) ∧ ¬Small(x))"]
    members = tuple(Member(text, "", role) for text, role in zip(texts, roles, strict=True))
    item = replace(TO_RANK, members=members)
    found = Ranking(RankingEntry(protocol="paper")).reasoner(item).scores
    assert (found["both"], found["equivalence"], found["negation"]) == pytest.approx(scores)


def test_tied_grades_rank_in_shown_order() -> None:
    answer = Ranking(RankingEntry()).answer_of_grades([0.5, -1.0, 1.0, 0.5])
    assert json.loads(answer)["answer"] == [3, 1, 4, 2]
