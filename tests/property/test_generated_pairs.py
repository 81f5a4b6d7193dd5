"""Random pairs of formulas: verdicts that other means and other engines confirm."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from benchmarks.unknowns import is_wrong
from tests.engines import ENGINES
from tests.property.generated import Pair, pairs
from tests.unit.logic.corpora import CORPORA, SHARED, closed, has_one_arity_a_symbol

from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import Answer
from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.judging import judge_pairs
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits, rewrites
from nlfol.logic.syntax import ExclusiveOr, Formula, Not

SAMPLE = {"prenex": (15, 1), "nested": (15, 1), "terms": (25, 1)}
"""For each kind, the formulas that are drawn and the unknown verdicts that are allowed."""


@pytest.mark.parametrize("kind", SAMPLE)
def test_verdicts_agree_with_known_labels(kind: str) -> None:
    count, allowed = SAMPLE[kind]
    drawn = pairs(Random(f"sample of {kind}"), kind, count)
    judged = [(pair, equivalence(pair.first, pair.second)) for pair in drawn]
    assert not [pair for pair, verdict in judged if is_wrong(pair, verdict)]
    assert sum(verdict.outcome is Outcome.UNKNOWN for _, verdict in judged) <= allowed


def _mixed() -> list[Pair]:
    return [pair for kind in SAMPLE for pair in pairs(Random(f"mixed {kind}"), kind, 5)]


def _shown(verdicts: list[Verdict]) -> list[tuple[str, ...]]:
    models = [verdict.counter_model for verdict in verdicts]
    return [
        (verdict.outcome.value, verdict.means, verdict.reason or "", "" if model is None else model.describe())
        for verdict, model in zip(verdicts, models, strict=True)
    ]


def test_batch_verdicts_match_single_ones_for_any_order_and_jobs() -> None:
    sample = [(pair.first, pair.second) for pair in _mixed()]
    sample += sample[::7]
    alone = _shown([equivalence(*pair, budget=60_000) for pair in sample])
    for jobs in (1, 2):
        assert _shown(judge_pairs(sample, jobs=jobs, budget=60_000)) == alone
    assert _shown(judge_pairs(sample[::-1], budget=60_000)) == alone[::-1]


def test_judge_pairs_shares_verdict_between_equal_pairs() -> None:
    pair = parse("∀x P(x)"), parse("∃x P(x)")
    first, second = judge_pairs([pair, pair])
    assert first is second
    assert judge_pairs([]) == []


def test_judge_pairs_handles_deep_formulas_with_parallel_jobs() -> None:
    deep: Formula = parse("P(a)")
    for _ in range(2_000):
        deep = Not(deep)
    pairs_ = [(deep, parse("P(a)")), (parse("P(a)"), parse("Q(a)")), (parse("P(a)"), parse("P(b)"))]
    assert [verdict.outcome.value for verdict in judge_pairs(pairs_, jobs=2)] == ["equivalent"] + 2 * ["not_equivalent"]


WRITTEN = 14
"""Formulas that people wrote, each compared with an edit, a rewrite and its negation."""

GENERATED = {"prenex": 1, "nested": 3, "terms": 3}
"""Formulas of each kind, each compared with four others."""


def of_written(formulas: Iterable[Formula], draw: Random) -> Iterator[tuple[Formula, Formula]]:
    for formula in formulas:
        yield formula, draw.choice(list(edits(formula))).formula
        yield formula, draw.choice(list(rewrites(formula))).formula
        yield formula, Not(formula)


@pytest.fixture(scope="module")
def sample() -> list[tuple[Formula, Formula]]:
    """Half of the written formulas from FOLIO where it is at hand, all of them from Tarski's World where not."""
    draw = Random("second opinion")
    at_hand = ["tarski", "folio"] if (SHARED / "folio").exists() else ["tarski"]
    judgeable = {name: list(filter(has_one_arity_a_symbol, closed(CORPORA[name]()))) for name in at_hand}
    written = [f for name in at_hand for f in draw.sample(judgeable[name], WRITTEN // len(at_hand))]
    generated = [pair for kind, count in GENERATED.items() for pair in pairs(draw, kind, count)]
    return [*of_written(written, draw), *((pair.first, pair.second) for pair in generated)]


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_engines_agree_with_equivalence_verdicts(name: str, sample: list[tuple[Formula, Formula]]) -> None:
    engine = ENGINES[name]
    if engine.command() is None:
        pytest.skip(f"{name} is not installed: package {engine.package}")
    found: Counter[tuple[Outcome, Answer]] = Counter()
    for first, second in sample:
        differ = engine.ask(Question((ExclusiveOr(first, second),)), seconds=1).answer
        outcome = equivalence(first, second).outcome
        assert (outcome, differ) not in ((Outcome.EQUIVALENT, Answer.YES), (Outcome.NOT_EQUIVALENT, Answer.NO)), (
            f"{first} and {second}"
        )
        found[outcome, differ] += 1
    assert sum(found.values()) == 3 * WRITTEN + 4 * sum(GENERATED.values()) >= 60
    assert found[Outcome.EQUIVALENT, Answer.NO] >= 16
    assert found[Outcome.NOT_EQUIVALENT, Answer.YES] >= 32
    assert sum(found[outcome, Answer.UNKNOWN] for outcome in Outcome) <= 8
