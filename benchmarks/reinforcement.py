"""GRPO with ``nlfol.rewards`` and TRL's trainer: a tiny model, and its curve on held-out stories.

    pip install -r locks/trl.txt    # beside requirements.txt; nothing else here needs it
    python benchmarks/reinforcement.py [--steps 400] [--seed 1] [--learning-rate 5e-4] [--permuted]

A story is a signature of two nouns, two adjectives and a name, and sentences that join two or three of them. Words are
in two halves. A story that is learnt from has all its words from one; a held-out one has nouns and name from one and
adjectives from the other, so each of its sentences has two words that no learnt sentence has together. All words
themselves, and all forms of sentences, are learnt.

The policy is a Llama of two layers whose tokens are words. Symbols are the sentence's words, so of the prompt that
``nlfol.dialogue`` gives its chat template shows the sentence alone. It starts from the right answers of learnt stories,
until it gives some of them. From there on it sees rewards alone: GRPO (Shao et al., arXiv 2402.03300, section 4.1),
without a penalty for leaving the first policy. ``--permuted`` permutes the rewards of each batch: a control, from the
same start, that must not rise.

Printed is the mean reward of completions of held-out sentences, drawn at temperature 1, the difference to the start,
both with an interval at 95 % over stories (percentile bootstrap, the difference paired by story), and the share right.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.adapter_words import ADJECTIVES, NOUNS, article

import nlfol
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.tasks.item import Item

WORDS = (NOUNS[:24], ADJECTIVES[:24], ("Ann", "Ben", "Carl", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jon"))
TASK = {"task": "logical_translation", "reasoning": 0}
LONGEST = 18
"""Tokens of a completion; the longest right one has 15."""

_TOKEN = r"\w+|[^\w\s]"
_ANSWER, _END = "[ANSWER]", "[END]"
_TEMPLATE = (
    "{% for message in messages %}{% if message.role == 'user' %}{{ message.content }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}[ANSWER]{% endif %}"
)

Words = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Nouns, adjectives and names."""


class Asked(NamedTuple):
    """A sentence: its row as JSON text, the messages that ask for it, and the gold formula without spaces."""

    row: str
    messages: list[dict[str, str]]
    formula: str


def sentences(kinds: Sequence[str], states: Sequence[str], name: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a story with their formulas; in each an adjective stands beside a noun or the name."""
    of = name.lower()
    for noun in kinds:
        for state in states:
            yield f"Every {noun} is {state}.", f"∀x({noun}(x)→{state}(x))"
            yield f"Some {noun} is {state}.", f"∃x({noun}(x)∧{state}(x))"
            yield f"No {noun} is {state}.", f"¬∃x({noun}(x)∧{state}(x))"
            yield f"Not every {noun} is {state}.", f"¬∀x({noun}(x)→{state}(x))"
            yield f"If {name} is {article(noun)} {noun}, then {name} is {state}.", f"{noun}({of})→{state}({of})"
            yield f"{name} is neither {article(noun)} {noun} nor {state}.", f"¬{noun}({of})∧¬{state}({of})"
    one, other = states
    yield f"{name} is {one} and {other}.", f"{one}({of})∧{other}({of})"
    yield f"{name} is {one} or {other}.", f"{one}({of})∨{other}({of})"


def story(number: int, draw: Random, words: Words, count: int) -> list[Asked]:
    """Return some sentences of a story of these words."""
    kinds, states, name = draw.sample(words[0], 2), draw.sample(words[1], 2), draw.choice(words[2])
    said = {noun: f"{article(noun)} {noun}" for noun in kinds} | {state: state for state in states}
    ontology = Ontology(
        tuple(Predicate(word, 1, f"{{}} is {of}", f"{{}} is not {of}") for word, of in said.items()),
        (),
        (ConstantSymbol(name.lower(), name),),
    )
    asked = []
    for place, (text, formula) in enumerate(draw.sample(list(sentences(kinds, states, name)), count)):
        item = Item(f"s{number}:{place}", f"s{number}", text, formula, ontology, ())
        row = {**item.to_row(), "task": TASK, "seed": 0}
        question = nlfol.dialogue(row)
        assert question is not None
        asked.append(Asked(json.dumps(row), [dict(message) for message in question.messages], formula))
    return asked


def stories(learnt: int, held_out: int, count: int, draw: Random) -> tuple[list[list[Asked]], list[list[Asked]]]:
    """Return stories to learn from, and held-out ones, each with so many sentences."""
    mixed = [draw.sample(words, len(words)) for words in WORDS]
    nouns, adjectives, names = [(words[::2], words[1::2]) for words in mixed]
    of_learnt = [
        story(number, draw, (nouns[number % 2], adjectives[number % 2], names[number % 2]), count)
        for number in range(learnt)
    ]
    return of_learnt, [
        story(number, draw, (nouns[number % 2], adjectives[1 - number % 2], names[number % 2]), count)
        for number in range(learnt, learnt + held_out)
    ]


def tokenizer_of(asked: Sequence[Asked]) -> Any:
    """Return a tokenizer whose tokens are the words and signs of sentences and formulas."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    signs = ["[PAD]", "[UNK]", _ANSWER, _END]
    texts = "".join(each.formula + json.loads(each.row)["text"] for each in asked) + "sentence : "
    found = re.findall(_TOKEN, texts.lower().replace(".", ". "))
    words = dict.fromkeys([*signs, *sorted(set(found))])
    tokens = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, "[UNK]"))
    tokens.normalizer = normalizers.Lowercase()
    tokens.pre_tokenizer = pre_tokenizers.Split(Regex(_TOKEN), "removed", invert=True)
    tokens.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokens,
        pad_token="[PAD]",
        unk_token="[UNK]",
        eos_token=_END,
        additional_special_tokens=[_ANSWER],
        chat_template=_TEMPLATE,
        padding_side="left",
    )


def tiny_model(tokenizer: Any) -> Any:
    """Return a Llama with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    marks = {"pad_token_id": tokenizer.pad_token_id, "bos_token_id": None, "eos_token_id": tokenizer.eos_token_id}
    sizes = {"vocab_size": len(tokenizer), "max_position_embeddings": 64}
    return LlamaForCausalLM(LlamaConfig(tie_word_embeddings=True, **sizes, **shape, **marks))


class Policy:
    """A model, its tokenizer, and what it samples at temperature 1."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.tokenizer = tokenizer_of(asked)
        self.model = tiny_model(self.tokenizer)

    def prompts(self, asked: Sequence[Asked]) -> list[str]:
        """Return what the model sees of each dialogue."""
        return [
            self.tokenizer.apply_chat_template(each.messages, tokenize=False, add_generation_prompt=True)
            for each in asked
        ]

    def loss(self, asked: Sequence[Asked], answers: Sequence[str]) -> Any:
        """Return the mean negative log-probability of the tokens of each answer: a vector."""
        import torch

        texts = [prompt + answer + _END for prompt, answer in zip(self.prompts(asked), answers, strict=True)]
        packed = self.tokenizer(texts, padding=True, add_special_tokens=False, return_tensors="pt")
        ids, seen = packed["input_ids"], packed["attention_mask"]
        answered = (ids == self.tokenizer.convert_tokens_to_ids(_ANSWER)).cumsum(1)[:, :-1] * seen[:, 1:]
        places = (seen.cumsum(1) - 1).clamp(min=0)
        logits = self.model(input_ids=ids, attention_mask=seen, position_ids=places).logits[:, :-1]
        lost = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
        return (lost * answered).sum(1) / answered.sum(1)

    def sampled(self, asked: Sequence[Asked], each: int) -> list[list[float]]:
        """Return the rewards of some completions of each sentence."""
        import torch

        self.model.eval()
        texts = [prompt for prompt in self.prompts(asked) for _ in range(each)]
        packed = self.tokenizer(texts, padding=True, add_special_tokens=False, return_tensors="pt")
        packed.pop("token_type_ids", None)
        with torch.no_grad():
            made = self.model.generate(
                **packed, do_sample=True, temperature=1.0, top_k=0, top_p=1.0, max_new_tokens=LONGEST
            )
        completions = self.tokenizer.batch_decode(made[:, packed["input_ids"].shape[1] :], skip_special_tokens=True)
        rewards = nlfol.rewards(completions, row=[one.row for one in asked for _ in range(each)])
        return [rewards[place : place + each] for place in range(0, len(rewards), each)]

    def warm(self, asked: Sequence[Asked], share: float, draw: Random, most: int = 2_000) -> int:
        """Learn right answers until a share of completions is right; return the number of updates.

        Raises ``RuntimeError`` if ``most`` do not suffice.
        """
        import torch

        optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3, weight_decay=0.0)
        for step in range(most):
            if step % 20 == 0 and step >= 80:
                found = self.sampled(draw.sample(asked, 40), 2)
                if fmean(reward == 1 for rewards in found for reward in rewards) >= share:
                    return step
            some = draw.sample(asked, 32)
            self.model.train()
            self.loss(some, [each.formula for each in some]).mean().backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        raise RuntimeError(f"after {most} updates less than {share:.0%} of the completions are right")


class Point(NamedTuple):
    """A point of the curve: the mean reward of each held-out story, and the share of completions that are right."""

    rewards: list[float]
    right: float


def point_of(policy: Policy, held_out: Sequence[Sequence[Asked]], each: int) -> Point:
    """Return a point of the curve, of so many completions of each sentence."""
    found = iter(policy.sampled([asked for of in held_out for asked in of], each))
    of_stories = [[reward for _ in of for reward in next(found)] for of in held_out]
    right = fmean(reward == 1 for rewards in of_stories for reward in rewards)
    return Point([fmean(rewards) for rewards in of_stories], right)


def with_interval(values: Sequence[float]) -> str:
    """Return the mean of stories' values, with its interval at 95 %."""
    draw = Random(0)
    drawn = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(2_000))
    return f"{fmean(values):.3f} [{drawn[49]:.3f}, {drawn[1949]:.3f}]"


def permuted(draw: Random) -> Callable[..., list[float]]:
    """Return a reward function that permutes the rewards of a batch."""

    def rewards(completions: Sequence[Any], **columns: Any) -> list[float]:
        found = nlfol.rewards(completions, **columns)
        return draw.sample(found, len(found))

    return rewards


def trainer_of(policy: Policy, asked: Sequence[Asked], rewards: Callable[..., list[float]], **arguments: Any) -> Any:
    """Return TRL's trainer; by default a step has 16 sentences with 8 completions each."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    settings: dict[str, Any] = {
        "use_cpu": True,
        "bf16": False,
        "gradient_checkpointing": False,
        "per_device_train_batch_size": 128,
        "num_generations": 8,
        "max_completion_length": LONGEST,
        "loss_type": "grpo",
        "learning_rate": 5e-4,
        "warmup_steps": 10,
        "lr_scheduler_type": "constant_with_warmup",
        "save_strategy": "no",
        "logging_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
    }
    return GRPOTrainer(
        policy.model,
        reward_funcs=rewards,
        args=GRPOConfig(**{**settings, **arguments}),
        train_dataset=Dataset.from_list([{"prompt": each.messages, "row": each.row} for each in asked]),
        processing_class=policy.tokenizer,
    )


def main() -> None:
    """Train, and print the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--every", type=int, default=100, help="steps between two points of the curve")
    parser.add_argument("--warm", type=float, default=0.3, help="share of right completions to start from")
    parser.add_argument("--sentences", type=int, default=16, help="of a step")
    parser.add_argument("--group", type=int, default=8, help="completions of each of these")
    parser.add_argument("--completions", type=int, default=8, help="of a held-out sentence, at each point")
    parser.add_argument("--learning-rate", type=float, default=5e-4)
    parser.add_argument("--permuted", action="store_true", help="permute the rewards of each batch")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import torch
    from transformers import TrainerCallback, set_seed

    torch.set_num_threads(1)  # more threads wait for one another on a busy machine
    set_seed(options.seed)
    draw, start = Random(options.seed), process_time()
    learnt, held_out = stories(160, 24, 6, draw)
    asked = [each for of in learnt for each in of]
    policy = Policy([*asked, *(each for of in held_out for each in of)])
    updates = policy.warm(asked, options.warm, draw)
    size = sum(each.numel() for each in policy.model.parameters())

    first = point_of(policy, held_out, options.completions).rewards

    def show(step: int) -> None:
        point = point_of(policy, held_out, options.completions)
        risen = [now - before for now, before in zip(point.rewards, first, strict=True)]
        print(
            f"step {step}: held-out reward {with_interval(point.rewards)}, risen by {with_interval(risen)}, "
            f"right {point.right:.3f}; {process_time() - start:.0f} CPU s",
            flush=True,
        )

    print(f"{size} parameters; {updates} updates before, {process_time() - start:.0f} CPU s", flush=True)
    show(0)

    class Curve(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
            if state.global_step % options.every == 0:
                show(state.global_step)

    rewards = permuted(draw) if options.permuted else nlfol.rewards
    with tempfile.TemporaryDirectory() as folder:
        limits = {
            "num_generations": options.group,
            "learning_rate": options.learning_rate,
            "max_steps": options.steps,
            "seed": options.seed,
            "output_dir": folder,
        }
        limits["per_device_train_batch_size"] = options.sentences * options.group
        trainer = trainer_of(policy, asked, rewards, **limits)
        trainer.add_callback(Curve())
        trainer.train()


if __name__ == "__main__":
    main()
