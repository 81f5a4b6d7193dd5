"""Verdicts on generated pairs: never against what is known of them, almost never unknown, the same every time."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tests.property.generated import Pair, pairs

import nlfol
from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.judging import judge_pairs, judge_texts
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import Formula, Not

SAMPLE = {"prenex": (15, 1), "nested": (15, 1), "terms": (25, 1)}
"""For each kind, the formulas that are drawn and the unknown verdicts that are allowed."""


@pytest.mark.parametrize("kind", SAMPLE)
def test_what_is_known_is_never_contradicted(kind: str) -> None:
    count, allowed = SAMPLE[kind]
    unknown = 0
    for pair in pairs(Random(f"sample of {kind}"), kind, count):
        verdict = equivalence(pair.first, pair.second)
        assert verdict.outcome is not Outcome.INVALID
        if verdict.outcome is Outcome.UNKNOWN:
            unknown += 1
        elif pair.equivalent is not None:
            assert (verdict.outcome is Outcome.EQUIVALENT) == pair.equivalent, pair
        model = verdict.counter_model
        assert model is None or holds(pair.first, model) != holds(pair.second, model)
    assert unknown <= allowed


def _mixed() -> list[Pair]:
    return [pair for kind in SAMPLE for pair in pairs(Random(f"mixed {kind}"), kind, 5)]


def _shown(verdicts: list[Verdict]) -> list[tuple[str, ...]]:
    models = [verdict.counter_model for verdict in verdicts]
    return [
        (verdict.outcome.value, verdict.means, verdict.reason or "", "" if model is None else model.describe())
        for verdict, model in zip(verdicts, models, strict=True)
    ]


def test_many_are_judged_as_each_alone_whatever_the_order_and_the_jobs() -> None:
    sample = [(pair.first, pair.second) for pair in _mixed()]
    sample += sample[::7]
    alone = _shown([equivalence(*pair, budget=60_000) for pair in sample])
    for jobs in (1, 2):
        assert _shown(judge_pairs(sample, jobs=jobs, budget=60_000)) == alone
    assert _shown(judge_pairs(sample[::-1], budget=60_000)) == alone[::-1]


def test_equal_pairs_are_judged_once() -> None:
    pair = parse("∀x P(x)"), parse("∃x P(x)")
    first, second = judge_pairs([pair, pair])
    assert first is second
    assert judge_pairs([]) == []


def test_texts_are_judged_as_the_formulas_they_are_read_as() -> None:
    first, second = "∀x (P(x) → Q(x))", "¬∃x (P(x) ∧ ¬Q(x))"
    texts = [(first, second), (first, "∀x (Q(x) → P(x))"), (first, "∀x (Q(x)"), (first, "Q(x)"), (first, second)]
    for jobs in (1, 2):
        verdicts = judge_texts(texts, jobs=jobs)
        assert [(verdict.outcome.value, verdict.means) for verdict in verdicts] == [
            ("equivalent", "normal_form"),
            ("not_equivalent", "finite_structure"),
            ("invalid", "syntax"),
            ("invalid", "open_formula"),
            ("equivalent", "normal_form"),
        ]


def test_deep_formulas_are_judged_here() -> None:
    deep: Formula = parse("P(a)")
    for _ in range(2_000):
        deep = Not(deep)
    pairs_ = [(deep, parse("P(a)")), (parse("P(a)"), parse("Q(a)")), (parse("P(a)"), parse("P(b)"))]
    assert [verdict.outcome.value for verdict in judge_pairs(pairs_, jobs=2)] == ["equivalent"] + 2 * ["not_equivalent"]


def test_verdicts_do_not_depend_on_the_hash_seed() -> None:
    question = (
        "import sys\n"
        "from tests.property.test_generated_pairs import _mixed, _shown\n"
        "from nlfol.logic.judging import judge_pairs\n"
        "sample = [(pair.first, pair.second) for pair in _mixed()]\n"
        "sys.stdout.write(repr(_shown(judge_pairs(sample, budget=60_000))))\n"
    )

    def answer(seed: str) -> str:
        library, tests = str(Path(nlfol.__file__).parents[1]), str(Path(__file__).parents[2])
        path = os.pathsep.join((library, tests))
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", question]
        return subprocess.run(command, env=environment, capture_output=True, check=True, encoding="utf-8").stdout

    assert len(answer("1")) > 1_000
    assert answer("1") == answer("2")
