"""Surface cues that give certified pairs away to a verifier that looks at no meaning: length, and size of the change.

    python benchmarks/verification_cues.py [--count 40]

For each set of ``config/round_trip.yaml``, grown to so many items a value: the share of pairs that the best rule of the
form "equivalent if at least (or at most) so much" tells, where 0.5 is chance. The rules go by the difference in length
between the two sentences, in characters, and by the share of characters that they have in common (difflib's ratio).
Beside the pairs as they are made (an edit of what the law made) stand those with an edit of the item itself.

Measured: the best rule by length told 0.52 to 0.56 of the pairs; with an edit of the item itself, 0.79 to 0.82.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from nlfol.candidates.pairs import certified_pairs, edited_sentence
from nlfol.candidates.sets import CandidateError
from nlfol.datasets.entries.grammar import GrammarEntry
from nlfol.datasets.generation import generated
from nlfol.languages.registry import LANGUAGES
from nlfol.randomness import generator

ROOT = Path(__file__).parents[1]
CUES: dict[str, Callable[[str, str], float]] = {
    "length": lambda first, second: len(second) - len(first),
    "difference": lambda first, second: abs(len(second) - len(first)),
    "in common": lambda first, second: SequenceMatcher(None, first, second, autojunk=False).ratio(),
}


def sentences(count: int) -> Iterator[tuple[str, Any, dict[str, Any], Any]]:
    """The usable items of all sets, each with its set's name, language and ontology."""
    values = yaml.safe_load((ROOT / "config/round_trip.yaml").read_text(encoding="utf-8"))
    for name, entry in values["datasets"].items():
        block = GrammarEntry.model_validate(entry | {"count": count})
        for row, ontology in generated(block, values["seed"]):
            if row["status"] == "usable":
                yield name, LANGUAGES[row["language"]], row, ontology


def best_rule(same: list[float], different: list[float]) -> float:
    """The share of pairs that the best threshold tells; classes are weighted alike."""
    cuts = np.unique([*same, *different])
    least = [np.mean(np.asarray(same) >= cut) + np.mean(np.asarray(different) < cut) for cut in cuts]
    best = max(*least, *(2 - each for each in least))
    return float(best) / 2


def told(count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by set and way to make pairs, the share that the best rule by each cue tells; beside them, ``items``."""
    cues: defaultdict[tuple[str, str, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    items: defaultdict[str, int] = defaultdict(int)
    for name, language, row, ontology in sentences(count):
        gold = language.parse(row["formula"])
        labels = (name, row["item"])
        try:
            _, edited, same = certified_pairs(gold, language, ontology, generator("cues", *labels))
            alone, _ = edited_sentence(gold, language, ontology, generator("alone", *labels))
        except CandidateError:
            continue
        items[name] += 1
        texts = [language.write(each.formula) for each in (same, edited, alone)]
        for cue, measured in CUES.items():
            equivalent, *others = (measured(row["formula"], text) for text in texts)
            for how, value in zip(("law and edit", "edit alone"), others, strict=True):
                cues[name, cue, how][0].append(equivalent)
                cues[name, cue, how][1].append(value)
    return {
        name: {
            "items": {"number": number},
            **{
                how: {cue: round(best_rule(*cues[name, cue, how]), 3) for cue in CUES}
                for how in ("law and edit", "edit alone")
            },
        }
        for name, number in items.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    for name, shares in told(parser.parse_args().count).items():
        print(json.dumps({"set": name, **shares}))
