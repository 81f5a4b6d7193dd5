"""Words and spellings of others, for the audit of problems that somebody else has put in other words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nlfol.diversification.paper.lexica import PART_OF_CATEGORY, read_wordnet
from nlfol.problems.lexicon import BASE, Category, Concept, Form, Lexicon, LexiconError, further_form

MAX_WORDS = 100
"""Expressions of a concept, and characters of one, that are taken from somebody else."""

_KINDS = {Category.ADJECTIVE: ("synonym", "phrase", "part_of_speech"), Category.NOUN: ("synonym", "part_of_speech")}
"""The kinds of forms that an expression may be, where it may be several."""


def with_words(lexicon: Lexicon, words: Mapping[str, Sequence[str]]) -> Lexicon:
    """Return the lexicon with expressions for concepts, by their base forms, in every place where they could stand.

    Raises ``LexiconError`` for an unknown concept or an expression that is none.
    """
    named: dict[str, list[Concept]] = {}
    for concept in lexicon.concepts.values():
        for said in (concept.symbol, concept.forms[BASE].singular, concept.forms[BASE].plural):
            named.setdefault(said.lower(), []).append(concept)
    changed = dict(lexicon.concepts)
    for word, expressions in words.items():
        if word.lower() not in named:
            raise LexiconError(f"words: {word!r} is no concept; name it by its base form, as 'red' or 'cat'")
        for expression in expressions:
            if (
                not re.fullmatch(rf"[^\W\d_](?:[^\W\d_]|[' -]){{0,{MAX_WORDS}}}", expression)
                or len(expressions) > MAX_WORDS
            ):
                raise LexiconError(f"words: {word}: {expression[:40]!r} is no expression of letters, or one too many")
        for concept in {each.symbol: each for each in named[word.lower()]}.values():
            known = changed[concept.symbol]
            changed[concept.symbol] = replace(known, forms={**known.forms, **_forms(known, expressions)})
    return Lexicon(changed, lexicon.scenes)


def _forms(concept: Concept, expressions: Sequence[str]) -> dict[str, Form]:
    known = {words.lower() for form in concept.forms.values() for words in (form.singular, form.plural)}
    made: dict[str, Form] = {}
    for expression in dict.fromkeys(expressions):
        for kind in _KINDS.get(concept.category, ("synonym",)) if expression.lower() not in known else ():
            form = further_form(f"{kind}.own{len(made)}", expression, concept.category)
            made[form.key] = form
    return made


def with_wordnet(lexicon: Lexicon, folder: Path) -> Lexicon:
    """Return the lexicon with WordNet's synonyms of base forms, of all senses; raises ``LexiconError``."""
    lemmas = {
        concept.symbol: _lemma(concept) for concept in lexicon.concepts.values() if concept.category in PART_OF_CATEGORY
    }
    senses = read_wordnet(folder, set(lemmas.values()))
    changed = dict(lexicon.concepts)
    for symbol, lemma in lemmas.items():
        concept = changed[symbol]
        if found := senses.get(lemma, {}).get(PART_OF_CATEGORY[concept.category]):
            synonyms = [word for word in found.ranked if re.fullmatch(r"[a-z][a-z' -]*", word)]
            changed[symbol] = replace(concept, forms={**concept.forms, **_forms(concept, synonyms[:MAX_WORDS])})
    return Lexicon(changed, lexicon.scenes)


def _lemma(concept: Concept) -> str:
    form = concept.forms[BASE]
    return form.plural if concept.category is Category.VERB else form.singular


_VARIANTS: Sequence[tuple[str, str]] = (
    (r"(?i)\b(any|every|some|no)body\b", r"\1one"),
    (r"\b([Nn])oone\b", r"\1o one"),
    (r"\b(Any|Every|No)thing which\b", r"\1thing that"),
    (r"\bAnyone (?!who\b)", "Anyone who is "),
    (r"\bEveryone (?!who\b)", "Everyone who is "),
    (r"\b(Any|Every)thing (?!that\b)", r"\1thing that is "),
    (r", then\b", " then"),
    (r"\bisn't\b", "is not"),
    (r"\baren't\b", "are not"),
    (r"\bdoesn't\b", "does not"),
    (r"\bdon't\b", "do not"),
)
"""Spellings of people, and those that the grammars read in their place."""

_BRITISH: Sequence[tuple[str, str]] = (
    (r"\b(col|od|hum|fav|hon|neighb|lab|harb|rum)our", r"\1or"),
    (r"\b(tr)aveller", r"\1aveler"),
    (r"\bgrey", "gray"),
    (r"\b(theat|cent|met|lust)re(?=less|\b)", r"\1er"),
    (r"\bpractis(e|es)\b", r"practic\1"),
    (r"\b(j)ewellery\b", r"\1ewelry"),
    (r"\bjudgement", "judgment"),
    (r"\bmatt\b", "matte"),
)


def variants(text: str) -> Iterator[str]:
    """Yield the sentence in American spelling, then with more and more of its frame as the grammars have it."""
    for pattern, plain in _BRITISH:
        text = re.sub(pattern, plain, text)
    yield text
    for pattern, plain in _VARIANTS:
        changed = re.sub(pattern, plain, text)
        if changed != text:
            text = changed
            yield text
