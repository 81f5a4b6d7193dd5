"""ProntoQA's English with all forms of its concepts: what ``taxonomy`` reads, and further sentences.

universal  = ... | ( "Each" | "Every" ) "individual that" verb phrase said "." | "Individuals that" verb phrase said "."
membership = ... | reference said "."
said       = ... | verb phrase | ( "does" | "do" ) "not" verb phrase

A reference is the subject of a membership, if the sentence before is one, too: of the same individual.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nlfol.problems.dialects import taxonomy
from nlfol.problems.dialects.diversified.places import CLASS, NAMED, QUALITY, REFERRED, Place
from nlfol.problems.dialects.diversified.text import Said, Text
from nlfol.problems.dialects.taxonomy import ONES, QUANTIFIERS, Sentence
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The English of ``taxonomy``.

    Attributes:
        lexicon: has the forms.
    """

    lexicon: Lexicon

    def write(self, sentence: Sentence) -> Statement:
        """The sentence in English."""
        return taxonomy.write(sentence, self.lexicon)

    def topic(self, sentence: Sentence) -> str | None:
        """The individual that a membership is of."""
        return sentence.subject.concept if sentence.quantifier is None else None

    def readings(self, text: str, topic: str | None) -> list[tuple[Sentence, Statement]]:
        """All trees of a sentence; see :class:`~nlfol.problems.dialects.diversified.places.Dialect`."""
        source = Text(text, self.lexicon)
        found: dict[Sentence, None] = {}
        for quantifier, subject in source.few(self._subjects(source, topic)):
            for said in source.says(subject.end, plural=quantifier == "", classes=True):
                if source.ends(said.end):
                    found[Sentence(subject.word, said.word, said.value, quantifier)] = None
        trees = source.exact((tree, self.write(tree)) for tree in found)
        return trees or source.fail()

    def places(self, sentence: Sentence, topic: str | None) -> list[Place]:
        """Where concepts are said."""
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        slots = REFERRED if topic == sentence.subject.concept else NAMED
        subject = Place(sentence.subject, slots if sentence.quantifier is None else CLASS)
        return [subject, Place(sentence.predicate, CLASS if is_class else QUALITY)]

    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        """The tree with these words at its places."""
        subject, predicate = words
        return sentence._replace(subject=subject, predicate=predicate)

    def _subjects(self, source: Text, topic: str | None) -> Iterator[tuple[str | None, Said]]:
        for said in (*source.reference(topic, 0), *source.words(Category.NAME, 0)):
            yield None, said
        for quantifier in QUANTIFIERS:
            plural = not quantifier
            start = source.after(quantifier, 0) if quantifier else 0
            if start is not None:
                for said in source.words(Category.NOUN, start, plural=plural):
                    yield quantifier, said
                verb = source.after(ONES[plural], start)
                for said in source.words(Category.NOUN, verb, plural=plural, slot=Slot.VERB_PHRASE) if verb else ():
                    yield quantifier, said
