"""How much of a sentence's meaning an equivalence check sees: of some single edits, how many change the meaning.

Where an edit leaves the meaning as it was, whoever makes that mistake is not found out. So the score of an item says
less, the fewer of its edits are detected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from nlfol.candidates.separation import truth_vector
from nlfol.languages.language import Language
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import generator

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What became of single edits.

    Attributes:
        edits: tried.
        detected: proven to change the meaning.
        undecided: proven neither to change it nor to leave it; all others are proven to leave it.
    """

    edits: int
    detected: int
    undecided: int


def sensitivity(language: Language[S], sentence: S, ontology: Ontology, count: int, *labels: str | int) -> Sensitivity:
    """Try single edits of a sentence, drawn without replacement; those that lead to one sentence count once.

    Args:
        language: of the sentence.
        sentence: closed.
        ontology: that edits keep to.
        count: of edits, or all where there are fewer; 0 tries none.
        labels: what the draw is for.
    """
    if not count:
        return Sensitivity(0, 0, 0)
    # Two edits may lead to one sentence.
    every = list(dict.fromkeys(edited.sentence for edited in language.edits(sentence, ontology)))
    drawn = generator("sensitivity", *labels).sample(every, min(count, len(every)))
    outcomes = [_compared(language, sentence, edited) for edited in drawn]
    undecided = sum(outcome not in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT) for outcome in outcomes)
    return Sensitivity(len(drawn), outcomes.count(Outcome.NOT_EQUIVALENT), undecided)


def _compared(language: Language[S], sentence: S, edited: S) -> Outcome:
    if isinstance(sentence, Formula) and isinstance(edited, Formula):
        # Most edits are told apart here, without the counter-model that a comparison writes out.
        first, second = truth_vector(sentence), truth_vector(edited)
        if first is not None and second is not None and first != second:
            return Outcome.NOT_EQUIVALENT
    return language.compare(sentence, edited).outcome
