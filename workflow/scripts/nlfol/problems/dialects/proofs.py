"""Formulas in the unambiguous English of ``nlfol.english``, with the places where it speaks of concepts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nlfol.english.errors import EnglishSyntaxError
from nlfol.english.reading import read_english
from nlfol.english.unambiguous import render
from nlfol.logic import Formula, parse, to_unicode
from nlfol.logic.syntax import Atom, Constant, subformulas
from nlfol.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.problems.dialects.words import article
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import BASE, Category, Lexicon, Slot, Word
from nlfol.problems.problem import Mention, Problem, Statement


def glosses(words: Sequence[Word], lexicon: Lexicon) -> Ontology:
    """What concepts are called: adjectives, nouns and verbs as predicates, names as constants.

    A form other than the base form has a symbol of its own, see ``symbol_of``; of the passive the subject comes last.
    """
    predicates, constants = [], []
    for word in words:
        said, other = lexicon.said(word), lexicon.said(word, plural=True)
        category, symbol = lexicon.concepts[word.concept].category, symbol_of(word)
        slot = lexicon.form(word).slot
        if not category.is_predicate:
            if slot is not Slot.REFERENCE:
                constants.append(ConstantSymbol(symbol, said))
        elif slot is Slot.PASSIVE:
            predicates.append(Predicate(symbol, 2, f"{{}} is {said} by {{}}", f"{{}} is not {said} by {{}}"))
        elif category is Category.VERB:
            predicates.append(Predicate(symbol, 2, f"{{}} {said} {{}}", f"{{}} does not {other} {{}}"))
        elif slot is Slot.VERB_PHRASE:
            predicates.append(Predicate(symbol, 1, f"{{}} {said}", f"{{}} does not {other}"))
        else:
            quality = f"{article(said)} {said}" if category is Category.NOUN else said
            predicates.append(Predicate(symbol, 1, f"{{}} is {quality}", f"{{}} is not {quality}"))
    return Ontology(tuple(predicates), (), tuple(constants))


def symbol_of(word: Word) -> str:
    """The symbol of a concept in one of its forms."""
    return word.concept if word.form == BASE else f"{word.concept}__{word.form.replace('.', '_')}"


def write(formula: Formula, ontology: Ontology, lexicon: Lexicon) -> Statement:
    """The formula in English.

    Raises:
        DialectError: if a concept is not found as often as the formula has its symbol.
    """
    text = render(formula, ontology)
    mentions: list[Mention] = []
    for symbol, count in _occurrences(formula).items():
        said = {lexicon.said(Word(symbol), plural=plural) for plural in (False, True)}
        pattern = rf"\b(?:{'|'.join(map(re.escape, sorted(said)))})\b"
        found = [Mention(match.start(), match.end(), symbol, "base") for match in re.finditer(pattern, text)]
        if len(found) != count:
            raise DialectError(text, 0, f"{symbol} is said {len(found)} times, and {count} times in the formula")
        mentions += found
    return Statement(text, to_unicode(formula), tuple(sorted(mentions)))


def read(text: str, ontology: Ontology) -> Formula:
    """Read a sentence.

    Raises:
        DialectError: if it is none over these concepts.
    """
    try:
        return read_english(text, ontology)
    except EnglishSyntaxError as error:
        raise DialectError(text, error.position, error.problem) from error


def ontology_of(problem: Problem, lexicon: Lexicon) -> Ontology:
    """What the concepts of a problem's gold program are called."""
    lines = [statement.line for statement in (*problem.statements, problem.question) if statement.line is not None]
    symbols = Counter[str]()
    for line in lines:
        symbols.update(_occurrences(parse(line)))
    return glosses([Word(symbol) for symbol in symbols], lexicon)


def _occurrences(formula: Formula) -> Counter[str]:
    """How often a formula has each predicate and constant."""
    found: Counter[str] = Counter()
    for _, part in subformulas(formula):
        if isinstance(part, Atom):
            found[part.predicate] += 1
            found.update(term.name for term in part.arguments if isinstance(term, Constant))
    return found
