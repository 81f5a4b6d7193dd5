"""References ("she", "this animal", "the former", "they") that are unambiguous behind the previous sentence."""

from collections.abc import Iterator, Sequence

from nlfol.problems.lexicon import Category, Concept, Form, Lexicon, Slot
from nlfol.problems.problem import Statement

OBJECTIVE = {"she": "her", "he": "him", "they": "them"}
"""References that have another form where they are no subject."""

OF_TWO = frozenset({Slot.FORMER, Slot.LATTER})
REFERENCES = (Slot.REFERENCE, Slot.THIS, *sorted(OF_TWO))


def named(statement: Statement, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the individuals that a sentence names, each once, in the order of the text."""
    concepts = (mention.concept for mention in sorted(statement.mentions))
    return tuple(dict.fromkeys(concept for concept in concepts if not lexicon.concepts[concept].category.is_predicate))


def referring(concept: Concept, before: Sequence[str], lexicon: Lexicon) -> frozenset[Slot]:
    """Return the slots whose references to a concept are unambiguous behind a sentence that names individuals.

    A pronoun must fit no other of these individuals; "the former" needs exactly two.
    """
    if concept.symbol not in before:
        return frozenset()
    others = [lexicon.concepts[symbol] for symbol in before if symbol != concept.symbol]
    words = _pronouns(concept)
    slots = set()
    if not any(_may_be_said_so(other, concept, words) for other in others):
        slots |= {Slot.REFERENCE, Slot.THIS}
    if len(others) == 1:
        slots.add(Slot.FORMER if before[0] == concept.symbol else Slot.LATTER)
    return frozenset(slots)


def _may_be_said_so(other: Concept, concept: Concept, words: frozenset[str]) -> bool:
    """Return whether a pronoun of the concept may mean another one; a name without pronouns takes any."""
    theirs = _pronouns(other)
    return not words.isdisjoint(theirs) or (other.category is concept.category is Category.NAME and not theirs)


def _pronouns(concept: Concept) -> frozenset[str]:
    return frozenset(form.singular for form in concept.forms.values() if form.slot is Slot.REFERENCE)


def possible(
    before: Sequence[str], lexicon: Lexicon, *, plural: bool = False, objective: bool = False
) -> Iterator[tuple[Concept, Form, str]]:
    """Yield the unambiguous references to individuals of the previous sentence, with their words."""
    for symbol in dict.fromkeys(before):
        concept = lexicon.concepts[symbol]
        slots = referring(concept, before, lexicon)
        for form in concept.forms.values():
            if form.slot in slots:
                words = form.plural if plural else form.singular
                yield concept, form, OBJECTIVE.get(words, words) if objective else words
