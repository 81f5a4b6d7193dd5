"""What an answered sentence of a formal language means beside another: the verdict with its evidence."""

from __future__ import annotations

from dataclasses import replace

from nlfol.languages.language import Comparison, Language, UnknownSymbolError
from nlfol.logic.counter_models import smallest_counter_model
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.diagnosis import diagnose
from nlfol.logic.measuring import count_operators
from nlfol.logic.relations import relation
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology
from nlfol.ontology.phrases import describe_world
from nlfol.regular import Expression, matches
from nlfol.tasks.task import Judgement

Sentence = Formula | Expression
"""Of a formal language."""


def compared(language: Language[Sentence], ontology: Ontology, gold: Sentence, found: Sentence) -> Comparison:
    """How a sentence stands to the gold one; invalid where it is open or outside the ontology."""
    try:
        language.check(found, ontology)
    except UnknownSymbolError as error:
        return Comparison(Outcome.INVALID, error.kind, str(error))
    return language.compare(gold, found)


def evidence(
    comparison: Comparison,
    ontology: Ontology,
    gold: Sentence,
    found: Sentence,
    names: tuple[str, str],
    *,
    most_diagnosed: int | None = None,
) -> Judgement:
    """A verdict as a judgement without scores.

    Of a formula that is not equivalent it has the smallest counter-model there is, how it stands to the gold formula,
    and the one change that would put it right; of an expression, the word that tells the two apart.

    Args:
        comparison: how the two stand to each other.
        ontology: the symbols with their glosses.
        gold: what was wanted.
        found: what was answered.
        names: of both in words.
        most_diagnosed: operators of the gold formula up to which the one change is searched for, which takes time with
            the square of them; None for any number.
    """
    judgement = Judgement({}, verdict=comparison.outcome, means=comparison.means, detail=comparison.reason)
    if comparison.outcome is not Outcome.NOT_EQUIVALENT:
        return judgement
    if isinstance(gold, Formula) and isinstance(found, Formula):
        smallest = smallest_counter_model(gold, found) or comparison.counter_model
        detail = comparison.reason if smallest is None else _told(smallest, gold, ontology, names)
        searched = most_diagnosed is None or count_operators(gold) <= most_diagnosed
        diagnosis = diagnose(gold, found) if searched else None
        fault = None if diagnosis is None else diagnosis.fault.value
        kind = relation(gold, found).kind.value
        return replace(judgement, relation=kind, fault=fault, detail=detail, counter_model=smallest)
    word = comparison.word
    if word is None:
        return judgement
    assert isinstance(gold, Expression)
    matching, other = names if matches(gold, word) else names[::-1]
    said = f"the word '{word}'" if word else "the empty word"
    return replace(judgement, word=word, detail=f"{said} matches the {matching}, and does not match the {other}")


def _told(structure: Structure, gold: Formula, ontology: Ontology, names: tuple[str, str]) -> str:
    first, second = ("true", "false") if holds(gold, structure) else ("false", "true")
    return f"{describe_world(structure, ontology)}. The {names[0]} is {first} there, the {names[1]} {second}"
