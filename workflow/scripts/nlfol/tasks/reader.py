"""The reader: no language model, but a parser of the candidates' English and a decision of what they mean.

Free English it cannot read, so it is handed the gold formula as the meaning of the sentence. What it scores is thus no
model's ability: it is the ceiling, and shows that the texts of the candidates alone, as models see them, settle every
item, and with one answer only. It sees neither the formulas of candidates nor their roles. It says what it makes of
them in the form of a dialogue model's answer, and is judged as one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from nlfol.english.errors import EnglishSyntaxError
from nlfol.english.reading import read_english
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.syntax import Formula, Not
from nlfol.ontology.ontology import Ontology


class ReaderError(ValueError):
    """Candidates whose texts leave the question open: one cannot be read, or not as many fit as should."""


def answer(task: str, sentence: Formula, candidates: Sequence[str], ontology: Ontology) -> str:
    """The answer to a task with candidates, as JSON of the form that dialogue models are asked for.

    Args:
        task: ``most_similar`` or ``ranking``.
        sentence: what the sentence means: the gold formula.
        candidates: the texts shown, in their order.
        ontology: what their words mean.

    Raises:
        ReaderError: if the texts do not settle the answer.
    """
    return _ANSWERS[task](sentence, [_read(number, text, ontology) for number, text in enumerate(candidates, 1)])


def _read(number: int, text: str, ontology: Ontology) -> Formula:
    try:
        return read_english(text, ontology)
    except EnglishSyntaxError as error:
        raise ReaderError(f"candidate {number} cannot be read: {error}") from error


def _most_similar(sentence: Formula, candidates: Sequence[Formula]) -> str:
    (number,) = _equivalent("the sentence", sentence, candidates, 1)
    return _said(f"Candidate {number} is equivalent to the sentence, no other is.", number)


def _ranking(sentence: Formula, candidates: Sequence[Formula]) -> str:
    first = _equivalent("the sentence", sentence, candidates, 2)
    last = _equivalent("the negation of the sentence", Not(sentence), candidates, 2)
    middle = [number for number in range(1, len(candidates) + 1) if number not in (*first, *last)]
    reasoning = (
        f"Candidates {first[0]} and {first[1]} are equivalent to the sentence, "
        f"{last[0]} and {last[1]} to its negation, no others are."
    )
    return _said(reasoning, [*first, *middle, *last])


_ANSWERS: dict[str, Callable[[Formula, Sequence[Formula]], str]] = {
    "most_similar": _most_similar,
    "ranking": _ranking,
}


def _equivalent(what: str, meaning: Formula, candidates: Sequence[Formula], wanted: int) -> list[int]:
    """The numbers of the candidates that are equivalent to a formula, as many as there should be."""
    outcomes = [equivalence(meaning, candidate).outcome for candidate in candidates]
    for number, outcome in enumerate(outcomes, 1):
        if outcome not in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT):
            raise ReaderError(f"whether candidate {number} is equivalent to {what} is {outcome}")
    found = [number for number, outcome in enumerate(outcomes, 1) if outcome is Outcome.EQUIVALENT]
    if len(found) != wanted:
        raise ReaderError(f"{len(found)} candidates are equivalent to {what}, {wanted} should be: {found}")
    return found


def _said(reasoning: str, answered: int | list[int]) -> str:
    return json.dumps({"reasoning": reasoning, "answer": answered})
