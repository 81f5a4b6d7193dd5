"""Items generated a second on one core, refused draws and their proofs included; uniformity of draws.

    python benchmarks/generating.py [--count 50] [--draws 100000]

Each set is generated once to fill what is remembered, and then measured under another seed: seconds of processor time
for the items alone, and for their English, which is written and read back. The release of ∀uto∃∨∧L makes 86 k-SAT, 136
propositional, 82 first-order items, and 42 with English names, a second, without proof and without English. Speed is
printed as the ratio to drawing derivations alone, too, which is measured in the same run.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from time import process_time
from typing import Any

from nlfol.data.grammars.drawing import AllDerivations
from nlfol.data.grammars.files import read_grammar
from nlfol.data.grammars.generation import Drawn, Generation, Recipe
from nlfol.logic.languages.language import Language
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.randomness import generator

BY = "operators_published"
SETS = {
    "k_sat": Recipe("k_sat", "names", BY, tuple(range(2, 60, 3))),
    "propositional": Recipe("propositional", "names", BY, tuple(range(1, 40))),
    "first_order, names": Recipe("first_order", "names", BY, tuple(range(38)), quantifiers=(1, 3)),
    "first_order, english": Recipe("first_order", "english", BY, tuple(range(38)), quantifiers=(1, 3)),
    "first_order_full": Recipe("first_order_full", "names", BY, tuple(range(38)), quantifiers=(1, 3)),
    "regular": Recipe("regular", "names", "depth", tuple(range(3, 41))),
    "regular_full": Recipe("regular_full", "names", "symbols", tuple(range(4, 41)), letters=3),
    "k_sat, meanings": Recipe("k_sat", "meanings", BY, tuple(range(2, 60, 3))),
    "propositional, meanings": Recipe("propositional", "meanings", BY, tuple(range(1, 40))),
    "first_order_full, english": Recipe("first_order_full", "english", BY, tuple(range(38)), quantifiers=(1, 3)),
    "propositional, paper": Recipe("propositional", "names", BY, tuple(range(1, 40)), protocol="paper"),
}


def read_back(language: Language[Any], items: Sequence[Drawn]) -> int:
    """Count items, reading back the English of each.

    Raises:
        AssertionError: if that of one is read as another sentence.
    """
    for item in items:
        english = language.render(item.sentence, item.ontology)
        if language.read_english(english, item.ontology) is not item.sentence:
            raise AssertionError(f"{item.text} is read back otherwise from: {english}")
    return len(items)


def measure(name: str, recipe: Recipe) -> int:
    """Print what one set takes; the number of its items."""
    grammar, _ = recipe.read()
    language = LANGUAGES[grammar.language]
    for _ in Generation(replace(recipe, count=5), 1).items():
        pass
    started = process_time()
    drawn = list(Generation(recipe, 2).items())
    seconds = process_time() - started
    items = [each for each in drawn if each.refusal is None]
    reasons = Counter(each.refusal for each in drawn if each.refusal is not None)
    started = process_time()
    number = read_back(language, items)
    english_seconds = process_time() - started
    line = f"{name:22} {len(items):5} items, {len(items) / seconds:6.0f} a second"
    if recipe.protocol == "audited":
        derivations = AllDerivations(grammar, recipe.by, recipe.quantifiers)
        started = process_time()
        for value in recipe.values:
            for number in range(recipe.count):
                derivations.draw(value, generator(2, value, number))
        line += f" ({seconds / (process_time() - started):5.1f} × drawing derivations)"
    print(f"{line}; English and back {number / english_seconds:6.0f}; refused: {dict(reasons) or 'none'}", flush=True)
    return number


def uniformity(draws: int) -> None:
    """Print χ² of draws of one value of a small grammar."""
    derivations = AllDerivations(read_grammar("propositional"), BY)
    found = Counter(tuple(derivations.draw(3, generator(1, number))) for number in range(draws))
    expected = draws / 891
    statistic = sum((found_ - expected) ** 2 / expected for found_ in found.values())
    statistic += (891 - len(found)) * expected
    print(f"{draws} draws of 891 trees: χ² = {statistic:.1f} with 890 degrees of freedom (99.9 %: 1025)")


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, help="items for each value")
    parser.add_argument("--draws", type=int, default=100_000, help="draws for the test of uniformity")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), help="all by default")
    arguments = parser.parse_args()
    number = sum(measure(name, replace(SETS[name], count=arguments.count)) for name in arguments.sets)
    print(f"{number} items whose English is read back as the same sentence")
    uniformity(arguments.draws)


if __name__ == "__main__":
    main()
