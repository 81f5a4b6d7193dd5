"""What can be wrong with a candidate set, and what was found wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Check(StrEnum):
    """What is looked for; the value names the violation. ``docs/console.md`` describes each."""

    GOLD_MISSING_OR_DOUBLED = "gold_missing_or_doubled"
    MALFORMED = "malformed"
    OPEN = "open"
    TWO_ARITIES = "two_arities"
    GOLD_VALID = "gold_valid"
    GOLD_UNSATISFIABLE = "gold_unsatisfiable"
    NO_DISTRACTOR = "no_distractor"
    DISTRACTOR_EQUIVALENT_TO_GOLD = "distractor_equivalent_to_gold"
    DISTRACTOR_EQUIVALENT_TO_NEGATION = "distractor_equivalent_to_negation"
    DISTRACTOR_NEGATES_GOLD = "distractor_negates_gold"
    """The same where the set holds no negation that the distractor could be confused with."""
    DISTRACTORS_EQUIVALENT = "distractors_equivalent"
    NOT_ONE_EDIT = "not_one_edit"
    NOT_TWO_EDITS = "not_two_edits"
    EQUIVALENT_NOT_EQUIVALENT = "equivalent_not_equivalent"
    EQUIVALENT_IDENTICAL = "equivalent_identical"
    NEGATION_NOT_EQUIVALENT = "negation_not_equivalent"
    NEGATION_NNF_NOT_EQUIVALENT = "negation_nnf_not_equivalent"
    NEGATION_NNF_NOT_NORMAL = "negation_nnf_not_normal"
    NEGATION_NNF_IDENTICAL = "negation_nnf_identical"
    NEGATION_EQUIVALENT_NOT_EQUIVALENT = "negation_equivalent_not_equivalent"
    NEGATION_EQUIVALENT_IDENTICAL = "negation_equivalent_identical"
    DUPLICATE = "duplicate"
    RENDERING_IDENTICAL = "rendering_identical"
    RENDERING_MISSING = "rendering_missing"


REMARKS = frozenset({Check.DISTRACTOR_NEGATES_GOLD})
"""What is counted but makes no set faulty: an exact opposite is a distractor as right as any other."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong.

    Attributes:
        check: what was looked for.
        members: the members concerned, by index.
        detail: a finite structure that shows it (``Structure.as_data``), or words.
    """

    check: Check
    members: tuple[int, ...]
    detail: str | dict[str, Any]
