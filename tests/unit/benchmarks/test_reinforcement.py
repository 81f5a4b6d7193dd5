"""Training by GRPO: what is held out, what the policy says, and which way a step of TRL's trainer takes it.

TRL is asked where it is installed: in this environment, or by ``NLFOL_TRL_PYTHON``, an interpreter with this
environment's packages and ``locks/trl.txt``.
"""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from benchmarks.reinforcement import (
    LONGEST,
    WORDS,
    Asked,
    Policy,
    permuted,
    point_of,
    sentences,
    stories,
    trainer_of,
    with_interval,
)
from tests.examples import ROOT

import nlfol

STEP = """
import json, sys
from tests.unit.benchmarks.test_reinforcement import stepped
print(json.dumps([stepped(sign, sys.argv[1]) for sign in (1, 0, -1)]))
"""


@pytest.fixture(scope="module", name="asked")
def some_sentences() -> list[Asked]:
    """Return the sentences of a story."""
    return _asked()


@pytest.fixture(name="torn")
def undecided_policy(asked: list[Asked]) -> Policy:
    """Return a policy that answers a sentence rightly or with a slip, each about as often."""
    pytest.importorskip("torch")
    return _torn(asked)


def _asked() -> list[Asked]:
    ((of_story,), _) = stories(1, 0, 2, Random(1))
    return of_story


def _torn(asked: list[Asked]) -> Policy:
    import torch

    torch.manual_seed(1)
    policy = Policy(asked)
    optimizer = torch.optim.AdamW(policy.model.parameters(), lr=1e-2)
    for _ in range(80):
        policy.loss([asked[0]] * 2, _answers(asked)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    return policy


def _answers(asked: list[Asked]) -> list[str]:
    formula = asked[0].formula
    return [formula, formula.removeprefix("¬") if formula.startswith("¬") else f"¬{formula}"]


def _preference(policy: Policy, asked: list[Asked]) -> float:
    """Return how much likelier the right answer is than the slip, as a mean over tokens of log-probabilities."""
    right, slip = policy.loss([asked[0]] * 2, _answers(asked)).tolist()
    return float(slip - right)


def _pairs(asked: list[list[Asked]]) -> set[tuple[str, ...]]:
    """Return the pairs of words other than ``x`` that stand together in some formula."""
    found = (sorted(set(re.findall(r"\w\w+", each.formula))) for of in asked for each in of)
    return {pair for words in found for pair in combinations(words, 2)}


def test_held_out_sentences_have_pairs_of_words_that_no_learnt_one_has() -> None:
    learnt, held_out = stories(80, 6, 6, Random(1))
    known = _pairs(learnt)
    assert all(_pairs([[each]]) - known for of in held_out for each in of)
    words = {word for pair in known for word in pair}
    assert {word for pair in _pairs(held_out) for word in pair} <= words


def test_policy_can_say_every_right_answer() -> None:
    pytest.importorskip("transformers")
    noun, adjective, name = (words[:2] for words in WORDS)
    (of_story, *_), _ = stories(1, 0, 26, Random(2))
    tokenizer = Policy(of_story).tokenizer
    for each in of_story:
        tokens = tokenizer(each.formula, add_special_tokens=False)["input_ids"]
        assert tokenizer.decode(tokens) == each.formula
        assert len(tokens) < LONGEST
    assert len(list(sentences(noun, adjective, name[0]))) == 26
    assert nlfol.rewards([each.formula for each in of_story], row=[each.row for each in of_story]) == [1] * 26


def test_curve_shows_what_is_sampled(torn: Policy, asked: list[Asked]) -> None:
    point = point_of(torn, [asked[:1]], 40)
    assert 0.1 < point.right < 0.9
    (reward,) = point.rewards
    assert point.right < reward < point.right + 0.4 * (1 - point.right)
    assert with_interval(point.rewards) == f"{reward:.3f} [{reward:.3f}, {reward:.3f}]"  # one story
    low, high = (float(text) for text in re.findall(r"0\.\d+", with_interval([0.0, 1.0] * 50))[1:])
    assert low == pytest.approx(0.4, abs=0.03)
    assert high == pytest.approx(0.6, abs=0.03)


def test_permuted_rewards_are_those_of_the_batch_in_another_order(asked: list[Asked]) -> None:
    texts = [*_answers(asked), "x"] * 4
    rows = [asked[0].row] * len(texts)
    found, moved = nlfol.rewards(texts, row=rows), permuted(Random(1))(texts, row=rows)
    assert sorted(moved) == sorted(found)
    assert moved != found


def stepped(sign: int, folder: str) -> tuple[float, float]:
    """Return what a step adds to the preference for the right answer if rewards are multiplied, and the share right."""
    asked = _asked()
    torn, right = _torn(asked), list[bool]()

    def rewards(completions: Any, **columns: Any) -> list[float]:
        given = nlfol.rewards(completions, **columns)
        right.extend(reward == 1 for reward in given)
        return [sign * reward for reward in given]

    before = _preference(torn, asked)
    trainer_of(torn, asked[:1] * 16, rewards, max_steps=1, warmup_steps=0, seed=1, output_dir=folder).train()
    return _preference(torn, asked) - before, fmean(right)


def test_step_of_trl_moves_policy_towards_what_is_rewarded(tmp_path: Path) -> None:
    python = os.environ.get("NLFOL_TRL_PYTHON") or (sys.executable if find_spec("trl") else None)
    if python is None:
        pytest.skip("trl is not installed, and NLFOL_TRL_PYTHON names no interpreter that has it")
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "workflow/scripts")))
    done = subprocess.run(
        [python, "-c", STEP, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (risen, right), (unmoved, _), (fallen, _) = json.loads(done.stdout.splitlines()[-1])
    assert 0.2 < right < 0.8
    assert fallen < unmoved == 0 < risen
    assert risen - fallen > 0.01
