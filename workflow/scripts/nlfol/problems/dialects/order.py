"""The English of BIG-bench's logical deduction (Srivastava et al., TMLR 2023): things in a row.

Its words are those of a scene of the lexicon.

    statement    = introduction | relation | position
    introduction = the scene's sentence with the number of things and their list
    relation     = thing verb ( before | after ) thing "."
    position     = thing verb place "."

With all forms of its things, those of a relation or position can be references to things of the sentence before. The
scene says in what other syntax relations and positions can be said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from typing_extensions import override

from nlfol.problems.dialects.dialect import NAMED, GrammarDialect, Place
from nlfol.problems.dialects.references import named, referring
from nlfol.problems.dialects.words import DialectError, Said, Text, Writer
from nlfol.problems.lexicon import Category, Lexicon, Scene, Word
from nlfol.problems.problem import Statement

NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}


class Introduction(NamedTuple):
    """The things, in the order of the list."""

    things: tuple[Word, ...]


class Relation(NamedTuple):
    """One thing before or after another."""

    thing: Word
    other: Word
    after: bool
    turn: str = ""


class Position(NamedTuple):
    """The position of a thing, from 1, counted from the front or back."""

    thing: Word
    place: int
    back: bool
    turn: str = ""


Sentence = Introduction | Relation | Position


def line(sentence: Sentence, size: int) -> str:
    """Return the constraint that a sentence about things in a row states."""
    match sentence:
        case Introduction(things):
            return f"AllDifferentConstraint([{', '.join(thing.concept for thing in things)}])"
        case Relation(thing, other, after):
            return f"{thing.concept} {'>' if after else '<'} {other.concept}"
        case Position(thing, place, back):
            return f"{thing.concept} == {size + 1 - place if back else place}"


def write(sentence: Sentence, scene: Scene, size: int, lexicon: Lexicon) -> Statement:
    """Write the sentence in English."""
    writer = Writer(lexicon)
    match sentence:
        case Introduction(things):
            _write_introduction(writer, things, scene)
        case Relation(thing, other, after, turn):
            relation = scene.after if after else scene.before
            first, between, last = {
                "": (thing, f"{scene.verb} {relation}", other),
                "inverted": (None, relation, other),
                "converse": (other, scene.converse[after] if scene.converse else "", thing),
            }[turn]
            if first is not None:
                _write_thing(writer, first, scene)
            writer.add(between)
            _write_thing(writer, last, scene, objective=True)
            if turn == "inverted":
                writer.add(scene.verb)
                _write_thing(writer, thing, scene)
        case Position(thing, place, back, turn):
            opening = {
                "": "",
                "middle": "",
                "inverted": f"{_place(scene, place, back=back)} {scene.verb}",
                "alone": scene.alone[back] if scene.alone else "",
            }[turn]
            if opening:
                writer.add(opening)
            _write_thing(writer, thing, scene, objective=bool(opening))
            if not opening:
                words = scene.middle if turn == "middle" else _place(scene, place, back=back)
                writer.add(f"{scene.verb} {words}")
    return writer.statement(line(sentence, size))


def read_introduction(text: str, lexicon: Lexicon) -> tuple[Scene, Introduction, Statement]:
    """Read the first sentence; return scene, things and statement. Raises ``DialectError`` if it is of no scene."""
    for scene, size in product(lexicon.scenes.values(), NUMBERS):
        dialect = Order(lexicon, scene, size)
        for introduction in dialect.introductions(Text(text, lexicon)):
            if (statement := dialect.write(introduction)).text == text:
                return scene, introduction, statement
    raise DialectError(text, 0, f"the introduction of no scene; there are {', '.join(lexicon.scenes)}")


def _write_introduction(writer: Writer, things: tuple[Word, ...], scene: Scene) -> None:
    opening, kind = frame(scene)
    writer.add(f"{opening} {NUMBERS[len(things)]} {kind}")
    writer.add(":")
    for index, thing in enumerate(things):
        if index:
            writer.add(",")
        if index == len(things) - 1:
            writer.add("and")
        if scene.things == "singular":
            writer.indefinite(thing)
        else:
            writer.mention(thing, plural=scene.things == "plural")


def frame(scene: Scene) -> tuple[str, str]:
    """Return the introduction's words before the number of things, and the kind of things."""
    opening, _, rest = scene.introduction.partition("{number}")
    return opening.strip(), rest.partition(":")[0].strip()


def _write_thing(writer: Writer, thing: Word, scene: Scene, *, objective: bool = False) -> None:
    has_article, plural = scene.things != "names", scene.things == "plural"
    writer.individual(thing, article=has_article, plural=plural, objective=objective)


def item_category(scene: Scene) -> Category:
    """Return the category of the things of a scene."""
    return Category.NAME if scene.things == "names" else Category.OBJECT


def _place(scene: Scene, place: int, *, back: bool) -> str:
    first, other = scene.places_back if back else scene.places
    return first if place == 1 else other.format(nth=ORDINALS[place])


@lru_cache(maxsize=100)
def places(scene: Scene) -> dict[str, tuple[int, bool]]:
    """Return positions by the words for them."""
    return {
        _place(scene, place, back=back): (place, back)
        for back in (True, False)
        for place in range(1, max(ORDINALS) + 1)
    }


@dataclass(frozen=True, slots=True)
class Order(GrammarDialect):
    """The dialect with all forms of the things of a scene."""

    lexicon: Lexicon
    scene: Scene
    size: int

    @override
    def write(self, sentence: Sentence) -> Statement:
        return write(sentence, self.scene, self.size, self.lexicon)

    @override
    def named(self, sentence: Sentence) -> tuple[str, ...]:
        return () if isinstance(sentence, Introduction) else named(self.write(sentence), self.lexicon)

    @override
    def turns(self, sentence: Sentence, before: Sentence | None) -> list[Sentence]:
        scene = self.scene
        turns: list[Sentence] = []
        match sentence:
            case Relation():
                turns += [sentence._replace(turn="inverted")] if "relation" in scene.inverted else []
                turns += [sentence._replace(turn="converse")] if scene.converse else []
            case Position(place=place):
                turns += [sentence._replace(turn="inverted")] if "position" in scene.inverted else []
                turns += [sentence._replace(turn="alone")] if scene.alone and place == 1 else []
                turns += [sentence._replace(back=False, turn="middle")] if self._is_middle(place) else []
        return turns

    def _is_middle(self, place: int) -> bool:
        return bool(self.scene.middle) and place * 2 == self.size + 1

    @override
    def trees(self, source: Text, before: Sequence[str]) -> Iterator[Sentence]:
        yield from self.introductions(source)
        for thing in self._things(source, 0, before):
            yield from self._said(source, thing, before)
        for words, (place, back) in self._positions():
            for thing in self._things(source, source.after(f"{words} {self.scene.verb}", 0)):
                if source.ends(thing.end):
                    yield Position(thing.word, place, back, "inverted")
        for after, relation in enumerate((self.scene.before, self.scene.after)):
            for other in self._things(source, source.after(relation, 0), before, objective=True):
                for thing in self._things(source, source.after(self.scene.verb, other.end)):
                    if source.ends(thing.end):
                        yield Relation(thing.word, other.word, bool(after), "inverted")
        for last, alone in enumerate(self.scene.alone):
            for thing in self._things(source, source.after(alone, 0), before, objective=True):
                if source.ends(thing.end):
                    yield Position(thing.word, 1, bool(last), "alone")

    @override
    def places(self, sentence: Sentence, before: Sequence[str]) -> list[Place]:
        match sentence:
            case Introduction(things):
                # What is introduced has its own name: "a gray book, a white one, and a volume bound in red" is no list.
                return [Place(thing, frozenset()) for thing in things]
            case Relation(thing, other, turn=turn):
                return [self._place(thing, () if turn == "inverted" else before), self._place(other, before)]
            case Position(thing, turn=turn):
                return [self._place(thing, () if turn == "inverted" else before)]

    def _place(self, thing: Word, before: Sequence[str]) -> Place:
        return Place(thing, NAMED | referring(self.lexicon.concepts[thing.concept], before, self.lexicon))

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
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
        """True if things are named in the plural."""
        return self.scene.things == "plural"

    def _positions(self) -> Iterator[tuple[str, tuple[int, bool]]]:
        """Yield the words for positions that there are, with the positions."""
        return ((words, position) for words, position in places(self.scene).items() if position[0] <= self.size)

    def _things(
        self, source: Text, at: int | None, before: Sequence[str] = (), *, objective: bool = False
    ) -> Iterator[Said]:
        has_article = self.scene.things != "names"
        yield from source.individual(item_category(self.scene), at, article=has_article, plural=self.is_plural)
        yield from source.reference(before, at, plural=self.is_plural, objective=objective)

    def _said(self, source: Text, thing: Said, before: Sequence[str]) -> Iterator[Sentence]:
        for after, relation in enumerate(self.scene.converse):
            for other in self._things(source, source.after(relation, thing.end), before, objective=True):
                if source.ends(other.end):
                    yield Relation(other.word, thing.word, bool(after), "converse")
        verb = source.after(self.scene.verb, thing.end)
        if self.scene.middle and self.size % 2 and source.ends(source.after(self.scene.middle, verb)):
            yield Position(thing.word, (self.size + 1) // 2, back=False, turn="middle")
        for words, (place, back) in self._positions():
            if source.ends(source.after(words, verb)):
                yield Position(thing.word, place, back)
        for after, relation in enumerate((self.scene.before, self.scene.after)):
            for other in self._things(source, source.after(relation, verb), before, objective=True):
                if source.ends(other.end):
                    yield Relation(thing.word, other.word, bool(after))

    def introductions(self, source: Text) -> Iterator[Introduction]:
        """Yield the readings of a sentence as an introduction of this many things."""
        opening, kind = frame(self.scene)
        at: int | None = 0
        for words in (opening[:1].lower() + opening[1:], NUMBERS[self.size], kind, ":"):
            at = source.after(words, at)
        lists: list[tuple[tuple[Word, ...], int | None]] = [((), at)]
        for number in range(self.size):
            lists = source.few(
                ((*things, match.word), match.end)
                for things, end in lists
                for start in self._item_starts(source, end, number)
                for match in source.words(item_category(self.scene), start, plural=self.is_plural)
            )
        for things, end in lists:
            if source.ends(end):
                yield Introduction(things)

    def _item_starts(self, source: Text, at: int | None, number: int) -> list[int | None]:
        for words in ([","] if number else []) + (["and"] if number == self.size - 1 else []):
            at = source.after(words, at)
        return [source.after(article, at) for article in ("a", "an")] if self.scene.things == "singular" else [at]
