"""The forms that each concept of a problem can have there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from nlfol.problems.lexicon import BASE, Concept, Form, Lexicon, Slot


class Refused(NamedTuple):
    """A form that is not used in a problem.

    Attributes:
        concept: whose form it is.
        form: its key.
        reason: a sentence.
    """

    concept: str
    form: str
    reason: str


class Usable(NamedTuple):
    """What a problem can be said with.

    Attributes:
        lexicon: of the problem's concepts, with the forms that are left.
        refused: the other forms.
    """

    lexicon: Lexicon
    refused: tuple[Refused, ...]


def usable(concepts: Sequence[str], lexicon: Lexicon) -> Usable:
    """The forms of a problem's concepts that stand for one of them alone.

    Refused are words that two concepts share, but for the one whose base form they are, and all further forms of two
    concepts of one sense. References are kept: they stand for whoever was spoken of.
    """
    known = [lexicon.concepts[symbol] for symbol in concepts]
    senses = _shared([(concept.sense, concept.symbol) for concept in known if concept.sense is not None])
    words = _shared([(said, each.symbol) for each in known for form in each.forms.values() for said in _words(form)])
    kept: dict[str, Concept] = {}
    refused: list[Refused] = []
    for concept in known:
        forms = {}
        for key, form in concept.forms.items():
            reason = None if key == BASE else _reason(concept, form, senses, words)
            if reason is None:
                forms[key] = form
            else:
                refused.append(Refused(concept.symbol, key, reason))
        kept[concept.symbol] = replace(concept, forms=forms)
    return Usable(Lexicon(kept, lexicon.scenes), tuple(refused))


def _reason(
    concept: Concept, form: Form, senses: Mapping[str, list[str]], words: Mapping[str, list[str]]
) -> str | None:
    if concept.sense is not None and concept.sense in senses:
        return f"{' and '.join(senses[concept.sense])} have one sense: {concept.sense}"
    for said in _words(form):
        if said in words:
            return f"{said!r} stands for {' and '.join(words[said])}"
    return None


def _words(form: Form) -> set[str]:
    return set() if form.slot is Slot.REFERENCE else {form.singular.lower(), form.plural.lower()}


def _shared(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """What stands for several concepts, and for which."""
    found = defaultdict[str, dict[str, None]](dict)
    for key, symbol in pairs:
        found[key][symbol] = None
    return {key: list(symbols) for key, symbols in found.items() if len(symbols) > 1}
