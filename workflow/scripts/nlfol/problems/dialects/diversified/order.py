"""Logical deduction's English with all forms of its things: what ``order`` reads, and further things.

thing = ... | reference

A reference is the subject of a relation or position, if the sentence before is a position: of the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nlfol.problems.dialects import order
from nlfol.problems.dialects.diversified.places import NAMED, REFERRED, Place
from nlfol.problems.dialects.diversified.text import Said, Text
from nlfol.problems.dialects.order import Introduction, Position, Relation, Sentence, item_category
from nlfol.problems.lexicon import Lexicon, Scene, Word
from nlfol.problems.problem import Statement


@dataclass(frozen=True, slots=True)
class Order:
    """The English of ``order`` about some things.

    Attributes:
        lexicon: has the forms.
        scene: has the other words.
        size: how many things there are.
    """

    lexicon: Lexicon
    scene: Scene
    size: int

    def write(self, sentence: Sentence) -> Statement:
        """The sentence in English."""
        return order.write(sentence, self.scene, self.size, self.lexicon)

    def topic(self, sentence: Sentence) -> str | None:
        """The thing that a position is of."""
        return sentence.thing.concept if isinstance(sentence, Position) else None

    def readings(self, text: str, topic: str | None) -> list[tuple[Sentence, Statement]]:
        """All trees of a sentence; see :class:`~nlfol.problems.dialects.diversified.places.Dialect`."""
        source = Text(text, self.lexicon)
        found: dict[Sentence, None] = dict.fromkeys(self._introductions(source))
        things = [*self._things(source, 0), *source.reference(topic, 0, plural=self.is_plural)]
        for thing in things:
            found.update(dict.fromkeys(self._said(source, thing)))
        trees = source.exact((tree, self.write(tree)) for tree in found)
        return trees or source.fail()

    def places(self, sentence: Sentence, topic: str | None) -> list[Place]:
        """Where things are said."""
        match sentence:
            case Introduction(things):
                return [Place(thing, NAMED) for thing in things]
            case Relation(thing, other):
                return [_subject(thing, topic), Place(other, NAMED)]
            case Position(thing):
                return [_subject(thing, topic)]

    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        """The tree with these words at its places."""
        match sentence:
            case Introduction():
                return Introduction(tuple(words))
            case Relation():
                thing, other = words
                return sentence._replace(thing=thing, other=other)
            case Position():
                return sentence._replace(thing=words[0])

    @property
    def is_plural(self) -> bool:
        """Whether things are said in the plural."""
        return self.scene.things == "plural"

    def _things(self, source: Text, at: int) -> Iterator[Said]:
        has_article = self.scene.things != "names"
        yield from source.individual(item_category(self.scene), at, article=has_article, plural=self.is_plural)

    def _said(self, source: Text, thing: Said) -> Iterator[Sentence]:
        verb = source.after(self.scene.verb, thing.end)
        if verb is None:
            return
        for words, (place, back) in order.places(self.scene).items():
            end = source.after(words.removesuffix("."), verb)
            if end is not None and source.ends(end) and place <= self.size:
                yield Position(thing.word, place, back)
        for after in (False, True):
            start = source.after(self.scene.after if after else self.scene.before, verb)
            for other in self._things(source, start) if start is not None else ():
                if source.ends(other.end):
                    yield Relation(thing.word, other.word, after)

    def _introductions(self, source: Text) -> Iterator[Introduction]:
        """An introduction of as many things as there are."""
        opening, kind = order.frame(self.scene)
        at: int | None = 0
        for words in (opening[:1].lower() + opening[1:], order.NUMBERS[self.size], kind, ":"):
            at = None if at is None else source.after(words, at)
        lists: list[tuple[tuple[Word, ...], int]] = [] if at is None else [((), at)]
        for number in range(self.size):
            lists = source.few(
                ((*things, said.word), said.end)
                for things, end in lists
                for start in self._item_starts(source, end, number)
                for said in source.words(item_category(self.scene), start, plural=self.is_plural)
            )
        for things, end in lists:
            if source.ends(end):
                yield Introduction(things)

    def _item_starts(self, source: Text, at: int, number: int) -> Iterator[int]:
        start: int | None = at
        for words in ([","] if number else []) + (["and"] if number == self.size - 1 else []):
            start = None if start is None else source.after(words, start)
        if start is None:
            return
        if self.scene.things != "singular":
            yield start
            return
        for article in ("a", "an"):
            if (item := source.after(article, start)) is not None:
                yield item


def _subject(thing: Word, topic: str | None) -> Place:
    return Place(thing, REFERRED if topic == thing.concept else NAMED)
