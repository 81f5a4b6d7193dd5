"""Rewards: how many a second, hostile completions with their time, and what answers earn that game.

    python benchmarks/rewards.py [--rows 40] [--hostile 10000] [--group 16] [--seconds 2]

For each of some sentences of Tarski's World a group of completions as a model samples them: half right, in one of two
notations; three tenths one slip away, of five; the others another sentence, cut off, or prose. Two thirds are distinct.
Hostile ones are of the kinds of ``hostile.py``, all answers to "Every cube is small", graded by the process of a pool.
CPU time is that of one process, less its imports.
"""

import argparse
import json
import os
import random
import resource
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.hostile import GOLD, KINDS, hostile
from benchmarks.typed_distance import drawn, slips
from tests.examples import item

from nlfol.facts import CodingName
from nlfol.harnesses.questions import questions
from nlfol.logic import parse, to_unicode
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.grading import Grader
from nlfol.tasks.item import Item
from nlfol.tasks.rewards import SECONDS, _Worker

ASCII = str.maketrans({"∀": "forall ", "∃": "exists ", "∧": "&", "∨": "|", "→": "->", "↔": "<->"})
HOSTILE_ROW = {**item(GOLD, "Every cube is small.").to_row(), "task": "logical_translation"}


class Graded(NamedTuple):
    """A hostile completion, its reward, and the CPU seconds of the process that graded it."""

    kind: str
    text: str
    reward: float
    seconds: float
    ended: bool
    """True if it ended its process."""


def sampled(rows: list[dict[str, Any]], group: int, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Yield a row and a completion, as a model may write it."""
    for row in rows:
        gold = parse(row["formula"])
        made = (drawn(gold, some, draw) for some in slips(gold, Item.from_row(row).ontology, draw).values())
        near = [to_unicode(formula) for formula in made if formula is not None][:5]
        rest = [draw.choice(rows)["formula"], row["formula"][:-1], "I cannot say.", "∀x"]
        for _ in range(group):
            right = draw.choice([row["formula"], row["formula"].translate(ASCII)])
            text = draw.choices([right, draw.choice(near or rest), draw.choice(rest)], [5, 3, 2])[0]
            yield json.dumps(row), draw.choice([text, json.dumps({"reasoning": "", "answer": text})])


def coded(rows: list[dict[str, Any]]) -> dict[CodingName, float]:
    """Return the highest reward of gold formulas in each code."""
    graders = [(Grader(json.dumps(row)), parse(row["formula"]), Item.from_row(row)) for row in rows]
    return {
        name: max(grader.reward(coding.encoded(gold, item)) for grader, gold, item in graders)
        for name, coding in CODINGS.items()
    }


def graded_alone(texts: Iterable[tuple[str, str]], seconds: float = SECONDS) -> Iterator[Graded]:
    """Yield each text graded as in a pool, by one process that is started again whenever a text ends it."""
    worker, row = _Worker(seconds), json.dumps(HOSTILE_ROW)
    worker.grade(row, [GOLD])
    for kind, text in texts:
        before = _cpu_seconds(worker._started().pid)
        gone = resource.getrusage(resource.RUSAGE_CHILDREN)
        (reward,) = worker.grade(row, [text])
        ended = worker._process is None
        if ended:
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = now.ru_utime + now.ru_stime - gone.ru_utime - gone.ru_stime - before
            worker.grade(row, [GOLD])
        else:
            spent = _cpu_seconds(worker._started().pid) - before
        yield Graded(kind, text, reward, spent, ended)


def _cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process, from proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def texts_of(graded: Iterable[Graded]) -> list[str]:
    """Return the texts."""
    return [each.text for each in graded]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40, help="sentences")
    parser.add_argument("--group", type=int, default=16, help="completions of each")
    parser.add_argument("--hostile", type=int, default=10_000, help="hostile completions")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds for each of these")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    rows = questions("logical_translation", "tarski").rows[: options.rows]
    asked = list(sampled(rows, options.group, draw))
    distinct = dict.fromkeys(asked)
    Grader(json.dumps(rows[0])).reward(rows[0]["formula"])
    start = process_time()
    graders = {row: Grader(row) for row in dict.fromkeys(row for row, _ in asked)}
    values = {(row, text): graders[row].reward(text) for row, text in distinct}
    seconds = process_time() - start
    start = process_time()
    rewards = [graders[row].reward(text) for row, text in asked]
    again = process_time() - start
    assert rewards == [values[pair] for pair in asked]
    print(f"{len(asked)} completions, {len(distinct)} distinct: {len(asked) / seconds:.0f} a second")
    print(f"the same once more: {len(asked) / max(again, 1e-4):.0f} a second")
    print(f"distinct alone: {len(distinct) / seconds:.0f} a second; mean reward {sum(rewards) / len(rewards):.3f}")
    of_codes = coded(rows[:10])
    print("gold in codes, where they earn something:", {name: best for name, best in of_codes.items() if best})
    graded = list(graded_alone(hostile(options.hostile, draw), options.seconds))
    seconds = sum(each.seconds for each in graded)
    print(f"{len(graded)} hostile: {len(graded) / max(seconds, 0.01):.0f} a second")
    limit = 2 * options.seconds + 1  # the system counts whole seconds
    over = [each for each in graded if each.seconds > limit]
    print(f"over {limit:g} CPU seconds: {len(over)}; ended their process: {sum(each.ended for each in graded)}")
    print(f"{'kind':13}{'number':>7}{'reward 1':>9}{'highest of others':>19}{'longest':>9}{'CPU s':>8}")
    for kind in KINDS:
        some = [each for each in graded if each.kind == kind]
        less = max((each.reward for each in some if each.reward < 1), default=0.0)
        right = sum(each.reward == 1 for each in some)
        longest = max(map(len, texts_of(some)), default=0)
        slowest = max((each.seconds for each in some), default=0.0)
        print(f"{kind:13}{len(some):7}{right:9}{less:19.3f}{longest:9}{slowest:8.2f}")
    rewarded = dict.fromkeys((each.kind, each.text) for each in graded if each.reward == 1)
    print(f"rewarded with 1, {len(rewarded)} distinct:", *([kind, text[:90]] for kind, text in rewarded), sep="\n")


if __name__ == "__main__":
    main()
