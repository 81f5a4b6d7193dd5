"""Rewards of answers that game ``nlfol.rewards``, in each kind of task, beside those of an honest one.

    python benchmarks/reward_games.py [--rows 20]

Each game is played on the same rows of a task's first dataset. Honest answers are right: gold's place or order, else
those of the reader. Symbols of gold are its formula with its names in other orders, up to 24. Of the gaming file each
answer is a game, and the best one is shown. A figure is the mean reward over rows and, in a row, a game's texts.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.harnesses import right_replies
from benchmarks.hostile import GAMES

import nlfol
from nlfol.harnesses.questions import questions
from nlfol.logic import parse
from nlfol.tasks.grading import Grader

KINDS = (
    *("logical_translation", "most_similar", "ranking", "verification", "question_answering", "program"),
    "ontology_extraction",
)
"""Kinds of task that have rewards."""
PLAYED = ("honest", "silence", "prompt", "tautology", "contradiction", "symbols of gold", "gaming file")
_NAMES = re.compile(r"\b[^\W\d]\w+|\b[a-t]\b")


def ordered(formula: str, most: int = 24) -> Iterator[str]:
    """Yield a formula with its names in other orders, less those that have the same tree."""
    names = list(dict.fromkeys(_NAMES.findall(formula)))
    for order in islice(permutations(names), 1, most + 1):
        changed = dict(zip(names, order, strict=True))
        text = _NAMES.sub(lambda found, changed=changed: changed[found[0]], formula)  # type: ignore[misc]
        if parse(text) is not parse(formula):
            yield text


def games(row: dict[str, Any]) -> dict[str, list[str]]:
    """Return the texts of each game but those of the gaming file, for a row."""
    question = nlfol.dialogue(row)
    assert question is not None
    said = [message["content"] for message in question.messages]
    is_formula = row["task"]["task"] not in ("question_answering", "program")
    some = row["formula"] if is_formula else "Cube(a)"  # gold is a label there: "true or not true" says it
    return {
        "silence": ["", " ", "{}", answered("")],
        "prompt": [said[-1], "\n\n".join(said), answered(said[-1]), answered(row["text"])],
        "tautology": [answered(f"({some}) → ({some})"), f"({some}) ∨ ¬({some})", answered("⊤")],
        "contradiction": [answered(f"({some}) ∧ ¬({some})"), answered("⊥")],
        "symbols of gold": [answered(text) for text in ordered(row["formula"])] if is_formula else [],
    }


def honest(row: dict[str, Any]) -> str:
    """Return a right answer."""
    question = nlfol.dialogue(row)
    assert question is not None
    roles = [row["candidates"][place]["role"] for place in question.order]
    kind = row["task"]["task"]
    if kind == "most_similar":
        return answered(1 + roles.index("gold"))
    if kind == "ranking":
        ranks = [0 if role in ("gold", "equivalent") else 2 if role.startswith("negation") else 1 for role in roles]
        return answered([1 + place for place in sorted(range(len(roles)), key=ranks.__getitem__)])
    return right_replies(row)[0]


def answered(answer: Any) -> str:
    """Return an answer in the agreed form of most tasks."""
    return json.dumps({"reasoning": "", "answer": answer}, ensure_ascii=False)


def rewards_of(kind: str, rows: int) -> dict[str, float]:
    """Return the mean reward of each game in a kind of task; of the file's, that of the best."""
    cases = yaml.safe_load(GAMES.read_text(encoding="utf-8"))
    of_kind = "own ontology" if kind == "ontology_extraction" else kind.replace("_", " ")
    earned: dict[str, list[float]] = {}
    asked = questions(kind).rows
    for number, row in enumerate(asked[:: max(1, len(asked) // rows)][:rows]):
        row["seed"] = number  # other orders of the candidates
        grader = Grader(json.dumps(row))
        played = {"honest": [honest(row)], **games(row)}
        for place, answer in enumerate(cases[of_kind]["answers"]):
            text = json.dumps(answer) if isinstance(answer, dict) else answered(answer)
            played[f"gaming file {place}"] = [text]
        for game, texts in played.items():
            if texts:
                earned.setdefault(game, []).append(fmean(map(grader.reward, texts)))
    means = {game: fmean(rewards) for game, rewards in earned.items()}
    filed = [mean for game, mean in means.items() if game.startswith("gaming file")]
    return {game: mean for game, mean in means.items() if game in PLAYED} | {"gaming file": max(filed)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20, help="of each kind of task")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    print(f"{'':20}", *(f"{game:>15}" for game in PLAYED))
    for kind in options.kinds:
        found = rewards_of(kind, options.rows)
        print(f"{kind:20}", *(f"{found[game]:15.3f}" if game in found else f"{'':>15}" for game in PLAYED), flush=True)


if __name__ == "__main__":
    main()
