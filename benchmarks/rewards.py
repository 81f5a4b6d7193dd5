"""Rewards: how many a second, hostile completions with their time, and what answers earn that game.

    python benchmarks/rewards.py [--rows 40] [--hostile 10000] [--group 16] [--seconds 2]

For each of some sentences of Tarski's World a group of completions, as models give them. Of 83,093 released answers of
models to 11,961 sentences of FOLIO .49 are distinct, blanks apart (``released_programs.py groups``), and .27 once their
names are exchanged, in order, for those of the gold formula. Here half are: each completion is new with probability
NEW / (NEW + those before it), else one of those. New ones are of the KINDS_OF_NEW, their shares among the distinct of
these answers with exchanged names; .04 are in another notation. Other sentences are graded with each completion in an
object, whose reasoning no other has: all texts are distinct, and formulas recur.
Hostile ones are of the kinds of ``hostile.py``, all answers to "Every cube is small", graded by the process of a pool.
CPU time is that of one process, less its imports.
"""

import argparse
import gc
import json
import os
import random
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
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
from nlfol.logic.rewriting import rewrites
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.grading import Grader
from nlfol.tasks.item import Item
from nlfol.tasks.rewards import SECONDS, Pool, _Worker

NEW = 7
"""Weight of a new completion against each one before it."""
KINDS_OF_NEW = {"outside": 0.61, "right": 0.2, "slip": 0.08, "two slips": 0.08, "unread": 0.03}
"""Wrong ones are outside the given symbols, or so many slips away; unread ones are cut off or prose."""
OTHER_NOTATION = 0.04
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
    """Yield a row and a completion, as models may write it."""
    for row in rows:
        said: list[str] = []
        for _ in range(group):
            is_new = draw.random() * (NEW + len(said)) < NEW
            said.append(_new(row, draw) if is_new else draw.choice(said))
            yield json.dumps(row), said[-1]


def _new(row: dict[str, Any], draw: random.Random) -> str:
    gold, ontology = parse(row["formula"]), Item.from_row(row).ontology
    kind = draw.choices(list(KINDS_OF_NEW), list(KINDS_OF_NEW.values()))[0]
    formula = draw.choice([gold, *(rewrite.formula for rewrite in rewrites(gold))])
    for _ in range(("slip", "two slips").index(kind) + 1 if "slip" in kind else 0):
        made = [slip for some in slips(formula, ontology, draw).values() for slip in some]
        formula = drawn(gold, made, draw) or formula
    text = to_unicode(formula)
    if kind == "outside":
        name = draw.choice(sorted(name for name, _ in formula.profile.named("predicate")))
        text = text.replace(f"{name}(", f"{draw.choice(('Is', 'A', 'Very', 'Some'))}{name}(")
    elif kind == "unread":
        text = draw.choice([text[:-1], "I cannot say.", "∀x"])
    return text.translate(ASCII) if draw.random() < OTHER_NOTATION else text


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


def through_pool(asked: Sequence[tuple[str, str]], again: int = 20) -> tuple[float, float]:
    """Return the CPU seconds of this process and a pool's one for some completions, and for the same once more."""
    pool = Pool(1)
    pool._workers.put(worker := pool._workers.get())
    worker.grade(asked[0][0], [""])
    seconds = []
    for times in (1, again):
        start = process_time() + _cpu_seconds(worker._started().pid)
        for _ in range(times):
            pool.rewards([text for _, text in asked], row=[row for row, _ in asked])
        seconds.append((process_time() + _cpu_seconds(worker._started().pid) - start) / times)
    return seconds[0], seconds[1]


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
    rows, others = (
        (listed := questions("logical_translation", "tarski").rows)[: options.rows],
        listed[-options.rows :],
    )
    asked = list(sampled(rows, options.group, draw))
    reasoned = [
        (row, json.dumps({"reasoning": f"Step {number}.", "answer": text}))
        for number, (row, text) in enumerate(sampled(others, options.group, draw))
    ]
    Grader(json.dumps(rows[0])).reward(rows[0]["formula"])
    gc.freeze()  # as a pool's process does
    for name, completions in (("texts", asked), ("objects with reasoning", reasoned)):
        distinct = dict.fromkeys(completions)
        start = process_time()
        graders = {row: Grader(row) for row in dict.fromkeys(row for row, _ in completions)}
        values = {(row, text): graders[row].reward(text) for row, text in distinct}
        seconds = process_time() - start
        rewards = [values[pair] for pair in completions]
        print(f"{len(completions)} {name}, {len(distinct)} distinct: {len(completions) / seconds:.0f} a second")
        print(f"  distinct: {len(distinct) / seconds:.0f} a second; mean reward {sum(rewards) / len(rewards):.3f}")
    for name, seconds in zip(("new", "again"), through_pool(asked), strict=True):
        print(f"texts through a pool's process, {name}: {len(asked) / seconds:.0f} a second")
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
