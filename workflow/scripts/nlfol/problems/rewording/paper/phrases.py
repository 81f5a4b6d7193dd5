"""Noun and verb phrases of free English, as far as word order shows them.

A phrase is a run of words that are no function words, adverbs or punctuation. A run of a noun and its verb is two
phrases: "every bird | sings". A word is a verb where the problem itself shows it, and where it stands again, in any
inflection, behind a noun of its number. It is shown

- behind "who", "he", "can", "does not" and the like;
- in the third person or the past at the end of a run, or before a plural or a name, if "a", "every" or the like stands
  before the run, or if names begin a clause with it and no form of *be* or the like follows ("Rex barks"); but not if
  it is a singular noun elsewhere ("a problem").
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from nlfol.logic.ontology.derivation import PREPOSITIONS, is_third_person
from nlfol.problems.dialects.words import WORD


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MODALS = _words("can cannot could may might must shall should will would")
_AUXILIARIES = _MODALS | _words("am are be been being did do does doing had has have having is was were")
_SUBJECTS = _words("anybody anyone everybody everyone he i nobody she somebody someone they we who whoever you")
_SINGULAR = _words("a an another each every this")
_OPENING = _words("although and because but if or that then unless when whether while")
"""Words before a clause."""

_ADVERBS = _words(
    "again almost already also always either else ever even just never often once only quite rather seldom "
    "sometimes soon too usually very yet"
)
_NO_ADVERBS = _words(
    "anomaly apply assembly belly bully butterfly chilly costly curly daily deadly early elderly family friendly jelly "
    "likely lively lonely lovely monopoly orderly rally reply silly smelly supply timely ugly unlikely weekly"
)
_OTHERS = _words(
    "all any anything both despite everything except few her hers him his how it its itself least like lot lots many "
    "me more most my neither no none nor not nothing one other our out per same so some something such the their them "
    "themselves there therefore these those though true false unknown versus what where which whom whose why your"
)
_FUNCTION_WORDS = PREPOSITIONS | _AUXILIARIES | _SUBJECTS | _SINGULAR | _OPENING | _ADVERBS | _OTHERS
"""Words that name no concept."""

PLURAL = re.compile(r"\w*[^\Wsui]s$")
_PLURALS = _words("children men mice people women")
_PASTS = _words(
    "ate became began broke brought built came chose drew fell flew fought gave got grew held kept knew led lost made "
    "met paid ran rose sang sat saw slept sold spent spoke swam taught took went won wore wrote"
)

_TOKEN = re.compile(rf"{WORD.pattern}|[^\w\s]|_")


class Phrase(NamedTuple):
    """The words of a phrase, and whether the first is shown to be a verb."""

    words: list[re.Match[str]]
    is_verbal: bool


def phrases(texts: Sequence[str], lemmas: Mapping[str, str]) -> list[list[Phrase]]:
    """Return the phrases of a problem's texts; ``lemmas`` has each of their words, in small letters."""
    read = [list(_runs(text)) for text in texts]
    runs = [run for of_text in read for run in of_text]
    common = {word for text in texts for word in WORD.findall(text) if word.islower()}
    nouns = {lemmas[run.words[-1].lower()] for run in runs if run.ends_in_noun}
    shown = [(index, lemmas[run.words[index].lower()]) for run in runs for index in run.shown_verb(common)]
    verbs = {lemma for index, lemma in shown if not index or lemma not in nouns}
    return [[phrase for run in of_text for phrase in run.parted(common, verbs, lemmas)] for of_text in read]


class _Run(NamedTuple):
    """A run of words that name concepts, the two words before it, adverbs left out, and the one behind it."""

    found: list[re.Match[str]]
    before: list[str]
    behind: str

    @property
    def words(self) -> list[str]:
        return [match[0] for match in self.found]

    @property
    def ends_in_noun(self) -> bool:
        """True if its last word can only be the singular noun that a word before it needs."""
        last = self.found[-1][0]
        return self.before[-1] in _SINGULAR and not (is_third_person(last) or _is_past(last))

    def shown_verb(self, common: Collection[str]) -> list[int]:
        """Return the place of the verb that is shown by what is around it, if any; ``common`` words are no names."""
        words, (first, before) = self.words, self.before
        is_first = first in _MODALS | {"did", "do", "does"} if before == "not" else before in _MODALS | _SUBJECTS
        if is_first and words[0].islower():
            return [0]
        begins = (before in _OPENING or not before.isalnum()) and self.behind not in _AUXILIARIES
        names = next((index for index, word in enumerate(words) if word.islower() or word.lower() in common), 0)
        for index in [names] if begins else range(1, len(words)) if before in _SINGULAR else []:
            fits = _is_past(words[index]) or (is_third_person(words[index]) and not _is_plural(words[index - 1]))
            if index and fits and all(word[0].isupper() or _is_plural(word) for word in words[index + 1 : index + 2]):
                return [index]
        return []

    def parted(self, common: Collection[str], verbs: Collection[str], lemmas: Mapping[str, str]) -> list[Phrase]:
        """Return its phrases: it is parted before the first of the verbs behind a noun of its number."""
        words, shown = self.words, self.shown_verb(common)
        for index in [] if shown == [0] else range(1, len(words)):
            word, noun = words[index], words[index - 1]
            fits = _is_past(word) or is_third_person(word) != _is_plural(noun) or noun[0].isupper() or noun.isdigit()
            if word.islower() and lemmas[word] in verbs and (fits or shown == [index]):
                return [Phrase(self.found[:index], is_verbal=False), Phrase(self.found[index:], is_verbal=True)]
        return [Phrase(self.found, shown == [0])]


def _runs(text: str) -> Iterator[_Run]:
    groups = [list(group) for _, group in groupby(_TOKEN.finditer(text), lambda token: _names(token[0]))]
    for number, group in enumerate(groups):
        if _names(group[0][0]):
            before = [token[0].lower() for token in (groups[number - 1] if number else ())]
            behind = groups[number + 1][0][0].lower() if number + 1 < len(groups) else ""
            yield _Run(group, ["", "", *(word for word in before if not _is_adverb(word))][-2:], behind)


def _names(word: str) -> bool:
    """Return whether a word names a concept."""
    return len(word) > 1 and word.lower() not in _FUNCTION_WORDS and not _is_adverb(word)


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word[4:] != "" and word.endswith("ly") and word.islower() and word not in _NO_ADVERBS)


def _is_plural(noun: str) -> bool:
    return noun.lower() in _PLURALS or bool(PLURAL.fullmatch(noun.lower()))


def _is_past(word: str) -> bool:
    return word in _PASTS or (word.endswith("ed") and word.islower())
