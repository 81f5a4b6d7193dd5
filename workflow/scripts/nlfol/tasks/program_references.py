"""Who writes programs without being a language model.

The *reader* writes the gold program: the ceiling. *Drifting* has a symbol of its own for a mention with a given
probability, and *merging* one for all concepts of a kind and arity (``alignment.drifting``): what they lose shows what
the measures are worth. Each answers the steps of any strategy.
"""

from __future__ import annotations

from collections.abc import Callable

from nlfol.alignment import LineError, Rename, drifting, merging
from nlfol.problems.problem import Problem
from nlfol.programs.language import SolverLanguage
from nlfol.tasks.item import Item
from nlfol.tasks.program_gold import Translation, translation
from nlfol.tasks.reference import Asked, Manner, ReaderError, Reference, answer_json
from nlfol.tasks.strategies.strategy import Strategy

REFERENCES = ("reader", "drifting", "merging")


def program_reference(
    model_kind: str,
    manner: Manner,
    strategy: Strategy,
    language_of: Callable[[Problem], SolverLanguage],
    *,
    reasoning: bool,
) -> Reference:
    """How one of ``REFERENCES`` answers the steps of a strategy.

    Args:
        model_kind: which.
        manner: what its entry says.
        strategy: how it is asked.
        language_of: what a problem's program is written in.
        reasoning: whether answers begin with reasoning.
    """
    known: dict[str, Translation] = {}

    def translated(item: Item) -> Translation:
        if item.item not in known:
            language = language_of(item.asked)
            try:
                found = translation(item.asked, language, _rename(model_kind, manner, item))
            except LineError as error:
                raise ReaderError(f"the gold program cannot be rewritten: {error}") from error
            if found is None:
                raise ReaderError(f"there is no gold program of {language}")
            known.clear()  # items are asked about one after the other
            known[item.item] = found
        return known[item.item]

    def answered(asked: Asked) -> str:
        answer = strategy.answer(translated(asked.item), asked.step.part, len(asked.replies))
        return answer_json({"reasoning": "The gold program.", **answer} if reasoning else answer)

    return answered


def _rename(model_kind: str, manner: Manner, item: Item) -> Rename | None:
    match model_kind:
        case "drifting":
            return drifting(manner.probability, *manner.labels, item.item)
        case "merging":
            return merging
        case _:
            return None
