"""CPU and peak memory of writing, opening and replaying a journal of scripted answers, each in a process of its own.

    python benchmarks/scale.py [--answers 39000] [--characters 1300]

Answers are of one model to so many distinct requests, with prompts of so many characters. ``append`` writes them to a
journal, ``open`` reads it, and ``replay`` looks all of them up. A line each: seconds of
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
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.journals import request

from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatReply, ChatRequest, Ending

_GROUP = 1_000
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


STAGES: dict[str, Callable[[Path, int, int], None]] = {"append": append, "open": opened, "replay": replay}


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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scale.jsonl"
        for stage in STAGES:
            process = multiprocessing.get_context("spawn").Process(
                target=_measured, args=(stage, path, options.answers, options.characters)
            )
            process.start()
            process.join()
            if process.exitcode:
                raise SystemExit(f"{stage} failed")
        print(f"{'file':>8}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
