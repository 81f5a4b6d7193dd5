"""Dispersion, collision, consistency and tables of concepts, of one alignment or of many.

Dispersion is the symbol drift score of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across
Linguistically Diversified Texts?": (1/|V|) Σ (|f(v)| - 1) over concepts v, with f(v) the images of v. Collision is the
same with the roles exchanged. B³ is that of Bagga and Baldwin (LREC 1998) over mentions: gold clusters are concepts,
the others images.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from nlfol.problems.alignment.aligning import Alignment, Basis
from nlfol.problems.alignment.expressions import plain_expression
from nlfol.problems.problem import Problem
from nlfol.problems.programs.symbols import Key, Symbol, key_of

REPEATED = 2
"""Mentions from which a concept counts in dispersion as published."""


class Share(NamedTuple):
    """A sum and what it is divided by, so that shares can be pooled."""

    sum: float
    of: int

    @property
    def value(self) -> float | None:
        """Return the quotient; None of nothing."""
        return self.sum / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of one alignment, or of many pooled.

    ``dispersion`` is over concepts with two or more mentions of which some are aligned; ``least`` is what no choice of
    maps goes below, and equals it where the choice is known to have the fewest symbols; ``dispersion_of_all`` over all
    concepts of which some mention is aligned; ``collision`` over images; ``precision`` and ``recall`` are of B³, over
    aligned mentions. ``lines`` are the sentences, and what is asked, that some map makes equivalent, of all;
    ``one_map`` those that one map does, one to one, and ``one_map_is_most`` counts where none is known to do more;
    ``problems`` counts an alignment whose lines one map, one to one, all makes so, with nothing left over.
    """

    dispersion: Share
    least: Share
    dispersion_of_all: Share
    collision: Share
    precision: Share
    recall: Share
    by_structure: Share
    by_name: Share
    lines: Share
    one_map: Share
    one_map_is_most: Share
    problems: Share

    @property
    def f(self) -> float | None:
        """Return the harmonic mean of B³'s precision and recall."""
        precision, recall = self.precision.value, self.recall.value
        return None if not precision or not recall else 2 * precision * recall / (precision + recall)

    def values(self) -> dict[str, float | None]:
        """Return all by name, shares as quotients."""
        return {name: getattr(self, name).value for name in self.__slots__} | {"f": self.f}


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean over problems that have a value: each problem counts the same."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def measure(alignment: Alignment) -> Measures:
    """Measure an alignment."""
    mentions = Counter(concept for sentence in alignment.sentences for concept in sentence.concepts)
    images, concepts = alignment.images, alignment.concepts
    by_basis = Counter(basis for _, _, basis in alignment.mentions)
    further: defaultdict[Symbol, set[Key]] = defaultdict(set)
    for concept, image, basis in alignment.mentions:
        if basis is Basis.NAME:
            further[concept].add(key_of(image))
    repeated = [concept for concept in images if mentions[concept] >= REPEATED]
    excess = {concept: len(counts) - 1 for concept, counts in images.items()}
    least = sum(max(alignment.least.get(concept, 0), len(further[concept]), 1) - 1 for concept in repeated)
    total, aligned = mentions.total(), by_basis.total()
    equivalent = sum(sentence.fits for sentence in alignment.sentences)
    return Measures(
        dispersion=Share(sum(excess[concept] for concept in repeated), len(repeated)),
        least=Share(least, len(repeated)),
        dispersion_of_all=Share(sum(excess.values()), len(excess)),
        collision=Share(sum(len(counts) - 1 for counts in concepts.values()), len(concepts)),
        precision=Share(_b_cubed(concepts), aligned),
        recall=Share(_b_cubed(images), aligned),
        by_structure=Share(by_basis[Basis.STRUCTURE], total),
        by_name=Share(by_basis[Basis.NAME], total),
        lines=Share(equivalent, len(alignment.sentences)),
        one_map=Share(alignment.one_map.sentences, len(alignment.sentences)),
        one_map_is_most=Share(int(alignment.one_map.is_most), 1),
        problems=Share(int(is_consistent(alignment)), 1),
    )


def is_consistent(alignment: Alignment) -> bool:
    """Return whether one map, one to one, makes all lines equivalent to gold, and the program has no others."""
    if alignment.extra or not all(sentence.fits for sentence in alignment.sentences):
        return False
    images = alignment.images
    keys = {key for counts in images.values() for key in counts}
    return len(keys) == len(images) == sum(map(len, images.values()))


def _b_cubed(clusters: Mapping[Key, Counter[Symbol]] | Mapping[Symbol, Counter[Key]]) -> float:
    """Return the sum over mentions of the share of their cluster that belongs to one cluster on the other side."""
    return sum(sum(count**2 for count in counts.values()) / counts.total() for counts in clusters.values())


class TableQuality(NamedTuple):
    """Precision and recall of the pairs that a table joins; expressions that are no mention of the problem's."""

    precision: Share
    recall: Share
    unknown: tuple[str, ...]


def expressions(problem: Problem) -> dict[str, frozenset[str]]:
    """Return the concepts of each expression of a problem, as ``plain_expression`` has it."""
    by_expression: defaultdict[str, set[str]] = defaultdict(set)
    for statement in problem.sentences:
        for mention in statement.mentions:
            by_expression[plain_expression(statement.text[mention.start : mention.end])].add(mention.concept)
    return {expression: frozenset(concepts) for expression, concepts in by_expression.items()}


def table_quality(table: Sequence[Sequence[str]], gold: Mapping[str, frozenset[str]]) -> TableQuality:
    """Hold a table to the concepts of a problem's expressions, as pairs of expressions."""
    joined: set[tuple[str, str]] = set()
    unknown: dict[str, str] = {}
    for row in table:
        known = set()
        for cell in row:
            expression = plain_expression(cell)
            if expression in gold:
                known.add(expression)
            else:
                unknown.setdefault(expression, cell)
        joined.update(combinations(sorted(known), 2))
    true = {pair for pair in combinations(sorted(gold), 2) if gold[pair[0]] & gold[pair[1]]}
    right = len(joined & true)
    return TableQuality(Share(right, len(joined)), Share(right, len(true)), tuple(unknown.values()))
