"""GRPO with ``nlfol.rewards``: SmolLM2-135M with the everyday adapter, and its curve on held-out stories.

    python benchmarks/reinforcement.py --weights results/weights/smollm2-135m [--steps 30] [--seed 1]

The weights are those that the default experiment makes (``nlfol run``). A story is a signature of two nouns, two
adjectives and a name, whose symbols are shortened; its sentences join two of them. No noun or adjective of a held-out
story is in one that is learnt from. Each step draws sentences and a group of completions of each, at temperature 1;
their advantage is the reward less the group's mean, over its standard deviation (Shao et al., arXiv 2402.03300, section
4.1), without a penalty for leaving the reference model. As each step is one update, ratios of probabilities are 1, and
nothing is clipped. Printed is the mean reward of completions of held-out sentences, drawn at temperature 1 as well,
with an interval at 95 % over stories (bootstrap).
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.adapter_words import ADJECTIVES, NOUNS, article, plural

import nlfol
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.models.local import loading
from nlfol.tasks.item import Item
from nlfol.training.lora import Encoded, collate

ADAPTER = Path(__file__).parents[1] / "resources/adapters/everyday"
NAMES = ("Ann", "Ben", "Carl", "Dora", "Emil", "Fay", "Gus", "Hal")
LONGEST = 32
"""Tokens of a completion; the right ones have some 20."""


AT_ONCE = 8
"""Prompts whose completions are drawn together."""


class Sampled(NamedTuple):
    """Completions of one prompt, each with the token that ends it, and their rewards."""

    prompt: list[int]
    completions: list[list[int]]
    rewards: list[float]


def story(number: int, draw: Random, nouns: Sequence[str], adjectives: Sequence[str]) -> list[str]:
    """Return the rows of a story, as JSON texts."""
    kinds, states, name = draw.sample(nouns, 2), draw.sample(adjectives, 2), draw.choice(NAMES)
    length = draw.choice([3, 4, 20])
    symbol = {word: word[:length].capitalize() for word in (*kinds, *states)}
    if len(set(symbol.values())) < len(symbol):
        symbol = {word: word.capitalize() for word in symbol}
    said = {noun: f"{article(noun)} {noun}" for noun in kinds} | {state: state for state in states}
    ontology = Ontology(
        tuple(Predicate(symbol[word], 1, f"{{}} is {of}", f"{{}} is not {of}") for word, of in said.items()),
        (),
        (ConstantSymbol(name.lower(), name),),
    )
    rows = []
    for place, (text, formula) in enumerate(_sentences(kinds, states, name, symbol)):
        item = Item(f"s{number}:{place}", f"s{number}", text, formula, ontology, ())
        rows.append(json.dumps({**item.to_row(), "task": "logical_translation", "seed": 0}))
    return rows


def _sentences(
    kinds: Sequence[str], states: Sequence[str], name: str, symbol: dict[str, str]
) -> Iterator[tuple[str, str]]:
    of, (one, other), (first, second) = name.lower(), states, kinds
    for noun in kinds:
        p, q = symbol[noun], symbol[one]
        yield f"Every {noun} is {one}.", f"∀x ({p}(x) → {q}(x))"
        yield f"Some {plural(noun)} are {one}.", f"∃x ({p}(x) ∧ {q}(x))"
        yield f"No {noun} is {one}.", f"¬∃x ({p}(x) ∧ {q}(x))"
    p, q, r, s = symbol[first], symbol[second], symbol[one], symbol[other]
    yield f"Not every {first} is {other}.", f"¬∀x ({p}(x) → {s}(x))"
    yield f"{name} is {one} and {other}.", f"{r}({of}) ∧ {s}({of})"
    yield f"If {name} is {article(second)} {second}, then {name} is {other}.", f"{q}({of}) → {s}({of})"
    yield f"{name} is neither {article(first)} {first} nor {one}.", f"¬{p}({of}) ∧ ¬{r}({of})"


def stories(learnt: int, held_out: int, draw: Random) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of stories to learn from and of held-out ones, which share no noun and no adjective."""
    nouns, adjectives = draw.sample(NOUNS, len(NOUNS)), draw.sample(ADJECTIVES, len(ADJECTIVES))
    of_learnt = [story(number, draw, nouns[24:], adjectives[20:]) for number in range(learnt)]
    return of_learnt, [story(learnt + number, draw, nouns[:24], adjectives[:20]) for number in range(held_out)]


def advantages(rewards: Sequence[float]) -> list[float]:
    """Return each reward less the mean, over the standard deviation; zeros if all are equal."""
    mean, deviation = fmean(rewards), pstdev(rewards)
    return [(reward - mean) / deviation if deviation else 0.0 for reward in rewards]


class Policy:
    """A model with an adapter that learns, on the CPU or, where there is one, a CUDA device."""

    def __init__(self, weights: Path, learning_rate: float) -> None:
        import torch
        from peft import PeftModel

        self.torch, self.tokenizer = torch, loading.load_tokenizer(weights, str(weights))
        base = loading.load_model(weights, torch.float32, cuda=torch.cuda.is_available())
        self.model: Any = PeftModel.from_pretrained(base, ADAPTER, is_trainable=True)
        self.model.eval()  # the adapter has no dropout, so nothing else changes
        learnt = [each for each in self.model.parameters() if each.requires_grad]
        self.ends = loading.end_tokens(base, self.tokenizer, str(weights))
        self.pad = min(self.ends)
        self.optimizer = torch.optim.AdamW(learnt, lr=learning_rate, weight_decay=0.0)

    def sample(self, rows: Sequence[str], group: int) -> list[Sampled]:
        """Return a group of completions of each row, all drawn at once; a prompt is computed once for its group."""
        torch, prompts = self.torch, [self._prompt(row) for row in rows]
        longest = max(map(len, prompts))
        ids = torch.tensor([[self.pad] * (longest - len(prompt)) + prompt for prompt in prompts])
        seen = torch.tensor([[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        ids, seen = ids.to(self.model.device), seen.to(self.model.device)
        with torch.no_grad():
            cache = self.model(
                input_ids=ids[:, :-1],
                attention_mask=seen[:, :-1],
                position_ids=(seen.cumsum(1) - 1).clamp(min=0)[:, :-1],
                use_cache=True,
                logits_to_keep=1,
            ).past_key_values
            cache.batch_repeat_interleave(group)
            made = self.model.generate(
                input_ids=ids.repeat_interleave(group, 0),
                attention_mask=seen.repeat_interleave(group, 0),
                past_key_values=cache,
                do_sample=True,
                temperature=1.0,
                top_p=1.0,
                top_k=0,
                max_new_tokens=LONGEST,
                pad_token_id=self.pad,
            )
        completions = [self._ended(tokens) for tokens in made[:, longest:].tolist()]
        texts = self.tokenizer.batch_decode(completions, skip_special_tokens=True)
        rewards = nlfol.rewards(texts, row=[row for row in rows for _ in range(group)])
        places = range(0, len(texts), group)
        return [
            Sampled(prompt, completions[place : place + group], rewards[place : place + group])
            for prompt, place in zip(prompts, places, strict=True)
        ]

    def _prompt(self, row: str) -> list[int]:
        question = nlfol.dialogue(json.loads(row))
        assert question is not None
        turns = [dict(message) for message in question.messages]
        text = self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        tokens: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def _ended(self, tokens: list[int]) -> list[int]:
        last = next((place for place, token in enumerate(tokens) if token in self.ends), len(tokens))
        return tokens[: last + 1]

    def learn(self, sampled: Sequence[Sampled]) -> None:
        """Make one update: up the mean over tokens of log-probability times the completion's advantage."""
        torch = self.torch
        count = sum(len(tokens) for part in sampled for tokens in part.completions)
        for part in sampled:
            if not any(advantages(part.rewards)):
                continue
            # Those that are alike are computed once; their advantages are equal, too.
            weights: dict[tuple[int, ...], float] = {}
            for tokens, advantage in zip(part.completions, advantages(part.rewards), strict=True):
                weights[tuple(tokens)] = weights.get(tuple(tokens), 0.0) + advantage
            packed = collate([Encoded((*part.prompt, *tokens), len(part.prompt)) for tokens in weights])
            labels = packed.pop("labels")[0]
            packed.pop("shift_labels")
            logits = self.model(**{name: value.to(self.model.device) for name, value in packed.items()}).logits[0]
            of_token = torch.cat([torch.full((len(tokens),), weight) for tokens, weight in weights.items()])
            lost = torch.nn.functional.cross_entropy(logits, labels.to(logits.device), reduction="none")
            ((lost * of_token.to(logits.device)).sum() / count).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()


class Point(NamedTuple):
    """The mean reward on held-out stories after some steps, its interval at 95 %, and the share that is right."""

    step: int
    reward: float
    low: float
    high: float
    right: float


def tested(policy: Policy, held_out: Sequence[Sequence[str]], group: int, step: int, draw: Random) -> Point:
    """Return a point of the curve."""
    of_stories: list[list[float]] = [[] for _ in held_out]
    owners = [number for number, rows in enumerate(held_out) for _ in rows]
    all_rows = [row for rows in held_out for row in rows]
    for place in range(0, len(all_rows), AT_ONCE):
        for owner, part in zip(owners[place:], policy.sample(all_rows[place : place + AT_ONCE], group), strict=False):
            of_stories[owner] += part.rewards
    means = [fmean(rewards) for rewards in of_stories]
    drawn = sorted(fmean(draw.choices(means, k=len(means))) for _ in range(2_000))
    right = fmean(reward == 1 for rewards in of_stories for reward in rewards)
    return Point(step, fmean(means), drawn[49], drawn[1949], right)


def main() -> None:
    """Train, and print the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder of the model, as the workflow makes it")
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--every", type=int, default=8, help="steps between two points of the curve")
    parser.add_argument("--prompts", type=int, default=2, help="sentences of a step")
    parser.add_argument("--group", type=int, default=8, help="completions of each")
    parser.add_argument("--held-out", type=int, default=8, help="stories")
    parser.add_argument("--sentences", type=int, default=2, help="tested sentences of each of these")
    parser.add_argument("--tested", type=int, default=4, help="completions of each of these")
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import torch
    from transformers import set_seed

    torch.set_num_threads(1)  # more threads wait for one another on a busy machine
    draw = Random(options.seed)
    learnt, apart = stories(40, options.held_out, draw)
    apart = [draw.sample(rows, options.sentences) for rows in apart]
    set_seed(options.seed)
    policy = Policy(options.weights, options.learning_rate)
    rows = [row for rows in learnt for row in rows]
    start, cpu = time.monotonic(), time.process_time()
    for step in range(options.steps + 1):
        if step % options.every == 0:
            point = tested(policy, apart, options.tested, step, Random(0))
            print(
                f"step {step}: held-out reward {point.reward:.3f} [{point.low:.3f}, {point.high:.3f}], "
                f"right {point.right:.3f}; {time.process_time() - cpu:.0f} CPU s, {time.monotonic() - start:.0f} s",
                flush=True,
            )
        if step < options.steps:
            sampled = policy.sample(draw.sample(rows, options.prompts), options.group)
            policy.learn(sampled)
            print(f"  {step + 1}: {fmean(reward for part in sampled for reward in part.rewards):.3f}", flush=True)


if __name__ == "__main__":
    main()
