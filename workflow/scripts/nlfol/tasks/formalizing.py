"""The parts of a round trip as prompts: formula to English, and English to a formula, which is also asked alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from nlfol.facts import FEW_SHOT
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.mappings import JsonDict
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.item import Exemplar, Item
from nlfol.tasks.plan import Prompts

Given = Literal["symbols", "glosses", "none"]
"""The vocabulary shown beside the English: symbols, symbols with their glosses, or nothing."""

Shots = Literal["zero_shot", "few_shot"]
"""A presentation with solved examples, or without."""

_LOGIC = (
    Exemplar("Neither p4 nor p9 holds, or p2 holds, or both.", "(¬p4 ∧ ¬p9) ∨ p2"),
    Exemplar("p7 holds and, besides, p1 holds or p5 does not, or both.", "p7 ∧ (p1 ∨ ¬p5)"),
)
PUBLISHED_EXAMPLES: Mapping[LanguageName, tuple[Exemplar, ...]] = {
    "propositional": _LOGIC,
    "first_order": _LOGIC,
    "regular": (
        Exemplar("A 1, then 01 any number of times, possibly none.", "1(01)*"),
        Exemplar("Any number of 0s, possibly none, then one 1 or more.", "0*11*"),
    ),
}
"""Solved examples of ∀uto∃∨∧L's kind: two fixed ones for each generated set, propositional ones for all of logic."""


def turns(
    part: str, prompts: Prompts, item: Item, presentation: str, entry: TaskEntry, *, vocabulary: Given, **material: Any
) -> tuple[str, str]:
    """Return the system and user texts of a part of a round trip.

    ``material`` is the ``formula`` or the ``english`` that is asked about.
    """
    exemplars = item.exemplars
    if entry.template:
        item = _with_own_symbols(item)
        if item.category is not None:
            exemplars = tuple(
                example for example in PUBLISHED_EXAMPLES[item.language] if example.formula != item.formula
            )
    shown: JsonDict = {
        "vocabulary": vocabulary,
        "letters": [sign for sign in item.ontology.alphabet if sign.isalnum()],
        "signs": [sign for sign in item.ontology.alphabet if not sign.isalnum()],
        "exemplars": exemplars if presentation == FEW_SHOT else (),
        "limits": entry.limits,
        "reasoning": entry.reasoning,
    }
    return prompts.turns(f"round_trip/{entry.template}{part}_", item, presentation, **shown, **material)


def _with_own_symbols(item: Item) -> Item:
    """Return an item whose ontology has the symbols of its formula alone."""
    if item.language == "regular":
        return item
    used = {(kind, name) for kind, name, _ in LANGUAGES[item.language].parse(item.formula).profile.symbols}
    known = item.ontology
    kept = replace(
        known,
        predicates=tuple(symbol for symbol in known.predicates if ("predicate", symbol.name) in used),
        functions=tuple(symbol for symbol in known.functions if ("function", symbol.name) in used),
        constants=tuple(symbol for symbol in known.constants if ("constant", symbol.name) in used),
    )
    return replace(item, ontology=kept)
