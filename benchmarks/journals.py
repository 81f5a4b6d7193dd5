"""A job's opening beside the journals of many others of its model, and its claims under way.

    python benchmarks/journals.py [--journals 50] [--lines 20000] [--characters 1500]

Each journal has so many lines, of prompts of so many characters. Seconds to open the own journal, to index the others
(once, where an answer is missing in the own one), to look up as many answers in them, to claim as many requests at
once, and one request more; with the megabytes of the files, and of memory for the index.

Measured, of 2.2 GB: 1.1 seconds to open, 1.2 to index (133 MB), 2.0 to look up 20,000 answers, 0.04 to claim 20,000
requests, 0.6 milliseconds for one more.

``append_ratio`` is the CPU time of appending chained lines over that of lines without a chain, each the least of five.
"""

import argparse
import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from unittest.mock import patch

from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import checked
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message


def request(journal: int, line: int, characters: int) -> ChatRequest:
    """A request like no other."""
    text = f"{journal} {line} ".ljust(characters, "x")
    return ChatRequest("model", (Message("user", text),), {"type": "object"}, 0.7, 0.95, 300, 3)


def memory() -> float:
    """The megabytes that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def append_ratio(folder: Path, asked: list[ChatRequest]) -> float:
    """The CPU time of appending chained lines over that of the others."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    replies = [(each, ChatReply(each.key, Ending.ANSWERED, "an answer")) for each in asked]
    for chained in (True, False) * 5:
        alone = patch("nlfol.models.journal.journal.checked", lambda content, _: checked(content))
        with (
            TemporaryDirectory(dir=folder) as name,
            nullcontext() if chained else alone,
            Journal(Path(name, "j")) as kept,
        ):
            start = process_time()
            kept.append(replies)
            seconds[chained].append(process_time() - start)
    return round(min(seconds[True]) / min(seconds[False]), 3)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--journals", type=int, default=50)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--characters", type=int, default=1_500)
    arguments = parser.parse_args()
    figures: dict[str, float] = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        start = perf_counter()
        yield
        figures[name] = round(perf_counter() - start, 4)

    def requests(journal: int) -> Iterator[ChatRequest]:
        return (request(journal, line, arguments.characters) for line in range(arguments.lines))

    with TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(arguments.journals + 1):
            with Journal(folder / f"{number:03}.jsonl") as journal:
                journal.append((each, ChatReply(each.key, Ending.ANSWERED, "an answer")) for each in requests(number))
        figures["append_ratio"] = append_ratio(folder, list(requests(-2)))
        figures["megabytes"] = round(sum(path.stat().st_size for path in folder.iterdir()) / 1e6)
        with timed("open"):
            journal = Journal(folder / "000.jsonl")
        before = memory()
        with journal:
            with timed("index"):
                assert journal.answered("0" * 64) is None
            figures["index_megabytes"] = round(memory() - before)
            found = [each.key for each in requests(1)]
            with timed("look_up"):
                assert all(map(journal.answered, found))
            new = [each.key for each in requests(-1)]
            with timed("claim"):
                assert len(journal.claim(new)) == arguments.lines
            with timed("claim_one"):
                assert journal.claim(["1" * 64])
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
