"""Measures of items, and the share of single edits that change the meaning.

A mistake that leaves the meaning as it was goes unnoticed by an equivalence check. So the score of an item says less,
the fewer of its edits are detected.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar, cast

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.languages.language import Language
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.randomness import generator, source_label
from nlfol.sets.separation import truth_vector
from nlfol.store.row_parts import UsableTriple
from nlfol.store.schemas import MeasureRow, Measures

S = TypeVar("S")

_CONSTANT = {Contingency.VALID: True, Contingency.UNSATISFIABLE: True, Contingency.CONTINGENT: False}


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Numbers of single edits tried, proven to change the meaning, and undecided; all others are proven to leave it."""

    edits: int
    detected: int
    undecided: int


def sensitivity(language: Language[S], sentence: S, ontology: Ontology, count: int, *labels: str | int) -> Sensitivity:
    """Try ``count`` different edits of a closed sentence over the ontology, or all if fewer, drawn by labels."""
    if not count:
        return Sensitivity(0, 0, 0)
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


def measures_row(triple: UsableTriple, names: Iterable[str], edits: int, seed: int) -> MeasureRow:
    """Return the row of MEASURES of a usable triple; measures that its language lacks are null."""
    language = LANGUAGES[triple["language"]]
    sentence = language.parse(triple["formula"])
    ontology = Ontology.from_row(triple["ontology"])
    source = source_label(triple["story"], triple["text"] or triple["formula"])
    tried = sensitivity(language, sentence, ontology, edits, seed, source)
    return {
        "item": triple["item"],
        "story": triple["story"],
        "language": triple["language"],
        "category": triple["category"],
        **cast("Measures", {**dict.fromkeys(names), **language.measures(sentence)}),
        "depth": triple["depth"],
        "edits": tried.edits,
        "detected": tried.detected,
        "undecided": tried.undecided,
        "constant": _CONSTANT.get(language.contingency(sentence, ontology)),
    }
