"""The parts of a round trip as prompts: formula to English, and English to a formula, which is also asked alone."""

from typing import Any, Literal

from nlfol.facts import FEW_SHOT
from nlfol.mappings import JsonDict
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Prompts

Given = Literal["symbols", "glosses", "none"]
"""The vocabulary shown beside the English: symbols, symbols with their glosses, or nothing."""

Shots = Literal["zero_shot", "few_shot"]
"""A presentation with solved examples, or without."""


def turns(
    part: str, prompts: Prompts, item: Item, presentation: str, entry: TaskEntry, *, vocabulary: Given, **material: Any
) -> tuple[str, str]:
    """Return the system and user texts of a part of a round trip.

    ``material`` is the ``formula`` or the ``english`` that is asked about.
    """
    shown: JsonDict = {
        "vocabulary": vocabulary,
        "letters": [sign for sign in item.ontology.alphabet if sign.isalnum()],
        "signs": [sign for sign in item.ontology.alphabet if not sign.isalnum()],
        "exemplars": item.exemplars if presentation == FEW_SHOT else (),
        "limits": entry.limits,
        "reasoning": entry.reasoning,
    }
    return prompts.turns(f"round_trip/{part}_", item, presentation, **shown, **material)
