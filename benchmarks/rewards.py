"""Rewards: how many a second, hostile completions with their time, and what answers earn that game.

    python benchmarks/rewards.py [--rows 40] [--hostile 1000] [--group 16]

For each of some sentences of Tarski's World a group of completions as a model samples them: half right, in one of two
notations; three tenths one slip away, of five; the others another sentence, cut off, or prose. So a third are distinct.
Hostile ones are nested, repeated, mutated and spliced texts of up to 200,000 characters, and proofs that are hard.
CPU time is that of one process, less its imports.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.typed_distance import drawn, slips

from nlfol.facts import CodingName
from nlfol.harnesses.questions import questions
from nlfol.logic import parse, to_unicode
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.grading import Grader, limited, listen
from nlfol.tasks.item import Item
from nlfol.tasks.rewards import SECONDS, Pool

ASCII = str.maketrans({"∀": "forall ", "∃": "exists ", "∧": "&", "∨": "|", "→": "->", "↔": "<->"})
UNITS = (
    *("(", ")", "∀x ", "¬", "∃y(", "P(x) ∧ ", "{", '"answer": ', "[", "\n", " ", "Cube(x) ↔ ", "\\forall ", "<think>"),
    *("⊤", "=", "\ud800", "\0", "f(", "```"),
)


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


def hostile(count: int, draw: random.Random, most: int = 200_000) -> Iterator[str]:
    """Yield texts that try to raise an error, or to take long."""
    hard = [_pigeons(number) for number in (3, 5, 7, 9)]
    deep = ["∀x" * 2_000 + "Cube(x)", "¬" * 6_000 + "Cube(b)", "(" * 9_000 + "Cube(b)" + ")" * 9_000]
    yield from (hard + deep)[:count]
    for _ in range(count - len(hard + deep)):
        units = draw.sample(UNITS, draw.randint(1, 4))
        length = round(10 ** draw.uniform(0, 5.3))
        text = "".join(draw.choices(units, k=draw.randint(1, 12)))
        text = (text * (1 + length // len(text)))[:length]
        formula = draw.choice(["∀x (Tet(x) → Small(x))", "∃x ∀y ¬(Cube(x) ↔ (Small(y) ⊕ Cube(y)))"])
        place = draw.randrange(len(formula))
        yield draw.choice([text, formula + text, formula[:place] + text[:200] + formula[place:]])[:most]


def _pigeons(number: int) -> str:
    """Return that so many blocks and one more do not fit: ever harder to prove."""
    names = [f"c{place}" for place in range(number + 1)]
    somewhere = [" ∨ ".join(f"In{hole}({name})" for hole in range(number)) for name in names]
    alone = [
        f"¬(In{hole}({one}) ∧ In{hole}({other}))"
        for hole in range(number)
        for place, one in enumerate(names)
        for other in names[:place]
    ]
    return " ∧ ".join([*(f"({text})" for text in somewhere), *alone])


def coded(rows: list[dict[str, Any]]) -> dict[CodingName, float]:
    """Return the highest reward of gold formulas in each code."""
    graders = [(Grader(json.dumps(row)), parse(row["formula"]), Item.from_row(row)) for row in rows]
    return {
        name: max(grader.reward(coding.encoded(gold, item)) for grader, gold, item in graders)
        for name, coding in CODINGS.items()
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40, help="sentences")
    parser.add_argument("--group", type=int, default=16, help="completions of each")
    parser.add_argument("--hostile", type=int, default=1000, help="hostile completions")
    options = parser.parse_args()
    draw = random.Random(7)
    rows = questions("logical_translation", "tarski").rows[: options.rows]
    asked = list(sampled(rows, options.group, draw))
    distinct = dict.fromkeys(asked)
    Grader(json.dumps(rows[0])).reward(rows[0]["formula"])
    start = process_time()
    graders = {row: Grader(row) for row in dict.fromkeys(row for row, _ in asked)}
    values = {(row, text): graders[row].reward(text) for row, text in distinct}
    seconds = process_time() - start
    rewards = [values[pair] for pair in asked]
    print(f"{len(asked)} completions, {len(distinct)} distinct: {len(asked) / seconds:.0f} a second")
    print(f"distinct alone: {len(distinct) / seconds:.0f} a second; mean reward {sum(rewards) / len(rewards):.3f}")
    of_codes = coded(rows[:10])
    print("gold in codes, where they earn something:", {name: best for name, best in of_codes.items() if best})
    times = []
    listen()
    grader = Grader(json.dumps(rows[0]))
    texts = list(hostile(options.hostile, draw))
    for text in texts:
        start = process_time()
        limited(grader, text, SECONDS)
        times.append((process_time() - start, len(text), text[:40]))
    print(f"longest of hostile completions, CPU seconds of {SECONDS:g}, characters:", *sorted(times)[-3:], sep="\n")
    pool = Pool(1)
    found = pool.rewards(texts, row=[json.dumps(rows[0])] * len(texts))
    print(f"in the pool: {len(found)} of {len(texts)}, the highest {max(found, default=0):.3f}")


if __name__ == "__main__":
    main()
