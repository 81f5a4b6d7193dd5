"""Surface cues that give certified pairs away to a verifier that looks at no meaning: length, and size of the change.

    python benchmarks/verification_cues.py [--count 40]

For each set of ``config/round_trip.yaml``, grown to so many items a value: the share of pairs that the best rule of the
form "equivalent if at least (or at most) so much" tells, where 0.5 is chance. The rules go by the difference in length
between the two sentences, in characters, by edits of tokens, and by the share of characters that they have in common.
Beside certified pairs stand those of an item with what one law, and what one edit, makes of it. Last, the share of
certified pairs that a learner tells: the trees of the reference ``surface``, on all counts of ``looks``, by item.

Measured (``--count 60``): the best rule by length, difference or tokens told 0.50 to 0.53 of certified pairs, by
characters in common 0.51 to 0.57; of one law against one edit, 0.58 to 1.00. The learner told 0.64 to 0.74
(``--count 24``): a law keeps whole literals, and neighbours of tokens with them, where an edit changes one.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.generation import generated
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.randomness import generator
from nlfol.sets.pairs import certified_pairs, edited_sentence, edits_of_tokens, in_common, longer, looks
from nlfol.sets.sets import CandidateError
from nlfol.tasks.reference import learnt_grades

ROOT = Path(__file__).parents[1]
CUES: dict[str, Callable[[str, str], float]] = {
    "length": longer,
    "difference": lambda first, second: abs(longer(first, second)),
    "tokens": edits_of_tokens,
    "in common": in_common,
}
WAYS = ("certified", "law or edit")


def sentences(count: int) -> Iterator[tuple[str, Any, Any, Any]]:
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


def learner(pairs: list[tuple[str, list[float], int]]) -> float:
    """The share of pairs that boosted trees tell which have learnt from other items."""
    items, seen, same = zip(*pairs, strict=True)
    grades = learnt_grades(items, np.array(seen), same)
    return float(np.mean([(grade >= 1 / 2) == is_same for grade, is_same in zip(grades, same, strict=True)]))


def told(count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by set and way to make pairs, the share that the best rule by each cue tells; beside them, ``items``."""
    learnt: defaultdict[str, list[tuple[str, list[float], int]]] = defaultdict(list)
    cues: defaultdict[tuple[str, str, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    items: defaultdict[str, int] = defaultdict(int)
    for name, language, row, ontology in sentences(count):
        gold = language.parse(row["formula"])
        labels = (name, row["item"])
        try:
            members = certified_pairs(gold, language, ontology, generator("cues", *labels))
            edited, _ = edited_sentence(gold, language, ontology, generator("alone", *labels))
        except CandidateError:
            continue
        items[name] += 1
        first, its_same, same, corner = (language.write(member.formula) for member in members)
        law = language.write(next(iter(language.rewrites(gold, ontology))).sentence)
        pairs = {
            "certified": [[(first, same), (its_same, corner)], [(first, its_same), (same, corner)]],
            "law or edit": [[(first, law)], [(first, language.write(edited.formula))]],
        }
        for is_same, shown in enumerate(reversed(pairs["certified"])):
            learnt[name] += [(row["item"], looks(*pair), is_same) for pair in shown]
        for (how, classes), (cue, measured) in product(pairs.items(), CUES.items()):
            for values, shown in zip(cues[name, cue, how], classes, strict=True):
                values += [measured(*pair) for pair in shown]
    return {
        name: {
            "items": {"number": number},
            "learner": {"certified": round(learner(learnt[name]), 3)},
            **{how: {cue: round(best_rule(*cues[name, cue, how]), 3) for cue in CUES} for how in WAYS},
        }
        for name, number in items.items()
    }


def main() -> None:
    """Print a line a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    for name, shares in told(parser.parse_args().count).items():
        print(json.dumps({"set": name, **shares}))


if __name__ == "__main__":
    main()
