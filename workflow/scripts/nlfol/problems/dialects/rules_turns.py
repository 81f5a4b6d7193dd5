"""ProofWriter's English in other syntax: which sentences say the same, as "whoever is red is big" for "red people"."""

from itertools import pairwise

from nlfol.problems.dialects.dialect import CONTRAPOSED, THERE
from nlfol.problems.dialects.rules import THOSE, Conditional, Generic, Phrase, Sentence
from nlfol.problems.dialects.words import tails


def turns(sentence: Sentence, before: Sentence | None) -> list[Sentence]:
    """Return the sentence in other syntax, with the same line; ``before`` is the sentence before, if any."""
    match sentence:
        case Phrase(subject=subject, value=value):
            ends = [] if value else ["not_true"]
            if isinstance(before, Phrase) and before.value is value:
                # "The dog is cold. It likes the cat, too" would be odd.
                kinds = [{tree.predicate, tree.object} for tree in (before, sentence)]
                is_alike = before.subject == subject and (
                    before.object is sentence.object is None or kinds[0] & kinds[1]
                )
                ends += tails(value=value, same_subject=bool(is_alike), same_said=_of(before) == _of(sentence))
            return [sentence._replace(turn=turn) for turn in ends]
        case Generic(qualities, quality, value, universal, people):
            conditions = tuple(Phrase(None, word, short=index > 0) for index, word in enumerate(qualities))
            whoever = _whoever(Conditional(conditions, Phrase(None, quality, None, value), people))
            # "All red things are not big" may deny that all are.
            plain = sentence._replace(universal=universal and value)
            that = [plain._replace(turn="that")] if len(qualities) > 1 else []
            those = [sentence._replace(universal=False, turn=THOSE)] if people else []
            return [*([plain] if plain != sentence else []), *that, *those, *whoever]
        case Conditional(conditions, conclusion):
            if all(phrase.subject is None for phrase in (*conditions, conclusion)):
                return _whoever(sentence)
            if sentence.has_variable:
                return []
            shorter = sentence._replace(conditions=_shortened(conditions))
            return [shorter._replace(turn="if"), *([shorter] if shorter != sentence else [])]


def _whoever(sentence: Conditional) -> list[Sentence]:
    """Return a conditional about a variable alone without "if"."""
    conditions = _shortened(sentence.conditions)
    turns = ["any", "every", "whatever"] if sentence.conclusion.value else ["whatever"]
    if all(phrase.value for phrase in conditions):  # "Nothing that is not red is big" denies twice.
        turns += ([THERE] if len(conditions) == 1 else []) if sentence.conclusion.value else [CONTRAPOSED]
    return [sentence._replace(conditions=conditions, turn=turn) for turn in turns]


def _shortened(conditions: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """Return conditions without the subject and "is" of the one before; "not red and big" may deny both, and stays."""
    return conditions[:1] + tuple(
        phrase._replace(
            short=phrase.subject == last.subject
            and phrase.object is last.object is None
            and (last.value or not phrase.value)
        )
        for last, phrase in pairwise(conditions)
    )


def _of(phrase: Phrase) -> tuple[str, str | None, bool]:
    """Return what a phrase says of its subject."""
    return phrase.predicate.concept, None if phrase.object is None else phrase.object.concept, phrase.value
