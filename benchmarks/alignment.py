"""Accuracy of alignment: planted changes, drift, merging and causes recovered; programs of two models.

    python benchmarks/alignment.py [--count 2000] [--problems FOLDER --programs FOLDER]

The folders have Logic-LM's ``ProofWriter_dev.json`` and files such as ``ProofWriter_dev_gpt-3.5-turbo.json``. Speed is
that of right programs, beside reading and executing the same programs in the same run.

Measured: of 2,000 programs with planted names, arguments, polarities and splits none was lost, and 400 of 400 planted
causes were named.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.linked_programs import linked
from benchmarks.planted_causes import name_causes

from nlfol.data.entries.logic_lm import ProofWriterEntry
from nlfol.problems import Problem, read_lexicon
from nlfol.problems.alignment import Alignment, Measures, Share, align, drifting, measure, merging, rewritten
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.gold import gold_lines
from nlfol.problems.programs import CLAUSES, Lines, ProgramError
from nlfol.problems.programs.symbols import Conjunct, Image, Symbol, SymbolKind, identity, key_of
from nlfol.randomness import generator

ROOT = Path(__file__).parents[1]
LEXICON = read_lexicon(ROOT / "resources/lexicon/problems.yaml")
SEED = 2026
MODELS = ("gpt-3.5-turbo", "text-davinci-003")
PROBABILITIES = (0.0, 0.1, 0.3, 0.5)
DEVIATIONS = NormalDist().inv_cdf(1 - 0.01 / (2 * len(PROBABILITIES)))
"""Standard deviations of intervals that hold with 99 % for all probabilities together (Bonferroni)."""


def problems(count: int) -> Iterator[Problem]:
    """Problems drawn by the families in equal parts."""
    for family in FAMILIES:
        yield from generate(family, seed=SEED, count=count // len(FAMILIES), lexicon=LEXICON)


@dataclass
class Planted:
    """A gold program with other symbols, and what they stand for.

    Attributes:
        gold: the program.
        program: the same in other symbols.
        images: by place, what each mention was mapped to.
    """

    gold: Lines
    program: Lines
    images: dict[str, list[Image]]


def plant(gold: Lines, *, split: float, join: float, random: Random) -> Planted:
    """Rename all symbols, permute arguments and turn polarities, by symbol.

    Args:
        gold: the program.
        split: share of concepts that have two symbols, each for some of the mentions.
        join: share of predicates that become conjunctions of two, where all their literals are affirmed.
        random: of the draws.
    """
    names = [f"s{number}" for number in range(2_000)]
    random.shuffle(names)
    negated = _negated(gold)
    known: dict[Symbol, list[Image]] = {}

    def image(concept: Symbol) -> Image:
        options = known.get(concept)
        if options is None:
            options = [_drawn(concept, names, random, join if concept not in negated else 0.0)]
            if len(options[0]) == 1 and random.random() < split:
                options.append(_drawn(concept, names, random, 0.0))
            known[concept] = options
        return random.choice(options)

    images: dict[str, list[Image]] = {}

    def renamed(place: str, concept: Symbol) -> Image:
        found = image(concept)
        images.setdefault(place, []).append(found)
        return found

    program = rewritten(gold, renamed)
    return Planted(gold, program, images)


def _drawn(concept: Symbol, names: list[str], random: Random, join: float) -> Image:
    if concept.kind is not SymbolKind.PREDICATE:
        return identity(concept._replace(name=names.pop()))
    places = list(range(concept.arity))
    random.shuffle(places)
    if random.random() < join:
        first, second = (concept._replace(name=names.pop().capitalize()) for _ in range(2))
        return Conjunct(first, tuple(places)), Conjunct(second, tuple(places))
    symbol = concept._replace(name=names.pop().capitalize())
    return (Conjunct(symbol, tuple(places), random.random() < 0.5),)


def _negated(gold: Lines) -> set[Symbol]:
    """Predicates of clauses that are denied somewhere: their conjunction would be no literal there."""
    if gold.language is not CLAUSES:
        return set()
    text = " ".join(line for lines in gold.places.values() for line in lines)
    found = set()
    for arity in (1, 2):
        pattern = ", ".join([r"[^,()]+"] * arity)
        found |= {Symbol(SymbolKind.PREDICATE, name, arity) for name in _names(rf"(\w+)\({pattern}, False\)", text)}
    return found


def _names(pattern: str, text: str) -> list[str]:
    import re

    return re.findall(pattern, text)


def verdict(planted: Planted) -> str:
    """Compare the alignment with the planted one.

    ``identical``; ``symmetric``, if one concept takes another's part and the gold program stays as it is; ``equal``, if
    each line is proven and there are as many symbols in all; else ``lost``.
    """
    found = align(planted.gold, planted.program)
    if not all(sentence.fits for sentence in found.sentences):
        return "lost"
    ours = {sentence.place: list(sentence.images) for sentence in found.sentences}
    if all(_same_images(ours[place], images) for place, images in planted.images.items()):
        return "identical"
    if _is_symmetry(planted, found):
        return "symmetric"
    concepts = [concept for sentence in found.sentences for concept in sentence.concepts]
    true = {(concept, key_of(image)) for concept, image in zip(concepts, _flat(planted.images), strict=True)}
    mine = {(concept, key_of(image)) for concept, image in zip(concepts, _flat(ours), strict=True) if image}
    return "equal" if len(mine) == len(true) else "lost"


def _flat(images: dict[str, list[Image]] | dict[str, list[Image | None]]) -> list[Image]:
    return [image for each in images.values() for image in each if image is not None]


def _same_images(ours: Sequence[Image | None], theirs: Sequence[Image]) -> bool:
    return [sorted(image or ()) for image in ours] == [sorted(image) for image in theirs]


def _is_symmetry(planted: Planted, found: Alignment) -> bool:
    """Return whether renaming by the alignment, then back by the planted map, gives the gold program line by line."""
    back: dict[tuple[Symbol, ...], tuple[Symbol, Image]] = {}
    for sentence in found.sentences:
        for concept, image in zip(sentence.concepts, planted.images[sentence.place], strict=True):
            if back.setdefault(key_of(image), (concept, image))[0] != concept:
                return False
    turned: dict[Symbol, Image] = {}
    for sentence in found.sentences:
        for concept, image, _ in sentence.mentions:
            if key_of(image) not in back:
                return False  # parts of conjunctions are put together otherwise
            original, truth = back[key_of(image)]
            composed = _composed(image, truth, original)
            if composed is None or turned.setdefault(concept, composed) != composed:
                return False
    language = found.language
    return all(language.same(language.rewritten(sentence.gold, turned), sentence.gold) for sentence in found.sentences)


def _composed(image: Image, truth: Image, original: Symbol) -> Image | None:
    """The concept that an image stands for, with arguments and polarity as that makes them."""
    results = set()
    for part, true in zip(sorted(image), sorted(truth), strict=True):
        places = [0] * len(part.places)
        for ours, theirs in zip(part.places, true.places, strict=True):
            places[theirs] = ours
        results.add(Conjunct(original, tuple(places), part.value == true.value))
    return (results.pop(),) if len(results) == 1 else None


def recover(count: int) -> Counter[str]:
    """Count recovered changes; in half of the problems some symbols are split or joined, too."""
    found: Counter[str] = Counter()
    for number, problem in enumerate(problems(count)):
        random = generator("planted", number)
        both = number % 2
        planted = plant(gold_lines(problem), split=0.3 * both, join=0.15 * both, random=random)
        found[f"{verdict(planted)}{' with splits' if both else ''}"] += 1
    return found


def right_programs(count: int) -> tuple[float, float]:
    """Gold programs aligned with themselves in other names a second, and executed a second."""
    golds = [gold_lines(problem) for problem in problems(count)]
    others = [plant(gold, split=0, join=0, random=generator("speed", n)) for n, gold in enumerate(golds)]
    start = perf_counter()
    for planted in others:
        align(planted.gold, planted.program)
    middle = perf_counter()
    for planted in others:
        planted.program.language.execute(planted.program.text)
    return count / (middle - start), count / (perf_counter() - middle)


@dataclass
class Drift:
    """Dispersion measured of a translator that drifts, and what is expected.

    Attributes:
        probability: that a mention has a fresh symbol.
        measures: as measured, pooled.
        mean: of the dispersion.
        deviation: its standard deviation.
    """

    probability: float
    measures: Measures
    mean: float
    deviation: float

    @property
    def is_within(self) -> bool:
        """Return whether the interval covers the dispersion."""
        value = self.measures.dispersion.value
        return value is not None and abs(value - self.mean) <= DEVIATIONS * self.deviation + 1e-12


def expected(mentions: int, probability: float) -> tuple[float, float]:
    """Mean and variance of the excess of a concept with so many mentions, each fresh with the probability.

    Of k fresh ones there are k symbols, and one more unless all are fresh.
    """
    found = [
        (comb(mentions, k) * probability**k * (1 - probability) ** (mentions - k), k - (k == mentions))
        for k in range(mentions + 1)
    ]
    mean = sum(chance * excess for chance, excess in found)
    return mean, sum(chance * (excess - mean) ** 2 for chance, excess in found)


def pooled(measures: Iterable[Measures]) -> Measures:
    """Measures pooled, sums over sums: each concept counts the same, whichever problem it is of."""
    found = list(measures)
    shares = ([getattr(each, name) for each in found] for name in Measures.__slots__)
    return Measures(*(Share(sum(s.sum for s in each), sum(s.of for s in each)) for each in shares))


def drift(probability: float, count: int) -> Drift:
    """Dispersion of a translator that drifts."""
    found, means, variances, concepts = [], 0.0, 0.0, 0
    for problem in problems(count):
        gold = gold_lines(problem)
        alignment = align(gold, rewritten(gold, drifting(probability, SEED, problem.family, problem.name)))
        found.append(measure(alignment))
        mentions = Counter(concept for sentence in alignment.sentences for concept in sentence.concepts)
        for number in mentions.values():
            if number > 1:
                mean, variance = expected(number, probability)
                means, variances = means + mean, variances + variance
                concepts += 1
    return Drift(probability, pooled(found), means / concepts, sqrt(variances) / concepts)


def merged(count: int) -> Measures:
    """Measures of a translator that merges all concepts."""
    golds = map(gold_lines, problems(count))
    return pooled(measure(align(gold, rewritten(gold, merging))) for gold in golds)


def released(problems_folder: Path, programs_folder: Path, model: str, share: int = 1) -> tuple[Measures, float, int]:
    """Measures of a model's ProofWriter programs, seconds, and how many have no sections."""
    entry = ProofWriterEntry(reader="proofwriter", path=str(problems_folder / "ProofWriter_dev.json"))
    known = {problem.name: problem for problem in entry.read(1).problems}
    rows = json.loads((programs_folder / f"ProofWriter_dev_{model}.json").read_text(encoding="utf-8"))[::share]
    start, found, unread = perf_counter(), [], 0
    for row in rows:
        problem = known[row["id"]]
        sentences = [statement.text for statement in problem.statements]
        try:
            program = linked(CLAUSES, row["raw_logic_programs"][0], sentences)
        except ProgramError:
            unread += 1
            continue
        found.append(measure(align(gold_lines(problem), program)))
    return pooled(found), perf_counter() - start, unread


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Alignment, drift and causes.")
    parser.add_argument("--count", type=int, default=2_000, help="gold programs, over all families")
    parser.add_argument("--problems", type=Path, help="folder of Logic-LM's problems")
    parser.add_argument("--programs", type=Path, help="folder of its released programs")
    options = parser.parse_args()
    print(
        "planted:", ", ".join(f"{name} {number}" for name, number in sorted(recover(options.count).items())), flush=True
    )
    aligned, executed = right_programs(options.count)
    print(f"right programs: {aligned:.0f} aligned and {executed:.0f} executed a second")
    for probability in PROBABILITIES:
        found = drift(probability, options.count)
        value, deviation = found.measures.dispersion.value, DEVIATIONS * found.deviation
        verdict = "within" if found.is_within else "outside"
        print(f"drifting {probability}: {value:.4f}, {verdict} {found.mean:.4f} ± {deviation:.4f}", flush=True)
    found_merged = merged(options.count)
    print(
        f"merging: dispersion {found_merged.dispersion.value}, collision {found_merged.collision.value:.2f}", flush=True
    )
    causes = name_causes(400)
    right = sum(number for (planted, named), number in causes.items() if planted is named)
    print(f"causes: {right} of {causes.total()} named rightly", flush=True)
    if options.problems and options.programs:
        for model in MODELS:
            measures, seconds, unread = released(options.problems, options.programs, model)
            print(f"{model}: {_shown(measures)}; {seconds:.1f} s; {unread} without sections", flush=True)


def _shown(measures: Measures) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in measures.values().items() if value is not None)


if __name__ == "__main__":
    main()
