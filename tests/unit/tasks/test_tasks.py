import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests import examples
from tests.examples import CUBES as GOLD
from tests.unit.logic.hard_pairs import LEFT_GROUP

from nlfol.asking.asking import sample
from nlfol.candidates.audited import Plan, most_similar_set, ranking_set
from nlfol.candidates.sets import Candidate
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.ontology.derivation import derive
from nlfol.problems.problem import TRUTHS, Problem, Statement, plain
from nlfol.randomness import generator
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.most_similar import MostSimilar, MostSimilarEntry
from nlfol.tasks.plan import Reply
from nlfol.tasks.ranking import Ranking, RankingEntry
from nlfol.tasks.registry import METRICS, TASKS

ONTOLOGY = derive([parse(GOLD), parse("Cube(a) ∧ Larger(a, b)")])


def item(candidates: list[Candidate], text: str = "Every cube is small.") -> Item:
    return examples.item(GOLD, text, candidates, ontology=ONTOLOGY)


MOST_SIMILAR, RANKING = MostSimilar(MostSimilarEntry()), Ranking(RankingEntry())
TO_TRANSLATE = item([])
TO_CHOOSE = item(most_similar_set(parse(GOLD), ONTOLOGY, Plan(4), generator(1)))
PROBLEM = replace(
    TO_TRANSLATE, problem=Problem("1", "free", None, plain(["Tom sleeps."]), Statement("Does he?"), TRUTHS, "A")
)
TO_RANK = item(ranking_set(parse(GOLD), ONTOLOGY, Plan(3), generator(1)))


def said(answer: object) -> str:
    return json.dumps({"reasoning": "", "answer": answer})


@pytest.mark.parametrize(
    ("formula", "verdict", "score"),
    [
        (GOLD, "equivalent", 1),
        ("¬∃y (Cube(y) ∧ ¬Small(y))", "equivalent", 1),
        ("∀x Cube(x) → Small(x)", "equivalent", 1),
        ("∃x (Cube(x) ∧ Small(x))", "not_equivalent", 0),
        ("∀x (Block(x) → Small(x))", "invalid", 0),
        ("∀x (Cube(x, a) → Small(x))", "invalid", 0),
        ("∀x (Cube(x) → Small(c))", "invalid", 0),
        ("Cube(x) → Small(x)", "invalid", 0),
    ],
)
def test_translations_are_judged_by_meaning(formula: str, verdict: str, score: int) -> None:
    judged = LogicalTranslation().judge_answer(TO_TRANSLATE, [], said(formula))
    assert (judged.outcome, judged.verdict, judged.scores["equivalence"]) == ("answered", verdict, score)
    assert judged.scores.keys() == {"equivalence", "bleu", "le"}
    assert judged.answer == formula


def test_a_wrong_translation_comes_with_a_counter_model() -> None:
    judged = LogicalTranslation().judge_answer(TO_TRANSLATE, [], said("∃x (Cube(x) ∧ Small(x))"))
    assert judged.counter_model is not None
    assert holds(parse(GOLD), judged.counter_model) != holds(parse("∃x (Cube(x) ∧ Small(x))"), judged.counter_model)
    assert judged.means == "finite_structure"
    assert judged.relation == "independent"
    assert judged.detail == (
        "a world of one thing (thing 1): none of the predicates holds of anything. "
        "The sentence is true there, the translation false"
    )


def test_reading_is_tolerant_or_strict_and_says_so() -> None:
    text = said("Answer: forall x (Cube(x) -> Small(x))")
    tolerant = LogicalTranslation().judge_answer(TO_TRANSLATE, [], text)
    assert (tolerant.verdict, tolerant.dialect, tolerant.formula) == ("equivalent", "ascii", GOLD)
    assert tolerant.repairs
    assert tolerant.policy == "reading tolerant, unbound variables invalid"
    strict = LogicalTranslation(LogicalTranslationEntry(reading="strict")).judge_answer(TO_TRANSLATE, [], text)
    assert (strict.outcome, strict.verdict) == ("unparsable", None)


def test_what_no_means_decides_counts_as_wrong() -> None:
    answer = f"({LEFT_GROUP}) ∧ ∀x ∀y m(x, y) = m(y, x)"
    asked = examples.item(LEFT_GROUP, "It is a group.")
    judged = LogicalTranslation().judge_answer(asked, [], said(answer))
    assert (judged.verdict, judged.scores["equivalence"]) == ("unknown", 0)


def test_an_ambiguity_is_recorded() -> None:
    judged = LogicalTranslation().judge_answer(TO_TRANSLATE, [], said("∀x (Cube(x) ^ Small(x))"))
    assert judged.verdict == "not_equivalent"
    assert any(ambiguity.startswith("caret: ") for ambiguity in judged.ambiguities)


def test_an_unbound_variable_makes_invalid_or_is_closed() -> None:
    text = said("Cube(x) → Small(x)")
    judged = LogicalTranslation().judge_answer(TO_TRANSLATE, [], text)
    assert (judged.verdict, judged.means, judged.detail) == ("invalid", "open_formula", "no quantifier binds x")
    closing = LogicalTranslation(LogicalTranslationEntry(unbound="close"))
    closed = closing.judge_answer(TO_TRANSLATE, [], text)
    assert (closed.verdict, closed.formula) == ("equivalent", GOLD)


def test_an_invented_symbol_is_named() -> None:
    judged = LogicalTranslation().judge_answer(TO_TRANSLATE, [], said("∀x (Block(x) → Small(x))"))
    assert "'Block'" in (judged.detail or "")


@pytest.mark.parametrize("text", ["prose", said("Every cube is small"), said(""), said(5), said("∀x (Cube(x) ∧")])
def test_what_cannot_be_read_is_unparsable_and_wrong(text: str) -> None:
    judged = LogicalTranslation().judge(TO_TRANSLATE, [Reply("", "answered", text)])
    assert (judged.outcome, judged.verdict, judged.scores) == (
        "unparsable",
        None,
        {"equivalence": 0, "bleu": 0, "le": 0},
    )
    assert judged.detail


def test_most_similar_is_right_where_the_gold_formula_is_shown() -> None:
    order = [3, 0, 4, 1, 2]
    scores = [MOST_SIMILAR.judge_answer(TO_CHOOSE, order, said(number)).scores["accuracy"] for number in range(1, 6)]
    assert scores == [0, 1, 0, 0, 0]


def test_ranking_looks_at_both_ends() -> None:
    roles = [member.role for member in TO_RANK.members]
    assert roles == ["gold", *["perturbation"] * 3, "equivalent", "negation", "negation_normal_form"]
    shown = list(range(7))
    right = [5, 1, 2, 3, 4, 7, 6]

    def scores(answer: list[int]) -> Mapping[str, float]:
        return RANKING.judge_answer(TO_RANK, shown, said(answer)).scores

    assert scores(right) == {"equivalence": 1, "negation": 1, "both": 1}
    first_wrong = [1, 2, 5, 3, 4, 6, 7]
    assert scores(first_wrong) == {
        "equivalence": 0,
        "negation": 1,
        "both": 0,
    }
    backwards = right[::-1]
    assert scores(backwards) == {"equivalence": 0, "negation": 0, "both": 0}
    # The same answer about candidates shown in another order is another answer.
    order = [4, 0, 1, 2, 3, 5, 6]
    assert RANKING.judge_answer(TO_RANK, order, said([1, 2, 3, 4, 5, 6, 7])).scores["both"] == 1


def test_what_stands_in_for_the_normal_form_belongs_at_the_end_too() -> None:
    gold = "Cube(a)"
    candidates = ranking_set(parse(gold), ONTOLOGY, Plan(2, minimum=0), generator(1))
    roles = [candidate.role.value for candidate in candidates]
    assert roles == ["gold", "equivalent", "negation", "negation_equivalent"]
    shown = list(range(4))
    for answer, score in (([1, 2, 3, 4], 1), ([2, 1, 4, 3], 1), ([1, 4, 3, 2], 0)):
        judged = RANKING.judge_answer(item(candidates), shown, said(answer))
        assert judged.scores == dict.fromkeys(("equivalence", "negation", "both"), score)


def test_similarities_are_judged_like_an_order_with_ties_broken_by_chance() -> None:
    assert MOST_SIMILAR.judge_similarities(TO_CHOOSE, [0.9, 0.5, 0.4, 0.3, 0.2]).scores == {"accuracy": 1}
    judged = MOST_SIMILAR.judge_similarities(TO_CHOOSE, [0.9, 0.9, 0.4, 0.3, 0.2])
    assert (judged.scores, judged.tied) == ({"accuracy": 0.5}, frozenset({"accuracy"}))
    ranked = RANKING.judge_similarities(TO_RANK, [0.9, 0.5, 0.5, 0.5, 0.8, 0.1, 0.2])
    assert (ranked.scores, ranked.tied) == ({"equivalence": 1, "negation": 1, "both": 1}, frozenset())


def test_chance_is_exact() -> None:
    assert MOST_SIMILAR.chance(TO_CHOOSE).scores == {"accuracy": pytest.approx(1 / 5)}
    chance = RANKING.chance(TO_RANK).scores
    assert chance == {
        "equivalence": pytest.approx(1 / 21),
        "negation": pytest.approx(1 / 21),
        "both": pytest.approx(1 / 210),
    }
    assert LogicalTranslation().chance(TO_TRANSLATE).scores == {"equivalence": 0, "bleu": 0, "le": 0}


def test_chance_is_what_random_answers_score_on_average() -> None:
    draw = generator("answers")
    total: Counter[str] = Counter()
    for _ in range(4000):
        order = draw.sample(range(1, 8), 7)
        total.update(RANKING.judge_answer(TO_RANK, list(range(7)), said(order)).scores)
    for metric, expected in RANKING.chance(TO_RANK).scores.items():
        assert total[metric] / 4000 == pytest.approx(expected, abs=0.012)


def test_every_task_declares_its_metrics() -> None:
    for kind, task in TASKS.items():
        assert task.kind == kind
        built = task(task.entry_type(task=kind))
        declared = {*task.metrics, *task.other_metrics}
        about = PROBLEM if task.takes == {"problems"} else TO_RANK
        assert {metric for lost in built.lost(about, "failed", None, None) for metric in lost.scores} == declared
        assert set(task.metrics) <= built.chance(about).scores.keys() <= declared
        assert all(map(task.rates, task.metrics))
        assert not any(map(task.rates, task.other_metrics))
        assert METRICS[kind] == task.metrics
    assert {kind for kind, task in TASKS.items() if task.has_candidates()} == {"most_similar", "ranking"}


def test_a_larger_sample_keeps_a_smaller_one() -> None:
    items = [replace(item([], f"Cube {number} is small."), item=f"w1:{number}") for number in range(40)]
    few, more = sample(items, 5, 1, "tarski"), sample(items, 10, 1, "tarski")
    assert len(few) == 5
    assert [each for each in more if each in few] == few
    assert sample(items[::-1], 5, 1, "tarski") == few[::-1]
    assert sample(items, None, 1, "tarski") == sample(items, 99, 1, "tarski") == items
    assert few not in (sample(items, 5, 2, "tarski"), sample(items, 5, 1, "folio"))


def test_a_formula_written_again_is_judged_once() -> None:
    item = examples.item("Tall(ann)", "Ann is tall.")
    task = LogicalTranslation()
    first, second = (
        task.judge_answer(item, [], json.dumps({"reasoning": reasoning, "answer": "¬Tall(ann)"}))
        for reasoning in ("a", "b")
    )
    assert first is second
    assert first.verdict == "not_equivalent"
