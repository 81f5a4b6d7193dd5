"""Pairs of which a verifier has to say whether they mean the same, in any of the languages.

Beside the gold sentence stand one that a law makes of it, proven to mean the same, and one that a single edit makes of
*that* one, proven not to mean the same as the gold sentence. So the two classes are balanced, whatever the items are,
and a law changes both members alike: were the edit one of the gold sentence itself, length alone would tell the classes
apart, since most laws lengthen a sentence and most edits do not (``benchmarks/verification_cues.py``).

The law is drawn uniformly among those that apply, then the place; the edit likewise by its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from nlfol.candidates.audited import in_random_order
from nlfol.candidates.certificates import Certificate
from nlfol.candidates.sets import Candidate, CandidateError, Role
from nlfol.languages.language import Comparison, Edited, Language, UnknownSymbolError
from nlfol.logic.decision.verdicts import Outcome
from nlfol.ontology.ontology import Ontology


def certified_pairs(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """The gold sentence, one that does not mean the same, and one that does.

    Args:
        gold: the sentence.
        language: its language.
        ontology: its symbols.
        draw: decides which law and edit are taken.

    Raises:
        CandidateError: ``open`` if the sentence is; ``no_equivalent`` if no law is proven to make another sentence of
            the same meaning; ``no_edit`` if no edit of that one is proven to change the meaning.
    """
    _check(gold, language, ontology)
    law, same = _equivalent(gold, language.rewrites(gold, ontology), language, draw)
    edit, other = _different(gold, language.edits(law.sentence, ontology), language, draw)
    return [
        Candidate(gold, "", Role.GOLD, certificates=()),
        Candidate(
            edit.sentence, "", Role.PERTURBATION, 1, (law.kind, edit.kind), (law.path, edit.path), _certified(other)
        ),
        Candidate(law.sentence, "", Role.EQUIVALENT, 0, (law.kind,), (law.path,), _certified(same)),
    ]


def edited_sentence(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """The gold sentence after a single edit that changes its meaning, with its English, and what it was before.

    Args:
        gold: the sentence.
        language: its language.
        ontology: its symbols.
        draw: decides which edit is taken.

    Raises:
        CandidateError: ``open`` if the sentence is; ``no_edit`` if no edit is proven to change the meaning;
            ``rendering_too_long`` if what it makes has no English of usable length.
    """
    _check(gold, language, ontology)
    edit, found = _different(gold, language.edits(gold, ontology), language, draw)
    try:
        english = language.render(edit.sentence, ontology)
    except ValueError as error:
        raise CandidateError("rendering_too_long", str(error)) from error
    before = Candidate(gold, "", Role.ORIGINAL, 0, (edit.kind,), (edit.path,), _certified(found))
    return [Candidate(edit.sentence, english, Role.GOLD, certificates=()), before]


def _check(gold: Any, language: Language[Any], ontology: Ontology) -> None:
    try:
        language.check(gold, ontology)
    except UnknownSymbolError as error:
        raise CandidateError("open" if error.kind == "open_formula" else error.kind, str(error)) from error


def _equivalent(
    gold: Any, made: Iterable[Edited[Any]], language: Language[Any], draw: Random
) -> tuple[Edited[Any], Comparison]:
    return _first(Outcome.EQUIVALENT, _compared(gold, made, language, draw), "no_equivalent")


def _different(
    gold: Any, made: Iterable[Edited[Any]], language: Language[Any], draw: Random
) -> tuple[Edited[Any], Comparison]:
    return _first(Outcome.NOT_EQUIVALENT, _compared(gold, made, language, draw), "no_edit")


def _compared(
    gold: Any, made: Iterable[Edited[Any]], language: Language[Any], draw: Random
) -> Iterator[tuple[Edited[Any], Comparison]]:
    """What was made, in random order, and how it stands to the gold sentence."""
    others = [each for each in made if each.sentence is not gold]
    for each in in_random_order(others, draw, lambda one: one.kind):
        yield each, language.compare(gold, each.sentence)


def _first(
    wanted: Outcome, compared: Iterable[tuple[Edited[Any], Comparison]], reason: str
) -> tuple[Edited[Any], Comparison]:
    for each, found in compared:
        if found.outcome is wanted:
            return each, found
    raise CandidateError(reason, f"no sentence that is one change away is proven {wanted}")


def _certified(found: Comparison) -> tuple[Certificate, ...]:
    return (Certificate(0, found.outcome, found.means, found.counter_model, found.word),)
