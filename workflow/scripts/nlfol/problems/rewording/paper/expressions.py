"""Expressions of a problem whose concepts occur twice or more."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nlfol.problems.dialects.words import WORD
from nlfol.problems.problem import Problem
from nlfol.problems.rewording.paper.phrases import phrases

_SHORTEST = 3
"""Letters of the shortest word that others can be inflections of."""

_LONGEST = 4
"""Words of the longest phrase in free English."""


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

    Question and options count, but stay as they are. In controlled English mentions count; in free English, noun and
    verb phrases of up to four words, in any inflection: the longest first, and no place twice. A part of a phrase
    counts if it ends as the phrase does, is its verb, or is a phrase elsewhere in the problem.
    """
    asked = (problem.question, *problem.options)
    if any(statement.mentions for statement in problem.statements):
        expressions = [
            Expression(
                index, mention.start, mention.end, mention.concept, statement.text[mention.start : mention.end], False
            )
            for index, statement in enumerate(problem.statements)
            for mention in statement.mentions
        ]
        further = Counter(mention.concept for sentence in asked for mention in sentence.mentions)
    else:
        expressions, further = _by_phrases(
            [statement.text for statement in problem.statements], [sentence.text for sentence in asked]
        )
    counts = Counter(expression.concept for expression in expressions) + further
    capital: defaultdict[str, bool] = defaultdict(lambda: True)
    for expression in expressions:
        capital[expression.concept] &= expression.words[:1].isupper()
    return [
        expression._replace(is_name=capital[expression.concept] and not expression.concept[:1].isupper())
        for expression in sorted(expressions)
        if counts[expression.concept] > 1
    ]


def _by_phrases(statements: Sequence[str], asked: Sequence[str]) -> tuple[list[Expression], Counter[str]]:
    texts = [*statements, *asked]
    lemmas = _lemmas({word.lower() for text in texts for word in WORD.findall(text)})

    def lemma(words: Iterable[re.Match[str]]) -> str:
        return " ".join(lemmas[word[0].lower()] for word in words)

    parted = phrases(texts, lemmas)
    whole_lemmas = {lemma(phrase.words) for of_text in parted for phrase in of_text}
    taken: set[tuple[int, int]] = set()
    expressions: list[Expression] = []
    further: Counter[str] = Counter()
    for length in range(_LONGEST, 0, -1):
        occurrences: defaultdict[str, list[tuple[int, list[re.Match[str]]]]] = defaultdict(list)
        for number, of_text in enumerate(parted):
            for words, is_verbal in of_text:
                for first in range(len(words) - length + 1):
                    part = words[first : first + length]
                    is_phrase = first + length == len(words) or (is_verbal and not first and length == 1)
                    if is_phrase or lemma(part) in whole_lemmas:
                        occurrences[lemma(part)].append((number, part))
        for concept, where in occurrences.items():
            used, apart = set[tuple[int, int]](), []
            for number, part in where:
                at = {(number, word.start()) for word in part}
                if taken.isdisjoint(at) and used.isdisjoint(at):
                    used |= at
                    apart.append((number, part[0].start(), part[-1].end()))
            if len(apart) > 1:
                taken |= used
                named = (Expression(*span, concept, texts[span[0]][span[1] : span[2]], False) for span in apart)
                expressions += (expression for expression in named if expression.statement < len(statements))
                further[concept] += sum(number >= len(statements) for number, *_ in apart)
    return expressions, further


_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"))


def _lemmas(words: Collection[str]) -> Mapping[str, str]:
    """Map words to the word of the same text that they inflect, if there is one: "dogs" to "dog" beside it."""

    def lemma(word: str) -> str:
        candidates = (word.removesuffix(ending) + base for ending, base in _ENDINGS if word.endswith(ending))
        # Of one letter that is doubled, as in "stopped".
        stems = [stem for form in candidates for stem in (form, form[:-1] if form[-1:] == form[-2:-1] else form)]
        return next((stem for stem in stems if len(stem) >= _SHORTEST and stem in words), word)

    return {word: lemma(word) for word in words}
