"""Saying before a problem which of its words mean the same."""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.problems.dialects.words import article
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement


def glossary(words: Sequence[Word], lexicon: Lexicon, *, plural: bool = False) -> list[Statement]:
    """A sentence for each concept that is said in several forms, in the order of their first use.

    References and the passive are left out: they are no words for the concept.

    Args:
        words: all that are used.
        lexicon: has the forms.
        plural: whether individuals are said in the plural.
    """
    cited: dict[str, dict[str, None]] = {}
    for word in words:
        if lexicon.form(word).slot not in (Slot.REFERENCE, Slot.PASSIVE):
            cited.setdefault(word.concept, {})[_citation(word, lexicon, plural=plural)] = None
    return [Statement(_sentence(list(forms))) for forms in cited.values() if len(forms) > 1]


def _sentence(forms: list[str]) -> str:
    *others, last = (f'"{form}"' for form in forms)
    return f"Here {', '.join(others)} and {last} mean the same."


def _citation(word: Word, lexicon: Lexicon, *, plural: bool) -> str:
    """A form as in a dictionary: "to be quiet", "to make little noise", "the cat", "Ada"."""
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
