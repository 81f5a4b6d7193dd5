"""CPU and peak memory of writing, opening and replaying a journal of scripted answers, each in a process of its own.

    python benchmarks/scale.py [--answers 39000] [--characters 1300] [--stages ask] [--rates FILE]
    python benchmarks/scale.py --takes 1000000 --rates docs/scale.json

Answers are of one model to so many distinct requests, with prompts of so many characters. ``append`` writes them to a
journal, ``open`` reads it, and ``replay`` looks all of them up. ``ask`` is a whole job of asking, from the items to the
file of responses, of a model that answers at once (``benchmarks/api.py`` measures the client). A line each: seconds of
CPU, and megabytes at the peak and after a start without answers. ``benchmarks/scoring.py`` measures judging,
explaining and analysing.

``--rates`` adds the figures to a JSON file, as it does there. Of them ``--takes`` computes what so many answers of
eight models to the three tasks take, in hours, gigabytes and money, with the prompts of Tarski's World.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from time import process_time
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
import yaml
from benchmarks import scoring
from benchmarks.journals import request

from nlfol.asking import chat
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.estimates import estimate, gold_completion
from nlfol.asking.questions import dialogues
from nlfol.logic.ontology.ontology import Ontology
from nlfol.models.journal.journal import Journal
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed, JobFiles
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[1]
_MODELS, _JOBS = 8, 24
_OF_JOBS = ("append", "open", "replay", "ask", "judge_answers")
"""Stages that hold what one model was asked in one task."""
_SERVED = re.compile(r"Through nlfol, (\S+) answered ([0-9.]+) requests a second")
_GROUP = 1_000
_IN_FLIGHT = 64
_ITEMS = 500
_SAID = json.dumps({"reasoning": "Every cube that is small is left of b. " * 6, "answer": "∀x (Cube(x) → Small(x))"})


def requests(answers: int, characters: int) -> Iterator[ChatRequest]:
    """Distinct requests."""
    return (request(0, line, characters) for line in range(answers))


def append(path: Path, answers: int, characters: int) -> None:
    """Write the answers, some at a time, as they arrive."""
    group: list[tuple[ChatRequest, ChatReply]] = []
    with Journal(path) as journal:
        for number, each in enumerate(requests(answers, characters), start=1):
            group.append((each, ChatReply(each.key, Ending.ANSWERED, _SAID, finish_reason="stop", prompt_tokens=300)))
            if len(group) == _GROUP or number == answers:
                journal.append(group)
                group = []


def opened(path: Path, *_: int) -> None:
    """Open the journal."""
    Journal(path).close()


def replay(path: Path, answers: int, characters: int) -> None:
    """Look each answer up."""
    with Journal(path) as journal:
        assert all(journal.answered(each.key) for each in requests(answers, characters))


class Instant:
    """A model that answers some requests at once."""

    def __init__(self, identity: str) -> None:
        self.identity = identity

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies, some at a time."""
        while group := [*islice(iter(feed.take, None), _IN_FLIGHT)]:
            yield [ChatReply(each.key, Ending.ANSWERED, _SAID, finish_reason="stop") for each in group]


def ask(path: Path, answers: int, characters: int) -> None:
    """Ask about ``_ITEMS`` sentences under as many seeds as it takes, and write the responses."""
    items = min(_ITEMS, answers)
    seeds = tuple(range(answers // items))
    text = "Every cube that is small is left of b. " * (characters // 39 + 1)
    sentence = Item("", "", "", "∀x (Cube(x) → Small(x))", Ontology((), (), ()), ())
    asked = tuple(replace(sentence, item=str(n), story=str(n), text=f"{n} {text}"[:characters]) for n in range(items))
    task = build_task(json.dumps({"task": "logical_translation", "runs": len(seeds)}))
    entry = OpenaiChatEntry(kind="chat", backend="openai", model="m", api_key_env=None, seeds=seeds)
    asking = Asking(Offered(asked, {}), "scale", "translation", task, "m", "{}", 1, path.with_name("responses.arrow"))
    with patch.object(chat, "open_backend", lambda *_: Instant(entry.identity)):
        chat.ask_chat(asking, entry, ROOT / "resources/prompts", JobFiles(path.with_name("asked.jsonl")), None)


STAGES: dict[str, Callable[[Path, int, int], None]] = {"append": append, "open": opened, "replay": replay, "ask": ask}


def takes(answers: int, rates: dict[str, dict[str, dict[str, float]]], latency: float, concurrency: int) -> None:
    """Print what so many answers take."""
    prompt, completion = _tokens()
    print(
        f"\n| stage | hours | peak of memory |\n|---|--:|--:|\n| API at {latency:g} s, {concurrency} in flight | "
        f"{answers * latency / concurrency / 3_600:.1f} | |"
    )
    for server, rate in _SERVED.findall((ROOT / "docs/adding-a-model.md").read_text(encoding="utf-8")):
        print(f"| {server} on two cores, 135 million weights | {answers / float(rate) / 3_600:.0f} | |")
    for stage, sizes in rates.items():
        small, large = min(map(int, sizes)), max(map(int, sizes))
        first, second, further = sizes[str(small)], sizes[str(large)], max(1, large - small)
        if "cpu" in first:
            # Evidence is found once for each distinct pair: at most by proportion.
            is_of_pairs = small == large or "explain" in stage
            an_answer = first["cpu"] / small if is_of_pairs else max(0.0, second["cpu"] - first["cpu"]) / further
            of_job = answers / _JOBS if stage in _OF_JOBS else answers
            peak = second["peak"] + max(0.0, second["peak"] - first["peak"]) / further * max(0.0, of_job - large)
            print(f"| {stage} | {an_answer * answers / 3_600:.2g} | {peak:.0f} MB |")
    print("\n| on disk | GB |\n|---|--:|")
    for stage, sizes in rates.items():
        size = max(sizes, key=int)
        if "size" in sizes[size]:
            print(f"| {stage} | {sizes[size]['size'] / int(size) * answers / 1e3:.2f} |")
    print(
        f"\n| {prompt:.0f} tokens of prompt and {completion:.0f} of answer, {answers // _MODELS:,} answers of | "
        "money | in batches |\n|---|--:|--:|"
    )
    for known in yaml.safe_load((ROOT / "resources/providers.yaml").read_text(encoding="utf-8")):
        if price := known.get("price"):
            cost = answers / _MODELS * (prompt * price["prompt"] + completion * price["completion"]) / 1e6
            batched = f"{cost * price['batch']:,.0f}" if "batch" in price else "–"
            print(f"| {known['models'][0]} | {cost:,.0f} {price['currency']} | {batched} |")


def _tokens() -> tuple[float, float]:
    """Return the mean tokens of a prompt and of an answer, as ``nlfol`` estimates them, over the three tasks."""
    entry = OpenaiChatEntry(kind="chat", backend="openai", model="m", api_key_env=None, seeds=(1,))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for task, path in scoring.prepare_items(Path(folder), None, 60):
            built = build_task(json.dumps(scoring.ENTRIES[task]))
            asking = Asking(Offered.read(path), "tarski", task, built, "m", "{}", 1, Path(folder) / "r.arrow")
            asked = [*dialogues(asking, entry, ROOT / "resources/prompts", entry.identity)]
            gold = partial(gold_completion, asking)
            found.append(
                estimate(asked, [], all_answers=[], elsewhere=set(), price=None, batch=False, count=None, gold=gold)
            )
    requests = [row["requests"] for row in found]
    prompt = fmean(row["prompt_tokens"] / row["requests"] for row in found)
    return prompt, fmean((row["completion_tokens"] or 0) / count for row, count in zip(found, requests, strict=True))


def _measured(stage: str, path: Path, answers: int, characters: int, rates: Path | None) -> None:
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    STAGES[stage](path, answers, characters)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    scoring.note(rates, stage, answers, cpu=process_time(), peak=peak)
    print(f"{stage:>8}: {process_time():6.2f} s of CPU, {peak:5.0f} MB, {peak - begun:5.0f} more than at the start")


def main() -> None:
    """Measure each stage in a new process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=39_000)
    parser.add_argument("--characters", type=int, default=1_300)
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES))
    parser.add_argument("--rates", type=Path)
    parser.add_argument("--takes", type=int)
    parser.add_argument("--latency", type=float, default=2.0, help="seconds that an API takes for an answer")
    parser.add_argument("--concurrency", type=int, default=64)
    options = parser.parse_args()
    if options.takes:
        if options.rates is None:
            parser.error("--takes needs the --rates that were measured")
        known = json.loads(options.rates.read_text(encoding="utf-8"))
        takes(options.takes, known, options.latency, options.concurrency)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scale.jsonl"
        for stage in options.stages:
            process = multiprocessing.get_context("spawn").Process(
                target=_measured, args=(stage, path, options.answers, options.characters, options.rates)
            )
            process.start()
            process.join()
            if process.exitcode:
                raise SystemExit(f"{stage} failed")
        for file in sorted(Path(folder).glob("*.*")):
            print(f"{file.name:>16}: {file.stat().st_size / 1e6:.1f} MB")
            if file.name == "asked.jsonl":
                scoring.note(options.rates, "journal on disk", options.answers, size=file.stat().st_size / 1e6)


if __name__ == "__main__":
    main()
