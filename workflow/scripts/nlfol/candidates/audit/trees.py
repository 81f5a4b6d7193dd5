"""Violations that syntax trees show: members that are no edit of the gold formula, not in normal form, or not apart."""

from __future__ import annotations

from collections.abc import Iterator

from nlfol.candidates.audit.edit_distance import edit_distance
from nlfol.candidates.audit.items import PublishedRole, ReadItem
from nlfol.candidates.audit.violations import Check, Violation
from nlfol.logic.rewriting import is_negation_normal_form

_EDITS = {
    PublishedRole.PERTURBATION: (Check.NOT_ONE_EDIT, 1),
    PublishedRole.PERTURBATION_TWO_EDITS: (Check.NOT_TWO_EDITS, 2),
}

_APART = [
    (PublishedRole.PHI, PublishedRole.EQUIVALENT, Check.EQUIVALENT_IDENTICAL),
    (PublishedRole.NEGATION, PublishedRole.NEGATION_NNF, Check.NEGATION_NNF_IDENTICAL),
    (PublishedRole.NEGATION, PublishedRole.NEGATION_EQUIVALENT, Check.NEGATION_EQUIVALENT_IDENTICAL),
]


def tree_violations(read: ReadItem) -> Iterator[Violation]:
    """Members at another distance of edits than their role says, not in normal form, or not apart from another."""
    if read.gold is not None:
        index, gold = read.gold
        for role, (check, wanted) in _EDITS.items():
            for member, formula in read.read({role}):
                distance = edit_distance(gold, formula)
                if distance != wanted:
                    yield Violation(check, (index, member), f"{_away(distance)}; {wanted} wanted")
    for member, formula in read.read({PublishedRole.NEGATION_NNF}):
        if not is_negation_normal_form(formula):
            yield Violation(Check.NEGATION_NNF_NOT_NORMAL, (member,), "→, ↔, ⊕ or ¬ before what is no atom")
    for role, other, check in _APART:
        for first, formula in read.read({role}):
            for second, same in read.read({other}):
                if formula is same:
                    yield Violation(check, (first, second), "the same syntax tree")


def _away(edits: int | None) -> str:
    match edits:
        case None:
            return "out of reach of elementary edits"
        case 1:
            return "1 elementary edit away"
        case _:
            return f"{edits} elementary edits away"
