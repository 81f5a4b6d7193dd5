r"""Ten batches of each published set, drawn as published, beside the figures of ∀uto∃∨∧L and sets of its release.

    python benchmarks/published_sets.py [--batches 10] [--seed 1] [--released SET FILE ...]

Counted are items, formulas without their vocabulary (``trees``; a chain of one connective is one, however it is
grouped) and items with quantifiers, in the mean batch and in all together. The status is 1 if a set misses its
published number of trees in ten batches by more than 3 %.

Nothing of the release is here. To set its sets beside these, clone https://github.com/AAIR-lab/autoeval, install its
requirements, and run in it, once a batch ::

    PYTHONHASHSEED=0 python dataset_generator.py --base-dir OUT --seed 1 \
        --dataset-type plogic --filter-field num_operators

(types ``ksat``, ``plogic``, ``fol``, ``fol_human``; ``regex`` with ``--filter-field depth``). Then name the files that
it wrote: ``--released propositional OUT/dataset.json …``.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from nlfol.data.entries.grammar import GRAMMARS, GrammarEntry
from nlfol.data.generation import recipe_of
from nlfol.data.grammars.generation import Generation
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.syntax import Atomic, Formula, fold

SETS: dict[str, dict[str, str]] = {
    "k_sat": {"grammar": "k_sat"},
    "propositional": {"grammar": "propositional"},
    "first_order_names": {"grammar": "first_order"},
    "first_order_english": {"grammar": "first_order", "vocabulary": "english"},
    "regular": {"grammar": "regular"},
}
PAPER = {"k_sat": 8_550, "propositional": 17_700}
"""Trees in ten batches (appendix M, figures 9 and 10)."""

TOLERANCE = 0.03

_BOUND = re.compile(r"([∀∃]) ((?:\w+ ?)+)\.")


def tree_of(formula: Formula) -> str:
    """Return a formula without its vocabulary, and chains of one connective without the parentheses in them."""

    def written(node: Formula, parts: tuple[str, ...]) -> str:
        if isinstance(node, Atomic):
            return "a"
        if len(parts) == 1:
            return f"{node.sign}{parts[0]}"
        inner = [part[2:-1] if part.startswith(f"({node.sign}") else part for part in parts]
        return f"({node.sign}{''.join(inner)})"

    return fold(formula, written)


def ours(name: str, seed: int, batch: int) -> list[str]:
    """Draw a batch as published; return its trees."""
    keys = {"reader": "grammar", "protocol": "paper", "batch": batch, **SETS[name]}
    drawn = Generation(recipe_of(GrammarEntry.model_validate(keys)), seed).items()
    items = [each for each in drawn if each.refusal is None]
    return [each.tree if name == "regular" else tree_of(each.sentence) for each in items]


def released(name: str, path: Path) -> list[str]:
    """Read a set that the release has written; return its trees."""
    language = LANGUAGES[GRAMMARS[SETS[name]["grammar"]]]
    trees = []
    for row in json.loads(path.read_text(encoding="utf-8"))["data"]:
        if name == "regular":
            trees.append(re.sub(r"\w", "0", language.write(language.parse(row["fs"]))))
            continue
        text = _BOUND.sub(lambda found: "".join(f"{found[1]}{each} " for each in found[2].split()), row["fs"])
        trees.append(tree_of(language.parse(re.sub(r"\bv\b", "∨", text))))
    return trees


def report(name: str, whose: str, batches: Iterable[list[str]]) -> int:
    """Print what batches of a set hold; return the number of trees in all of them."""
    found = list(batches)
    every = [tree for batch in found for tree in batch]
    quantified = sum("∀" in tree or "∃" in tree for tree in every)
    trees, in_one, number = len(set(every)), sum(len(set(batch)) for batch in found), len(found)
    line = (
        f"{len(every) / number:7.1f} items a batch, {in_one / number:7.1f} trees, {quantified / number:6.1f} quantified"
    )
    share = trees / len(every)
    print(f"{name:20} {whose:9}{line}; in {number}: {trees} trees of {len(every)} ({share:.1%})", flush=True)
    return trees


def main() -> None:
    """Print all sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--released", action="append", nargs="+", default=[], metavar=("SET", "FILE"))
    arguments = parser.parse_args()
    files = {name: [Path(path) for path in paths] for name, *paths in arguments.released}
    if unknown := files.keys() - SETS.keys():
        parser.error(f"--released {min(unknown)}: name one of {', '.join(SETS)}")
    missed = []
    for name in SETS:
        trees = report(name, "ours", (ours(name, arguments.seed, batch) for batch in range(1, arguments.batches + 1)))
        if name in files:
            report(name, "released", (released(name, path) for path in files[name]))
        if name in PAPER:
            print(f"{name:20} paper     {PAPER[name]} trees in ten batches")
            if arguments.batches == 10 and abs(trees / PAPER[name] - 1) > TOLERANCE:
                missed.append(name)
    sys.exit(f"not within {TOLERANCE:.0%} of the paper: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
