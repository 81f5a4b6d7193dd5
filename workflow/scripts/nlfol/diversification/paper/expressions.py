"""Expressions of a problem whose concepts occur twice or more."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from nlfol.problems.dialects.words import WORD
from nlfol.problems.problem import Problem, Statement

_SHORTEST = 3
"""Letters of the shortest word that others can be inflections of."""

_LONGEST = 4
"""Words of the longest phrase in free English."""

_LISTED = (
    "a about above after all also although an and any anyone anything are as at be because been before being "
    "below both but by can cannot could did do does doing either else every everyone everything few for from "
    "had has have having he her hers him his how if in into is it its itself many may me might more most must "
    "my neither no nobody none nor not nothing of on one only or other our out over same shall she should "
    "since so some someone something such than that the their them themselves then there therefore these they "
    "this those though through to true false unknown under unless until up was we were what when where "
    "whether which while who whom whose why will with within without would yes you your"
)
_FUNCTION_WORDS = frozenset(_LISTED.split())
"""Words that name no concept."""


class Expression(NamedTuple):
    """An occurrence in a statement of a concept that occurs twice or more.

    The concept is a symbol; in free English, the lemmas in small letters. For names of individuals no lexicon has other
    words.
    """

    statement: int
    start: int
    end: int
    concept: str
    words: str
    is_name: bool


def repeated(problem: Problem) -> list[Expression]:
    """Return the expressions of the statements, in order, whose concepts have two or more.

    Question and options count, but stay as they are. In controlled English mentions count; in free English, phrases of
    up to four words without function words, in any inflection: the longest first, and no place twice.
    """
    asked = (problem.question, *problem.options)
    if any(statement.mentions for statement in problem.statements):
        expressions = list(_mentioned(problem.statements))
        further = Counter(mention.concept for sentence in asked for mention in sentence.mentions)
    else:
        expressions, further = _by_lemmas([each.text for each in problem.statements], [each.text for each in asked])
    counts = Counter(expression.concept for expression in expressions) + further
    capital: defaultdict[str, bool] = defaultdict(lambda: True)
    for expression in expressions:
        capital[expression.concept] &= expression.words[:1].isupper()
    return [
        expression._replace(is_name=capital[expression.concept] and not expression.concept[:1].isupper())
        for expression in sorted(expressions)
        if counts[expression.concept] > 1
    ]


def _mentioned(statements: Sequence[Statement]) -> Iterator[Expression]:
    for place, statement in enumerate(statements):
        for mention in statement.mentions:
            words = statement.text[mention.start : mention.end]
            yield Expression(place, mention.start, mention.end, mention.concept, words, False)


def _by_lemmas(statements: Sequence[str], asked: Sequence[str]) -> tuple[list[Expression], Counter[str]]:
    texts = [*statements, *asked]
    words = [list(WORD.finditer(text)) for text in texts]
    lemmas = _lemmas({match[0].lower() for found in words for match in found})
    free = [[match[0].lower() not in _FUNCTION_WORDS and len(match[0]) > 1 for match in found] for found in words]
    expressions: list[Expression] = []
    further: Counter[str] = Counter()
    for length in range(_LONGEST, 0, -1):
        places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, (text, found) in enumerate(zip(texts, words, strict=True)):
            for first in range(len(found) - length + 1):
                if all(free[number][first : first + length]) and _together(text, found[first : first + length]):
                    lemma = " ".join(lemmas[match[0].lower()] for match in found[first : first + length])
                    places[lemma].append((number, first))
        for concept, where in places.items():
            apart = _not_overlapping(where, length, free)
            if len(apart) < 2:
                continue
            for number, first in apart:
                free[number][first : first + length] = [False] * length
                start, end = words[number][first].start(), words[number][first + length - 1].end()
                if number < len(statements):
                    expressions.append(Expression(number, start, end, concept, texts[number][start:end], False))
                else:
                    further[concept] += 1
    return expressions, further


_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"))


def _lemmas(words: Collection[str]) -> Mapping[str, str]:
    """Map words to the word of the same text that they inflect, if there is one: "dogs" to "dog" beside it."""

    def lemma(word: str) -> str:
        found = (word.removesuffix(ending) + base for ending, base in _ENDINGS if word.endswith(ending))
        # Of one letter that is doubled, as in "stopped".
        stems = [stem for each in found for stem in (each, each[:-1] if each[-1:] == each[-2:-1] else each)]
        return next((stem for stem in stems if len(stem) >= _SHORTEST and stem in words), word)

    return {word: lemma(word) for word in words}


def _together(text: str, found: Sequence[re.Match[str]]) -> bool:
    return all(text[one.end() : other.start()].isspace() for one, other in pairwise(found))


def _not_overlapping(
    where: Sequence[tuple[int, int]], length: int, free: Sequence[list[bool]]
) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for number, first in where:
        if all(free[number][first : first + length]) and not (
            kept and kept[-1][0] == number and first < kept[-1][1] + length
        ):
            kept.append((number, first))
    return kept
