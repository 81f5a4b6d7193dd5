"""The forms that each concept of a problem can have in it, and a glossary of those in use."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from nlfol.problems.dialects.references import REFERENCES
from nlfol.problems.dialects.words import article
from nlfol.problems.lexicon import BASE, Category, Concept, Form, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

UNCOUNTED = (*REFERENCES, Slot.PASSIVE)
"""Slots of forms that are no words for the concept."""


class Refused(NamedTuple):
    """A form, by its concept and key, that is not used in a problem, with the reason."""

    concept: str
    form: str
    reason: str


class Usable(NamedTuple):
    """The lexicon of a problem's concepts with the forms that are left, and the forms refused."""

    lexicon: Lexicon
    refused: tuple[Refused, ...]


def usable(concepts: Sequence[str], lexicon: Lexicon) -> Usable:
    """Select the forms of a problem's concepts that stand for one of them alone.

    Refused are words that two concepts share, except for the one whose base form they are; all further forms of two
    concepts of one sense; and words that describe another concept of the problem, by the lexicon's list or because
    they hold its base form, as "need rest" beside the verb "need". References are kept: they stand for whoever was
    mentioned last.
    """
    known = [lexicon.concepts[symbol] for symbol in concepts]
    senses = _shared([(concept.sense, concept.symbol) for concept in known if concept.sense is not None])
    words = _shared(
        [(phrase, concept.symbol) for concept in known for form in concept.forms.values() for phrase in _words(form)]
    )
    kept: dict[str, Concept] = {}
    refused: list[Refused] = []
    for concept in known:
        others = [other for other in known if other is not concept]
        forms = {}
        for key, form in concept.forms.items():
            reason = None
            if key != BASE:
                reason = _reason(concept, form, senses, words) or _clash(concept, form, others)
            if reason is None:
                forms[key] = form
            else:
                refused.append(Refused(concept.symbol, key, reason))
        kept[concept.symbol] = replace(concept, forms=forms)
    return Usable(Lexicon(kept, lexicon.scenes), tuple(refused))


def _clash(concept: Concept, form: Form, others: Iterable[Concept]) -> str | None:
    """Return why a form describes one of the other concepts of the problem, if it does."""
    listed = concept.not_beside.get(form.key, frozenset())
    phrases = [f" {words.replace('-', ' ')} " for words in _words(form)]
    symbols = [other.symbol for other in others if other.symbol in listed or _holds(phrases, other)]
    return f"{form.singular!r} describes {' and '.join(symbols)}" if symbols else None


def _holds(phrases: Sequence[str], concept: Concept) -> bool:
    """Return whether words between blanks have the base form of a concept among them, of a verb at the beginning."""
    form = concept.forms[BASE]
    bases = f" {form.singular.lower()} ", f" {form.plural.lower()} "
    if concept.category is Category.VERB:
        return any(words.startswith(bases) for words in phrases)
    return any(bases[0] in words or bases[1] in words for words in phrases)


def _reason(
    concept: Concept, form: Form, senses: Mapping[str, list[str]], words: Mapping[str, list[str]]
) -> str | None:
    if concept.sense is not None and concept.sense in senses:
        return f"{' and '.join(senses[concept.sense])} have one sense: {concept.sense}"
    for phrase in _words(form):
        if phrase in words:
            return f"{phrase!r} stands for {' and '.join(words[phrase])}"
    return None


def _words(form: Form) -> set[str]:
    return set() if form.slot in REFERENCES else {form.singular.lower(), form.plural.lower()}


def _shared(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the keys that stand for several concepts, with these."""
    concepts = defaultdict[str, dict[str, None]](dict)
    for key, symbol in pairs:
        concepts[key][symbol] = None
    return {key: list(symbols) for key, symbols in concepts.items() if len(symbols) > 1}


def glossary(words: Sequence[Word], lexicon: Lexicon, *, plural: bool = False) -> list[Statement]:
    """Write a sentence for each concept with several forms in use, in the order of their first use.

    References and the passive are left out: they are no words for the concept.
    """
    cited: dict[str, dict[str, None]] = {}
    for word in words:
        if lexicon.form(word).slot not in UNCOUNTED:
            cited.setdefault(word.concept, {})[_citation(word, lexicon, plural=plural)] = None
    texts = []
    for *others, last in ([f'"{form}"' for form in forms] for forms in cited.values() if len(forms) > 1):
        texts.append(f"Here {', '.join(others)} and {last} mean the same.")
    return [Statement(text) for text in texts]


def _citation(word: Word, lexicon: Lexicon, *, plural: bool) -> str:
    """Return a form as in a dictionary: "to be quiet", "to make little noise", "the cat", "Ada"."""
    form = lexicon.form(word)
    category = lexicon.concepts[word.concept].category
    match category:
        case Category.VERB:
            return f"to {form.plural}"
        case Category.ADJECTIVE | Category.NOUN if form.slot is Slot.VERB_PHRASE:
            return f"to {form.plural}"
        case Category.ADJECTIVE:
            return f"to be {form.singular}"
        case Category.NOUN:
            return f"to be {article(form.singular)} {form.singular}"
        case Category.NAME:
            return form.singular
        case Category.ANIMAL | Category.OBJECT:
            return f"the {form.plural if plural else form.singular}"
