"""Causes of a wrong answer, by what would make it right.

The symbols of a concept are merged; a symbol of several concepts is split; both; the query alone is replaced. The first
of these that gives the right answer is the cause, also of a program that was not executed: a symbol that only drift
left undefined is drift. Else it is the failure, or the logic of some line.

What a map can explain is no fault of logic: one wrong symbol in a line is drift and, if it is another concept's,
collision.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from nlfol.problems.alignment.aligning import Alignment, Sentence
from nlfol.problems.programs.language import DEFAULT_POLICY, Lines, Policy
from nlfol.problems.programs.outcome import Execution, Outcome
from nlfol.problems.programs.symbols import Conjunct, Image, Key, LineError, Symbol, identity, key_of


class _Way(NamedTuple):
    """The relation of a symbol to another: for each argument of the other, one of the symbol's; the polarity."""

    places: tuple[int, ...]
    value: bool

    def then(self, other: _Way) -> _Way:
        """Return how the symbol stands to what the other stands to."""
        return _Way(tuple(self.places[place] for place in other.places), self.value == other.value)

    @property
    def back(self) -> _Way:
        """Return how the other stands to the symbol."""
        places = [0] * len(self.places)
        for place, argument in enumerate(self.places):
            places[argument] = place
        return _Way(tuple(places), self.value)


def _way(image: Image) -> _Way:
    """Return how a concept stands to its image; a conjunction is taken as it is."""
    part = image[0]
    if len(image) > 1:
        return _Way(tuple(range(max(len(conjunct.places) for conjunct in image))), True)
    return _Way(part.places, part.value)


def merged(alignment: Alignment) -> Lines:
    """Return the program with one symbol for all that are aligned with one concept or share one with them."""
    roots = _roots(alignment)

    def image(_: Symbol, given: Image) -> Image:
        root, way = roots[key_of(given)]
        return (Conjunct(root, *_way(given).then(way)),)

    def other(symbol: Symbol, _: Sentence | None) -> Image:
        root, way = roots.get((symbol,), (symbol, None))
        return identity(symbol) if way is None else (Conjunct(root, *way),)

    return _changed(alignment, image, other)


def _roots(alignment: Alignment) -> dict[Key, tuple[Symbol, _Way]]:
    """Return the first image of each image's class, and how the image stands to it."""
    ways: dict[Key, dict[Symbol, _Way]] = {}
    keys: dict[Symbol, dict[Key, _Way]] = {}
    for concept, image, _ in alignment.mentions:
        way = _way(image)
        keys.setdefault(concept, {}).setdefault(key_of(image), way)
        ways.setdefault(key_of(image), {}).setdefault(concept, way)
    roots: dict[Key, tuple[Symbol, _Way]] = {}
    for first, concepts in ways.items():
        if first in roots:
            continue
        arity = next(iter(concepts)).arity
        root = first[0]._replace(name="_".join(symbol.name for symbol in first), arity=arity)
        roots[first] = root, _Way(tuple(range(arity)), True)
        waiting = deque([first])
        while waiting:
            key = waiting.popleft()
            for concept, way in ways[key].items():
                for other, further in keys[concept].items():
                    if other not in roots:
                        roots[other] = root, further.back.then(way).then(roots[key][1])
                        waiting.append(other)
    return roots


def split(alignment: Alignment) -> Lines:
    """Return the program with a symbol for each concept in place of one that several are aligned with."""
    concepts = alignment.concepts

    def apart(symbol: Symbol, concept: Symbol) -> Symbol:
        return symbol._replace(name=f"{symbol.name}_{concept.name}")

    def image(concept: Symbol, given: Image) -> Image:
        if len(concepts[key_of(given)]) < 2:
            return given
        return tuple(part._replace(symbol=apart(part.symbol, concept)) for part in given)

    def other(symbol: Symbol, sentence: Sentence | None) -> Image:
        concept = _likely(concepts.get((symbol,), Counter()), sentence)
        if concept is None or len(concepts[symbol,]) < 2:
            return identity(symbol)
        return identity(apart(symbol, concept))

    return _changed(alignment, image, other)


def in_concepts(alignment: Alignment) -> Lines:
    """Return the program with concepts for the symbols that are aligned with them: without drift and collision."""
    concepts = alignment.concepts
    ways = {(concept, key_of(image)): _way(image).back for concept, image, _ in alignment.mentions}

    def other(symbol: Symbol, sentence: Sentence | None) -> Image:
        concept = _likely(concepts.get((symbol,), Counter()), sentence)
        return identity(symbol) if concept is None else (Conjunct(concept, *ways[concept, (symbol,)]),)

    return _changed(alignment, lambda concept, _: identity(concept), other)


def asked_right(alignment: Alignment) -> Lines:
    """Return the program with the gold query in its own most frequent symbols."""
    images = alignment.most_frequent()
    asked = {}
    for place, line in alignment.gold.asked.items():
        try:
            asked[place] = alignment.language.rewritten((line,), images)[0]
        except LineError:
            asked[place] = line  # a negated conjunction: no literal says it
    program = replace(alignment.program, asked=asked, variables=())
    return alignment.language.with_variables(program, alignment.program.variables)


def _likely(concepts: Counter[Symbol], sentence: Sentence | None) -> Symbol | None:
    """Return the concept that a symbol stands for in a line: one of its gold line, or the most frequent."""
    here = [concept for concept in concepts if sentence is not None and concept in sentence.concepts]
    return max(sorted(here or concepts), key=lambda concept: concepts[concept], default=None)


def _changed(
    alignment: Alignment, image: Callable[[Symbol, Image], Image], other: Callable[[Symbol, Sentence | None], Image]
) -> Lines:
    language = alignment.language
    sentences = {sentence.place: sentence for sentence in alignment.sentences}
    changed: dict[str, tuple[str, ...]] = {}
    for place, lines in alignment.program.places.items():
        sentence = sentences.get(place)
        try:
            if sentence is not None and sentence.fits:
                images = (image(concept, given) for concept, given, _ in sentence.mentions)
                changed[place] = language.renamed(sentence.gold, lambda _, images=images: next(images))  # type: ignore[misc]
            elif lines:
                symbols = language.numbered(lines).symbols
                changed[place] = language.rewritten(lines, {symbol: other(symbol, sentence) for symbol in symbols})
        except LineError:
            continue  # what cannot be read or said so stays as it is
    return language.with_variables(alignment.program.changed(changed), alignment.program.variables)


class Cause(StrEnum):
    """Causes of a wrong answer; ``right``, if it is not wrong."""

    RIGHT = "right"
    DRIFT = "drift"
    COLLISION = "collision"
    DRIFT_AND_COLLISION = "drift_and_collision"
    QUERY = "query"
    LOGIC = "logic"
    UNPARSABLE = "unparsable"
    FAILED = "failed"


_TRIED: dict[Cause, Callable[[Alignment], Lines]] = {
    Cause.DRIFT: merged,
    Cause.COLLISION: split,
    Cause.DRIFT_AND_COLLISION: in_concepts,
    Cause.QUERY: asked_right,
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The first cause that explains a wrong answer; of a fault of logic, the first place that no map makes equivalent.

    The gold lines of that place are in the program's symbols.
    """

    cause: Cause
    execution: Execution  # of the program as it is
    tried: dict[Cause, str | None] = field(default_factory=dict)  # answers of the programs that were tried
    place: str | None = None
    lines: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    difference: Any = None  # a counter-model, literals of clauses, or places


def cause_of(
    alignment: Alignment,
    answer: str,
    options: Sequence[str] = (),
    *,
    program: str | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> Explanation:
    """Explain why the answer of an aligned program is not the letter of the right option.

    Options are those of ``programs.execute``; ``program`` is the program as written, if it is not as its lines
    are put together. Raises ``OptionsError`` if options cannot be used.
    """
    language = alignment.program.language
    execution = language.execute(alignment.program.text if program is None else program, options, policy)
    if execution.outcome is Outcome.UNPARSABLE:
        return Explanation(Cause.UNPARSABLE, execution)
    if execution.answer == answer:
        return Explanation(Cause.RIGHT, execution)
    quickly = replace(policy, explains=False)
    answered = cache(lambda text: language.execute(text, options, quickly).answer)  # of several the text is the same
    tried: dict[Cause, str | None] = {}
    for cause, changed in _TRIED.items():
        tried[cause] = answered(changed(alignment).text)
        if tried[cause] == answer:
            return Explanation(cause, execution, tried)
    if execution.outcome is Outcome.FAILED:
        return Explanation(Cause.FAILED, execution, tried)
    wrong = next((sentence for sentence in alignment.sentences if not sentence.fits), None)
    if wrong is None:
        place = alignment.extra[0] if alignment.extra else None
        lines = alignment.program.lines.get(place, ()) if place else ()
        return Explanation(Cause.LOGIC, execution, tried, place, lines)
    return _logic(alignment, wrong, execution, tried)


def _logic(alignment: Alignment, wrong: Sentence, execution: Execution, tried: dict[Cause, str | None]) -> Explanation:
    language = alignment.language
    try:
        gold = language.rewritten(wrong.gold, alignment.most_frequent())
        difference = language.difference(gold, wrong.lines) if wrong.lines and wrong.error is None else None
    except LineError:
        gold, difference = wrong.gold, None  # a negated conjunction: the line is shown in its concepts
    return Explanation(Cause.LOGIC, execution, tried, wrong.place, wrong.lines, gold, difference)
