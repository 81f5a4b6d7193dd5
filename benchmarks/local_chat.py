"""Local dialogue models against transformers' ``generate``: tokens a CPU second, in one run and one process.

    snakemake -c1 results/items/tarski/{logical_translation,most_similar}.arrow results/weights/smollm2-135m
    OMP_NUM_THREADS=1 python benchmarks/local_chat.py [--results results] [--dtype bfloat16] [--requests 32]

Workload: the real prompts of two tasks over Tarski's World, for the embedded model; each task is one call of the back
end, as in a job. All contestants write the same rows: same order, grammars and random streams. They are

- ``loop``: nlfol's own, ``models/local/generation.py``;
- ``prefix``: ``generate`` that is handed the cache of what the prompts of a batch share, and those of one family;
- ``batched``: ``generate`` of whole prompts, padded on the left;
- ``roomy``: ``prefix`` with a cache that is allocated once;
- ``alone``: the same with one prompt after another, on a part of the requests;
- each of them with ``+plain``: PyTorch's own linear layers in place of ``models/local/linear.py``.

They take turns; each rate is the median of the rounds, and each ratio that of the rounds' ratios to the first one.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import torch
import yaml
from transformers import AutoModelForCausalLM, LogitsProcessorList, StoppingCriteriaList
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

from nlfol.asking.asking import usable_items
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local import materialisation
from nlfol.models.local.chat import LocalChat, _ends, _in_order
from nlfol.models.local.generation import Generator
from nlfol.models.local.prefill import common
from nlfol.models.local.row import Row
from nlfol.models.local.sampling import draw
from nlfol.models.request import ChatRequest, Message
from nlfol.models.schema import forbidden
from nlfol.tasks.plan import Setting, Step
from nlfol.tasks.prompts import Prompts
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[1]
MODEL = "smollm2-135m"
TASKS = {"logical_translation": [""], "most_similar": ["formula", "english"]}
Write = Callable[[Sequence[ChatRequest]], list[Row]]
Text = tuple[int, ...]


class Roomy(DynamicLayer):  # type: ignore[misc]
    """Keys and values that are allocated once: transformers' own are copied with every token.

    Args:
        keys: (rows, heads, tokens, width), and values alike: copied.
        room: for further tokens.
    """

    def __init__(self, keys: Any, values: Any, room: int) -> None:
        super().__init__()
        self.lazy_initialization(keys, values)
        self._all = [
            states.new_empty((*states.shape[:2], states.shape[2] + room, states.shape[3])) for states in (keys, values)
        ]
        self.keys, self.values = (states[:, :, :0] for states in self._all)
        self.update(keys, values)

    def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Add states and return all."""
        used = self.keys.shape[2]
        end = used + key_states.shape[2]
        for states, more in zip(self._all, (key_states, value_states), strict=True):
            states[:, :, used:end] = more
        self.keys, self.values = (states[:, :, :end] for states in self._all)
        return self.keys, self.values


class ByTransformers:
    """Writes rows by ``generate``, a batch after another.

    Args:
        model: a causal language model, of full attention where the prefix is shared.
        chat: whose grammars hold the answers.
        shares: whether what the prompts of a batch share is read once.
        chunk: tokens that are read at once, of all prompts together; None is all.
    """

    def __init__(
        self, model: Any, chat: LocalChat, *, shares: bool, roomy: bool = False, chunk: int | None = None
    ) -> None:
        self._model, self._grammars, self._chunk = model, chat.grammars, chunk
        self._shares, self._roomy = shares, roomy
        self._ends = _ends(model, chat.tokenizer)
        self._kept: Text = ()
        self._states = DynamicCache(config=model.config)

    def run(self, rows: Sequence[Row], size: int) -> Iterator[Row]:
        """Yield the rows of each batch when all of them are finished."""
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            self._write(batch)
            yield from batch

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def _write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            row.begin(self._grammars)
        cache, mask, left = self._shared(rows) if self._shares else self._nothing(rows)
        valid, rest = _padded(left)
        self._model.generate(
            # What the cache holds is not looked at again.
            torch.cat([torch.zeros_like(mask, dtype=torch.long), rest], dim=1),
            attention_mask=torch.cat([mask, valid], dim=1).long(),
            past_key_values=cache,
            max_new_tokens=max(row.room for row in rows),
            prefill_chunk_size=max(1, self._chunk // len(rows)) if self._chunk else None,
            do_sample=False,
            # A row says itself when it ends: in a thought, the model's own token may be another's.
            eos_token_id=None,
            logits_processor=LogitsProcessorList([self._drawn(rows)]),
            stopping_criteria=StoppingCriteriaList([lambda *_: torch.tensor([bool(row.finished) for row in rows])]),
        )

    def _nothing(self, rows: Sequence[Row]) -> tuple[Any, Any, list[Text]]:
        texts = [tuple(row.tokens) for row in rows]
        return DynamicCache(config=self._model.config), torch.zeros((len(rows), 0), dtype=torch.bool), texts

    def _shared(self, rows: Sequence[Row]) -> tuple[Any, Any, list[Text]]:
        """States of what the prompts share with all and then with their family, where they are no padding, the rest."""
        texts = [tuple(row.tokens) for row in rows]
        families: dict[object, list[Text]] = {}
        for row, text in zip(rows, texts, strict=True):
            families.setdefault(row.family, []).append(text)
        trunk = self._trunk(texts)
        shared = len(trunk)
        lengths = [max(shared, common(family)) if len(family) > 1 else shared for family in families.values()]
        stems = [family[0][shared:length] for family, length in zip(families.values(), lengths, strict=True)]
        valid, given = _padded(stems)
        mask = torch.cat([torch.ones((len(stems), shared), dtype=torch.bool), valid], dim=1)
        cache = copy.deepcopy(self._states)
        cache.batch_repeat_interleave(len(stems))
        if given.shape[1]:
            places = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, shared:]
            options = {"past_key_values": cache, "position_ids": places, "use_cache": True, "logits_to_keep": 1}
            self._model(given, attention_mask=mask.long(), **options)
        numbers = {family: number for number, family in enumerate(families)}
        chosen = torch.tensor([numbers[row.family] for row in rows])
        left = [text[lengths[numbers[row.family]] :] for row, text in zip(rows, texts, strict=True)]
        if self._roomy:
            room = max(map(len, left)) + max(row.room for row in rows)
            cache = Cache(layers=[Roomy(one.keys[chosen], one.values[chosen], room) for one in cache.layers])
        else:
            cache.batch_select_indices(chosen)
        return cache, mask[chosen], left

    def _trunk(self, texts: Sequence[Text]) -> Text:
        """What all texts begin with, read into states of one row that are kept for the next batch."""
        trunk = texts[0][: common(texts)]
        kept = next((at for at, pair in enumerate(zip(self._kept, trunk, strict=False)) if pair[0] != pair[1]), None)
        kept = min(len(self._kept), len(trunk)) if kept is None else kept
        self._states.crop(kept - len(self._kept))
        if len(trunk) > kept:
            given = torch.tensor([trunk[kept:]])
            self._model(given, past_key_values=self._states, use_cache=True, logits_to_keep=1)
        self._kept = trunk
        return trunk

    def _drawn(self, rows: Sequence[Row]) -> Callable[[Any, Any], Any]:
        """Scores that leave the one token that each row draws."""
        temperatures = torch.tensor([row.request.temperature for row in rows], dtype=torch.float32)
        masses = torch.tensor([row.request.top_p for row in rows], dtype=torch.float64)

        def process(_: Any, logits: Any) -> Any:
            if self._grammars is not None:
                matchers = [row.matcher for row in rows]
                logits.masked_fill_(forbidden(matchers, logits.shape[1], self._ends), float("-inf"))
            tokens = draw(logits, temperatures, masses, torch.tensor([row.word() for row in rows]))
            for row, token in zip(rows, tokens.tolist(), strict=True):
                if not row.finished:
                    row.take(token, self._ends)
            last = torch.tensor([row.written[-1:] or [0] for row in rows])
            return torch.zeros_like(logits).scatter_(1, last, 1.0)

        return process


def _padded(texts: Sequence[Text]) -> tuple[Any, Any]:
    """Where there is no padding, and the tokens, padded on the left: bool and int64 (texts, longest)."""
    width = max(map(len, texts))
    valid = torch.tensor([[False] * (width - len(text)) + [True] * len(text) for text in texts])
    return valid, torch.tensor([[0] * (width - len(text)) + list(text) for text in texts], dtype=torch.long)


def entry(options: argparse.Namespace) -> LocalChatEntry:
    """The embedded model's entry of the default experiment."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"][MODEL]
    changed = {"constrained": not options.free, "batch_size": options.batch_size, "dtype": options.dtype}
    return LocalChatEntry.model_validate(values | changed)


def requests(chat: LocalChat, name: str, options: argparse.Namespace) -> list[ChatRequest]:
    """So many requests of one task, as a job would make them."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["tasks"][name]
    setting = Setting("tarski", 0, (0,), Prompts(ROOT / "resources" / "prompts"))
    plan = build_task(json.dumps({"task": name, **values})).plan(setting)
    items = usable_items(options.results / "items" / "tarski" / f"{name}.arrow")
    top_p = 1.0 if options.temperature == 0 else 0.95
    made = []
    for item, presentation in islice(product(items, TASKS[name]), options.requests):
        step = plan.following(item, presentation, 0, [])
        assert isinstance(step, Step)
        messages = (Message("system", step.system), Message("user", step.user))
        made.append(ChatRequest(chat.identity, messages, step.schema, options.temperature, top_p, options.tokens, 0))
    return made


def contestants(chat: LocalChat, plain: Any, names: Sequence[str], size: int, chunk: int | None) -> dict[str, Write]:
    """What writes the answers to requests, by name."""

    def write(name: str) -> Write:
        manner, _, layers = name.partition("+")
        model = plain if layers == "plain" else chat.model
        if manner == "loop":
            writer: Any = Generator(model, _ends(model, chat.tokenizer), chat.grammars)
        else:
            writer = ByTransformers(model, chat, shares=manner != "batched", roomy=manner == "roomy", chunk=chunk)
        side_by_side = 1 if manner == "alone" else size
        return lambda asked: list(writer.run(_in_order([chat.row(request) for request in asked]), side_by_side))

    return {name: write(name) for name in names}


def measure(writers: dict[str, Write], asked: Sequence[ChatRequest], options: argparse.Namespace) -> Iterator[str]:
    """A line for each contestant: its rate, its ratio to the first one's, and how many answers are equal."""
    some = {name: asked[:: max(1, len(asked) // options.alone)] if "alone" in name else asked for name in writers}
    rates: dict[str, list[float]] = {name: [] for name in writers}
    answers: dict[str, dict[str, list[int]]] = {}
    for write in writers.values():
        write(asked[:2])
    for _ in range(options.rounds):
        for name, write in writers.items():
            start = process_time()
            rows = write(some[name])
            answers[name] = {row.request.key: row.written for row in rows}
            rates[name].append(sum(len(row.written) for row in rows) / (process_time() - start))
    first = next(iter(writers))
    for name, found in answers.items():
        ratios = [one / other for one, other in zip(rates[first], rates[name], strict=True)]
        equal = sum(answers[first][key] == written for key, written in found.items())
        yield (
            f"  {name}: {median(rates[name]):.1f} tokens a CPU second; {first} is {median(ratios):.2f} times as fast"
            f" ({min(ratios):.2f} to {max(ratios):.2f}); {equal} of {len(found)} answers equal token by token"
        )


def main() -> None:
    """Measure both tasks."""
    parser = argparse.ArgumentParser(description="Local dialogue models against generate, as ratios in one run.")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="with items and weights")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--contestants", nargs="+", default=["loop", "prefix", "roomy"])
    parser.add_argument("--requests", type=int, default=32, help="of each task")
    parser.add_argument("--alone", type=int, default=4, help="of them one by one")
    parser.add_argument("--tokens", type=int, default=200, help="written for each request at most")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--chunk", type=int, help="tokens of all prompts that generate reads at once")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--free", action="store_true", help="no grammars")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    weights = options.results / "weights" / MODEL
    chat = LocalChat(entry(options), weights)
    plain = AutoModelForCausalLM.from_pretrained(
        materialisation.weights(weights), dtype=options.dtype, local_files_only=True
    ).eval()
    writers = contestants(chat, plain, options.contestants, options.batch_size, options.chunk)
    for task in options.tasks:
        asked = requests(chat, task, options)
        texts = [tuple(chat.prompt(request)) for request in asked]
        print(
            f"{task}, {options.dtype}: {len(asked)} requests, prompts of {min(map(len, texts))} to "
            f"{max(map(len, texts))} tokens, {common(texts)} of them shared by all",
            flush=True,
        )
        for line in measure(writers, asked, options):
            print(line, flush=True)


if __name__ == "__main__":
    main()
