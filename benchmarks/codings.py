"""Codings in round trips: which are taken for English, what a coder gains, and the bits by which that is judged.

    python benchmarks/codings.py [--count 4] [--most 20] [--english FILE ...] [--learn]

Formulas and expressions of every grammar and vocabulary are put into each code of ``tasks/codings.py`` and back. By
code: the shares seen as a copy and as encoded, and what the reference ``coder`` scores: truth, uncopied truth, and the
cross, the truth if the reader of certified English reads the code in its place.

English, of which nothing may be seen: certified English in all styles, plain wordings of the same, and shipped
sentences; of ``--english``, lines of text, or the strings in JSON and JSON lines (keys ``premises``, ``conclusion``,
``context``, ``question``, ``text``), such as FOLIO's. With ``--learn``, ``BITS`` of ``tasks/encoded.py`` are counted
again. For each kind of English, the most bits against it are printed: by that table, and by one learnt without it.
"""

import argparse
import csv
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from nlfol.data.grammars.generation import Generation, Recipe
from nlfol.facts import COPIED, ENCODED, TRUTH, TRUTH_UNCOPIED, CodingName
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.english.styles import Style, render
from nlfol.logic.languages.language import LanguageName, ReadingError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.regular import syntax as regular
from nlfol.tasks import encoded
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import Manner, dialogue
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[1]

SETS: dict[str, tuple[LanguageName, str, str, str]] = {
    "k_sat": ("propositional", "k_sat", "names", "operators_published"),
    "propositional": ("propositional", "propositional", "names", "operators"),
    "meanings": ("propositional", "propositional", "meanings", "operators"),
    "names": ("first_order", "first_order", "names", "operators"),
    "english": ("first_order", "first_order", "english", "operators"),
    "full": ("first_order", "first_order_full", "english", "operators"),
    "regular": ("regular", "regular", "names", "symbols"),
    "regular_full": ("regular", "regular_full", "names", "symbols"),
}
"""Language, grammar, vocabulary and measure of each set."""
KEYS = ("premises", "conclusion", "context", "question", "text", "NL_sentence")

CODE = {
    "w": 30,
    "V": 28,
    "C": 6,
    "s": 5,
    "I": 5,
    "N": 4,
    "Q": 4,
    ",": 4,
    "U": 3,
    "d": 2,
    "g": 2,
    ".": 2,
    "P": 1.2,
    "R": 1.2,
    "y": 1,
    "D": 1,
    "L": 1,
    "A": 0.8,
    "B": 0.8,
}
"""Words of a code by class, in percent: content, variables and connectives."""
GRAMMAR = frozenset("DBAPR.L")
"""Classes that no code needs: where they are, not more than one bit is against English."""
PRIOR = 0.5
LEAST, MOST = -6, 4


def drawn(count: int, most: int) -> Iterator[tuple[str, Item, Any]]:
    """Yield the set, the item and the sentence of formulas and expressions of all sizes up to the most."""
    for name, (language, grammar, vocabulary, measure) in SETS.items():
        values = tuple(range(2, most + 1, 3)) if grammar == "k_sat" else tuple(range(1, most + 1))
        quantifiers = (1, 3) if language == "first_order" else None
        recipe = Recipe(grammar, vocabulary, measure, values, count, quantifiers=quantifiers)
        for draw in Generation(recipe, 7).items():
            if draw.refusal is None:
                item = Item(draw.text, draw.text, "", draw.text, draw.ontology, (), language)
                yield name, item, draw.sentence


def certified(items: Iterable[tuple[str, Item, Any]]) -> dict[str, list[str]]:
    """Return certified English by set and style, and the same in the plain words of people who know the symbols."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for name, item, sentence in items:
        if item.language == "regular":
            texts[name].append(LANGUAGES["regular"].render(sentence, item.ontology))
            for leaf in ("{}", "a {}", "the digit {}"):
                texts[f"{name} plain"].append(_plain_expression(sentence, leaf))
            continue
        for style in Style:
            english = render(sentence, item.ontology, style)
            texts[f"{name} {style}"].append(english)
            if name in ("k_sat", "propositional", "names"):
                texts[f"{name} {style} plain"].append(_plain(english))
    return texts


def _plain(english: str) -> str:
    for pattern, plain in (
        (r"[Pp]roposition (\d+) holds", r"p\1"),
        (r"[Pp]roposition (\d+) does not hold", r"not p\1"),
        (r"has property (\d+)", r"is pred\1"),
        (r"does not have property (\d+)", r"is not pred\1"),
        (r"[Oo]bject (\d+)", r"p\1"),
        (r"stands in relation (\d+) to", r"is pred\1 to"),
        (r"does not stand in relation (\d+) to", r"is not pred\1 to"),
    ):
        english = re.sub(pattern, plain, english)
    return english


def _plain_expression(expression: regular.Expression, leaf: str) -> str:
    times = {"*": "zero or more repetitions of {}", "+": "one or more repetitions of {}", "?": "an optional {}"}

    def step(node: regular.Expression, parts: tuple[str, ...]) -> str:
        match node:
            case regular.Letter(symbol):
                return leaf.format(symbol)
            case regular.Epsilon():
                return "nothing"
            case regular.Concatenation():
                return " followed by ".join(parts)
            case regular.Union():
                return "either " + " or ".join(parts)
        return times[node.sign].format(parts[0])

    return regular.fold(expression, step)


def shipped() -> dict[str, list[str]]:
    """Return the sentences of shipped datasets."""
    texts = {}
    for name in ("tarski", "everyday"):
        with (ROOT / "resources/datasets" / name / "sentences.csv").open(encoding="utf-8", newline="") as lines:
            texts[name] = [row["text"] for row in csv.DictReader(lines)]
    return texts


def sentences(path: Path) -> list[str]:
    """Return the sentences of a file, each once."""
    text = path.read_text(encoding="utf-8", errors="ignore")
    if path.suffix == ".jsonl":
        text = "\n".join(line for entry in text.splitlines() for line in _strings(json.loads(entry)))
    elif path.suffix == ".json":
        text = "\n".join(_strings(json.loads(text)))
    lines = (line.strip() for line in re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n", text))
    return sorted({line for line in lines if line})


def _strings(value: Any, inside: bool = False) -> Iterator[str]:
    match value:
        case str() if inside:
            yield value
        case list():
            for part in value:
                yield from _strings(part, inside)
        case dict():
            for key, part in value.items():
                yield from _strings(part, key in KEYS)


def counted(texts: Sequence[str]) -> dict[tuple[str, str], float]:
    """Return how often neighbours have two classes, a thousand times in all."""
    counts = Counter(pair for text in texts for pair in pairwise((".", *encoded.classes(text), ".")))
    return {pair: 1000 * count / counts.total() for pair, count in counts.items()}


def learnt(counts: Collection[Mapping[tuple[str, str], float]]) -> dict[tuple[str, str], int]:
    """Return the bits of two classes: how much likelier the second is in English than in a code; all kinds alike."""
    bits = {}
    for first in encoded.CLASSES:
        seen = {second: PRIOR + sum(kind.get((first, second), 0) for kind in counts) for second in encoded.CLASSES}
        for second in encoded.CLASSES:
            english, code = seen[second] / sum(seen.values()), CODE[second] / sum(CODE.values())
            least = -1 if GRAMMAR & {first, second} else LEAST
            bits[first, second] = max(least, min(MOST, round(math.log2(english / code))))
    return bits


def worst(texts: Iterable[str]) -> tuple[int, str]:
    """Return the most bits against a text, and the text."""
    encoded.bits_of.cache_clear()
    return max((encoded.worst_stretch(text), text) for text in texts)


def learn(texts: Mapping[str, Sequence[str]]) -> None:
    """Print the table, and what it has against each kind of English if it was learnt with it, and without."""
    counts = {kind: counted(of_kind) for kind, of_kind in texts.items()}
    bits = learnt(counts.values())
    for first in encoded.CLASSES:
        print(" ".join(f"{bits[first, second]:2}" for second in encoded.CLASSES))
    for kind, of_kind in texts.items():
        encoded.BITS.update(bits)
        within, text = worst(of_kind)
        encoded.BITS.update(learnt([count for name, count in counts.items() if name.split()[0] != kind.split()[0]]))
        print(f"{kind}: {len(of_kind)} texts; {within} bits, without it {worst(of_kind)[0]}: {text[:150]!r}")
    encoded.BITS.update(bits)


def coded(name: CodingName, items: Sequence[Item]) -> list[str]:
    """Return the cells of a code: shares of items with a copy, and encoded; truth, uncopied truth, and the cross."""
    task = build_task(json.dumps({"task": "round_trip"}))
    plan, reference = task.plan(Setting(7, NoPrompts())), task.reference("coder", items, Manner(coding=name))
    cells = []
    for item in items:
        replies = [reply for _, reply in dialogue(plan, reference, item, "zero_shot", 0)]
        judged = task.judgements(item, replies)
        scores = {metric: score for part in judged for metric, score in part.scores.items()}
        is_code, is_read = judged[1].fault == ENCODED, _is_read(item, judged[1].answer or "")
        cells.append((scores[COPIED] - is_code, is_code, scores[TRUTH], scores[TRUTH_UNCOPIED], is_read))
    return [f"{fmean(column):.2f}" for column in zip(*cells, strict=True)]


def _is_read(item: Item, text: str) -> bool:
    """Return whether the reader of certified English finds the meaning in a text."""
    language = LANGUAGES[item.language]
    try:
        read = language.read_english(text, item.ontology)
    except (ReadingError, ValueError):
        return False
    return language.compare(language.parse(item.formula), read).outcome is Outcome.EQUIVALENT


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4, help="items of each size")
    parser.add_argument("--most", type=int, default=20, help="the largest size")
    parser.add_argument("--english", type=Path, nargs="*", default=[], help="further English")
    parser.add_argument("--learn", action="store_true", help="count the bits again")
    options = parser.parse_args()
    items = list(drawn(options.count, options.most))
    texts = {**certified(items), **shipped()}
    for path in options.english:
        texts.setdefault(path.stem.split("_")[0].split("-")[0], []).extend(sentences(path))
    if options.learn:
        learn(texts)
        return
    refused = [text for of_kind in texts.values() for text in of_kind if encoded.is_encoded(text, Ontology())]
    print(f"encoded English: {len(refused)} of {sum(map(len, texts.values()))}", *refused, sep="\n")
    formulas = [item for _, item, _ in items if item.language != "regular"]
    expressions = [item for _, item, _ in items if item.language == "regular"]
    print("| code | copied | encoded | truth | uncopied | cross | of expressions: copied | encoded | uncopied |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name in CODINGS:
        of_formulas, of_expressions = coded(name, formulas), coded(name, expressions)
        cells = (f"`{name}`", *of_formulas, *of_expressions[:2], of_expressions[3])
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
