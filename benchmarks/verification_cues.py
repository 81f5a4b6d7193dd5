"""Surface cues that give certified pairs away to a verifier that looks at no meaning: length, and size of the change.

    python benchmarks/verification_cues.py [--count 40]

For each set of ``config/round_trip.yaml``, grown to so many items a value: the share of pairs that the best rule of the
form "equivalent if at least (or at most) so much" tells, where 0.5 is chance. The rules go by the difference in length
between the two sentences, in characters, by edits of tokens, and by the share of characters that they have in common.
Beside certified pairs stand those of an item with what one law, and what one edit, makes of it. Last, the shares of
certified pairs that learners tell, boosted trees by item: on all counts of ``looks``, as the reference ``surface``; on
runs of two and three tokens as well; and on the runs of one sentence of the pair alone.

Measured (``--count 24``): rules by length told 0.50 of certified pairs, by tokens 0.51 to 0.54, by characters in common
0.52 to 0.59; learners on counts 0.52 to 0.55 and 0.65 of expressions, with neighbours 0.53 to 0.55 and 0.65.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer

from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.generation import generated
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.randomness import generator
from nlfol.sets.pairs import (
    certified_pairs,
    edited_sentence,
    edits_of_tokens,
    in_common,
    kinds_of_neighbours,
    longer,
    looks,
    traces,
)
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

LEAST = 5
"""Pairs that differ in a run of tokens, for learners to see it."""


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


def learners(pairs: list[tuple[str, tuple[str, str], int]]) -> dict[str, float]:
    """The shares of pairs that boosted trees tell which have learnt from other items, by what they see."""
    items, shown, same = zip(*pairs, strict=True)
    counts = np.array([looks(*pair) for pair in shown])
    neighbours = DictVectorizer(sparse=False).fit_transform(
        [{" ".join(run): number for run, number in traces(*pair).items() if number} for pair in shown]
    )
    # One of the two: a pair is shown in random order.
    draw = generator("alone", *items)
    alone = DictVectorizer(sparse=False).fit_transform(
        [{" ".join(run): number for run, number in kinds_of_neighbours(draw.choice(pair)).items()} for pair in shown]
    )
    seen = {"counts": counts, "neighbours": np.hstack([counts, _common(neighbours)]), "one sentence": _common(alone)}
    return {name: round(_told(learnt_grades(items, values, same), same), 3) for name, values in seen.items()}


def _common(values: NDArray[Any]) -> NDArray[Any]:
    return values[:, (values != 0).sum(0) >= LEAST]


def _told(grades: Sequence[float], same: Sequence[int]) -> float:
    return float(np.mean([(grade >= 1 / 2) == is_same for grade, is_same in zip(grades, same, strict=True)]))


def told(count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by set and way to make pairs, the share that the best rule by each cue tells; beside them, ``items``."""
    learnt: defaultdict[str, list[tuple[str, tuple[str, str], int]]] = defaultdict(list)
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
        first, other, same, corner = (language.write(member.formula) for member in members)
        law = language.write(next(iter(language.rewrites(gold, ontology))).sentence)
        pairs = {
            "certified": [[(first, same), (other, corner)], [(first, other), (same, corner)]],
            "law or edit": [[(first, law)], [(first, language.write(edited.formula))]],
        }
        for is_same, shown in enumerate(reversed(pairs["certified"])):
            learnt[name] += [(row["item"], pair, is_same) for pair in shown]
        for (how, classes), (cue, measured) in product(pairs.items(), CUES.items()):
            for values, shown in zip(cues[name, cue, how], classes, strict=True):
                values += [measured(*pair) for pair in shown]
    return {
        name: {
            "items": {"number": number},
            "learners": learners(learnt[name]),
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
