"""The unambiguous English of ``nlfol.logic.english`` as a dialect: formulas, and where their English names concepts.

Each form of a concept is a symbol of its own. There are no references: names stand for individuals, and variables for
everything else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from nlfol.logic import Formula, to_unicode
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import EnglishSyntaxError
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.syntax import Atom, Constant, Path, Term, replace, subformulas
from nlfol.problems.dialects.dialect import CLASS, NAMED, QUALITY, Dialect, Place
from nlfol.problems.dialects.references import REFERENCES
from nlfol.problems.dialects.words import DialectError, article
from nlfol.problems.lexicon import BASE, Category, Lexicon, Slot, Word
from nlfol.problems.problem import Mention, Statement

_SLOTS = {
    Category.ADJECTIVE: QUALITY,
    Category.NOUN: CLASS,
    Category.VERB: frozenset({Slot.WORD, Slot.PASSIVE}),
    Category.NAME: NAMED,
}


class Sentence(NamedTuple):
    """A formula over concepts, and the word of each predicate, in preorder, followed by those of its constants."""

    formula: Formula
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Proofs(Dialect):
    """The dialect of some concepts, with the ontology that glosses their forms, and their words by its symbols."""

    lexicon: Lexicon
    ontology: Ontology
    words: dict[str, Word]

    @classmethod
    def of(cls, lexicon: Lexicon) -> Proofs:
        """Return the dialect of all concepts of a lexicon."""
        words = [Word(concept.symbol, key) for concept in lexicon.concepts.values() for key in concept.forms]
        return cls(lexicon, _glosses(words, lexicon), {_symbol_of(word): word for word in words})

    @override
    def write(self, sentence: Sentence) -> Statement:
        text = render(self._named(sentence), self.ontology)
        mentions = list(self._mentions(text, dict.fromkeys(word.concept for word in sentence.words)))
        mentioned = Counter(Word(mention.concept, mention.form) for mention in mentions)
        if mentioned != Counter(sentence.words):
            raise DialectError(text, 0, "the words do not say plainly which concept is meant; use others")
        return Statement(text, to_unicode(sentence.formula), tuple(mentions))

    @override
    def named(self, sentence: Sentence) -> tuple[str, ...]:
        return ()

    @override
    def turns(self, sentence: Sentence, before: Sentence | None) -> list[Sentence]:
        return []

    @override
    def readings(self, text: str, before: Sequence[str]) -> list[tuple[Sentence, Statement]]:
        try:
            named = read_english(text, self.ontology)
        except EnglishSyntaxError as error:
            raise DialectError(text, error.position, error.problem) from error
        words: list[Word] = []
        formula = named
        for path, atom in _atoms(named):
            predicate = self.words[atom.predicate]
            arguments = self._turned(predicate, atom.arguments)
            individuals = [self.words[term.name] for term in arguments if isinstance(term, Constant)]
            words += [predicate, *individuals]
            plain = [
                Constant(self.words[term.name].concept) if isinstance(term, Constant) else term for term in arguments
            ]
            formula = replace(formula, path, Atom(predicate.concept, tuple(plain)))
        sentence = Sentence(formula, tuple(words))
        return [(sentence, self.write(sentence))]

    @override
    def places(self, sentence: Sentence, before: Sequence[str]) -> list[Place]:
        return [Place(word, _SLOTS[self.lexicon.concepts[word.concept].category]) for word in sentence.words]

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        return Sentence(sentence.formula, tuple(words))

    def plain(self, formula: Formula) -> Sentence:
        """Return the tree of a formula over concepts, with base forms."""
        words: list[Word] = []
        for _, atom in _atoms(formula):
            words += [Word(atom.predicate), *(Word(term.name) for term in atom.arguments if isinstance(term, Constant))]
        return Sentence(formula, tuple(words))

    def stated(self, formula: Formula) -> Statement:
        """Return the statement of a formula over concepts, in base forms."""
        return self.write(self.plain(formula))

    def _named(self, sentence: Sentence) -> Formula:
        """Return the formula with a symbol for each form."""
        words = iter(sentence.words)
        formula = sentence.formula
        for path, atom in _atoms(formula):
            predicate = next(words)
            terms = [
                Constant(_symbol_of(next(words))) if isinstance(term, Constant) else term for term in atom.arguments
            ]
            named = Atom(_symbol_of(predicate), self._turned(predicate, terms))
            formula = replace(formula, path, named)
        return formula

    def _turned(self, predicate: Word, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Return the terms; of a passive, from the last to the first."""
        ordered = tuple(terms)
        return ordered[::-1] if self.lexicon.form(predicate).slot is Slot.PASSIVE else ordered

    def _mentions(self, text: str, concepts: Iterable[str]) -> Iterator[Mention]:
        """Yield the mentions of concepts in a text, trying the longest words first."""
        by_words: dict[str, Word] = {}
        for concept in concepts:
            for form in self.lexicon.concepts[concept].forms.values():
                for words in (form.singular, form.plural):
                    by_words.setdefault(words, Word(concept, form.key))
                    by_words.setdefault(words[:1].upper() + words[1:], Word(concept, form.key))
        longest = sorted(by_words, key=lambda words: (-len(words), words))
        for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", text):
            yield Mention(match.start(), match.end(), *by_words[match[0]])


def _atoms(formula: Formula) -> list[tuple[Path, Atom]]:
    return [(path, part) for path, part in subformulas(formula) if isinstance(part, Atom)]


def _glosses(words: Sequence[Word], lexicon: Lexicon) -> Ontology:
    """Return glosses of adjectives, nouns, verbs (a passive's subject last) as predicates, of names as constants."""
    predicates, constants = [], []
    for word in words:
        singular, other = lexicon.said(word), lexicon.said(word, plural=True)
        category, symbol = lexicon.concepts[word.concept].category, _symbol_of(word)
        slot = lexicon.form(word).slot
        if not category.is_predicate:
            if slot not in REFERENCES:
                constants.append(ConstantSymbol(symbol, singular))
        elif slot is Slot.PASSIVE:
            predicates.append(Predicate(symbol, 2, f"{{}} is {singular} by {{}}", f"{{}} is not {singular} by {{}}"))
        elif category is Category.VERB:
            predicates.append(Predicate(symbol, 2, f"{{}} {singular} {{}}", f"{{}} does not {other} {{}}"))
        elif slot is Slot.VERB_PHRASE:
            predicates.append(Predicate(symbol, 1, f"{{}} {singular}", f"{{}} does not {other}"))
        else:
            quality = f"{article(singular)} {singular}" if category is Category.NOUN else singular
            predicates.append(Predicate(symbol, 1, f"{{}} is {quality}", f"{{}} is not {quality}"))
    return Ontology(tuple(predicates), (), tuple(constants))


def _symbol_of(word: Word) -> str:
    """Return the symbol of a concept in one of its forms; the base form has the concept's own."""
    return word.concept if word.form == BASE else f"{word.concept}__{word.form.replace('.', '_')}"
