"""CPU and peak memory of writing, opening and replaying a journal of scripted answers, each in a process of its own.

    python benchmarks/scale.py [--answers 39000] [--characters 1300]

Answers are of one model to so many distinct requests, with prompts of so many characters. ``append`` writes them to a
journal, ``open`` reads it, and ``replay`` looks all of them up. ``ask`` is a whole job of asking, from the items to the
file of responses, of a model that answers at once (``benchmarks/api.py`` measures the client). A line each: seconds of
CPU, and megabytes at the peak and after a start without answers. ``benchmarks/scoring.py`` measures judging,
explaining and analysing.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import process_time
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.journals import request

from nlfol.asking import chat
from nlfol.asking.asking import Asking, Offered
from nlfol.logic.ontology.ontology import Ontology
from nlfol.models.journal.journal import Journal
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed, JobFiles
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[1]
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


def _measured(stage: str, path: Path, answers: int, characters: int) -> None:
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    STAGES[stage](path, answers, characters)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    print(f"{stage:>8}: {process_time():6.2f} s of CPU, {peak:5.0f} MB, {peak - begun:5.0f} more than at the start")


def main() -> None:
    """Measure each stage in a new process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=39_000)
    parser.add_argument("--characters", type=int, default=1_300)
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scale.jsonl"
        for stage in options.stages:
            process = multiprocessing.get_context("spawn").Process(
                target=_measured, args=(stage, path, options.answers, options.characters)
            )
            process.start()
            process.join()
            if process.exitcode:
                raise SystemExit(f"{stage} failed")
        for file in sorted(Path(folder).glob("*.*")):
            print(f"{file.name:>16}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
