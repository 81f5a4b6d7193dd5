"""Sentences to train an adapter on: plain English with formulas, over drawn signatures.

    python benchmarks/adapter_sentences.py FOLDER [--signatures 240] [--each 10] [--seed 20261126]

writes ``sentences.csv`` and ``ontology.yaml`` into the folder, the same bytes for the same arguments. Each signature
has 7 to 13 predicates (everyday nouns, adjectives, verbs and relations of several words) and 3 to 6 constants. Symbols
are words, their beginnings or initials, so that they have to be copied. A quarter of the texts is the certified English
of ``nlfol.logic.english`` and is read back; the others are put together from phrases, each with its formula.

It was written without sight of the sentences of ``tarski``, on which adapters are tested;
``resources/datasets/everyday/README.md`` says what was known of them.
"""

import argparse
import csv
import re
import sys
from itertools import pairwise
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.adapter_stories import Story
from benchmarks.adapter_words import VARIABLES

from nlfol.logic import parse, to_unicode
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.ontology.ontology import Ontology
from nlfol.randomness import generator

ROOT = Path(__file__).parents[1]


def _named(formula: str) -> str:
    """Return the formula as the library prints it, with variables named x, y, z, … by their first places."""
    seen: dict[str, str] = {}
    out, place = [], 0
    while place < len(formula):
        sign = formula[place]
        word = ""
        while place < len(formula) and (formula[place].isalnum() or formula[place] == "_"):
            word += formula[place]
            place += 1
        if word:
            is_variable = len(word) == 1 and word in VARIABLES
            if is_variable and word not in seen:
                seen[word] = VARIABLES[len(seen)]
            out.append(seen[word] if is_variable else word)
        else:
            out.append(sign)
            place += 1
    return to_unicode(parse("".join(out)))


def _is_odd(formula: str) -> bool:
    """Return whether a formula says a thing twice, or denies a denial."""
    sides = re.split(r" [∧∨→↔] ", re.sub(r"[()]", " ", formula))
    said = [" ".join(side.replace("¬", "").split()) for side in sides]
    if re.fullmatch(r"(.*) [∧∨→↔] \1", formula):
        return True
    return "¬¬" in formula or re.search(r"¬\w+ ≠", formula) is not None or any(a == b for a, b in pairwise(said))


def written(seed: int, signatures: int, each: int) -> tuple[list[tuple[str, str, str]], dict[str, Ontology]]:
    """Return rows of story, text and formula, and the ontologies of the stories."""
    lexicon = ROOT / "resources/lexicon"
    verbs = [
        (r["base"], r["third_person"], int(r["arguments"])) for r in csv.DictReader((lexicon / "verbs.csv").open())
    ]
    names = [r["name"] for r in csv.DictReader((lexicon / "given_names.csv").open())]
    rows, ontologies, seen = [], {}, set[str]()
    for number in range(1, signatures + 1):
        story = Story(generator(seed, number, "adapter"), verbs, names)
        name = f"s{number}"
        ontologies[name] = ontology = story.ontology()
        kept = 0
        while kept < each:
            text, formula = story.sentence()
            formula = _named(formula)
            if len(formula) > 100 or _is_odd(formula):
                continue
            if story.random.random() < 0.25:
                text = render(parse(formula), ontology)
                if read_english(text, ontology) is not parse(formula):
                    raise ValueError(f"{text!r} is not read back")
                if "\n" in text:
                    continue
            else:
                # Letters that are names stay as they are.
                first, second, *_ = text.split()
                is_name = len(first) == 1 and second not in {word.base for word in story.nouns + story.adjectives}
                text = f"{text if is_name else text[0].upper() + text[1:]}."
            if len(text) > 110 or text in seen:
                continue
            seen.add(text)
            rows.append((name, text, formula))
            kept += 1
    return rows, ontologies


def main() -> None:
    """Write the two files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--signatures", type=int, default=240)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--seed", type=int, default=20261126)
    options = parser.parse_args()
    rows, ontologies = written(options.seed, options.signatures, options.each)
    with (options.folder / "sentences.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        # The formula once more as an answer to learn.
        lines.writerow(("item", "story", "text", "formula", "answer"))
        lines.writerows(
            (f"{story}:{place % options.each}", story, text, formula, formula)
            for place, (story, text, formula) in enumerate(rows)
        )
    stories = {
        name: {
            "predicates": {
                p.name: {"arity": p.arity, "positive": p.positive, "negative": p.negative} for p in of.predicates
            },
            "constants": {c.name: c.meaning for c in of.constants},
        }
        for name, of in ontologies.items()
    }  # fmt: skip
    text = yaml.safe_dump({"stories": stories}, sort_keys=False, width=200)
    (options.folder / "ontology.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
