"""Certified pairs for verification, in any of the languages.

Beside the gold sentence stand a rewrite of it by one law, proven to mean the same, and a single edit of *that* rewrite,
proven not to mean the same as the gold sentence. So the two classes are balanced, whatever the items are,
and a law changes both members alike: were the edit one of the gold sentence itself, length alone would tell the classes
apart, since most laws lengthen a sentence and most edits do not (``benchmarks/verification_cues.py``).

The law is drawn uniformly among those that apply, then the place; the edit likewise by its kind.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

from nlfol.candidates.audited import in_random_order
from nlfol.candidates.sets import Candidate, CandidateError, Certificate, Role
from nlfol.languages.language import Comparison, Edited, Language, UnknownSymbolError
from nlfol.logic.decision.verdicts import Outcome
from nlfol.ontology.ontology import Ontology


def certified_pairs(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """Draw the gold sentence, one that does not mean the same, and one that does.

    Raises ``CandidateError``: ``open`` if the sentence is; ``no_equivalent`` if no law is proven to make another
    sentence of the same meaning; ``no_edit`` if no edit of that one is proven to change the meaning.
    """
    _check(gold, language, ontology)
    law, same = _proven(gold, language.rewrites(gold, ontology), language, draw, Outcome.EQUIVALENT)
    edit, other = _proven(gold, language.edits(law.sentence, ontology), language, draw, Outcome.NOT_EQUIVALENT)
    return [
        Candidate(gold, "", Role.GOLD, certificates=()),
        Candidate(
            edit.sentence, "", Role.PERTURBATION, 1, (law.kind, edit.kind), (law.path, edit.path), _certified(other)
        ),
        Candidate(law.sentence, "", Role.EQUIVALENT, 0, (law.kind,), (law.path,), _certified(same)),
    ]


def edited_sentence(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """Draw a single edit of the gold sentence that changes its meaning, with its English; and the sentence before.

    Raises ``CandidateError``: ``open`` if the sentence is; ``no_edit`` if no edit is proven to change the meaning;
    ``rendering_too_long`` if the edited sentence has no English of usable length.
    """
    _check(gold, language, ontology)
    edit, comparison = _proven(gold, language.edits(gold, ontology), language, draw, Outcome.NOT_EQUIVALENT)
    try:
        english = language.render(edit.sentence, ontology)
    except ValueError as error:
        raise CandidateError("rendering_too_long", str(error)) from error
    before = Candidate(gold, "", Role.ORIGINAL, 0, (edit.kind,), (edit.path,), _certified(comparison))
    return [Candidate(edit.sentence, english, Role.GOLD, certificates=()), before]


def _check(gold: Any, language: Language[Any], ontology: Ontology) -> None:
    try:
        language.check(gold, ontology)
    except UnknownSymbolError as error:
        raise CandidateError("open" if error.kind == "open_formula" else error.kind, str(error)) from error


def _proven(
    gold: Any, made: Iterable[Edited[Any]], language: Language[Any], draw: Random, wanted: Outcome
) -> tuple[Edited[Any], Comparison]:
    """Return the first other sentence, in random order, that compares with the gold sentence as wanted."""
    others = [edited for edited in made if edited.sentence is not gold]
    for edited in in_random_order(others, draw, lambda one: one.kind):
        comparison = language.compare(gold, edited.sentence)
        if comparison.outcome is wanted:
            return edited, comparison
    reason = "no_equivalent" if wanted is Outcome.EQUIVALENT else "no_edit"
    raise CandidateError(reason, f"no sentence that is one change away is proven {wanted}")


def _certified(comparison: Comparison) -> tuple[Certificate, ...]:
    return (Certificate(0, comparison.outcome, comparison.means, comparison.counter_model, comparison.word),)
