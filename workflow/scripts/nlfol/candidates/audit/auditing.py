"""Auditing candidate sets: each on its own, all their questions of meaning decided in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from nlfol.candidates.audit.items import Item, ReadItem
from nlfol.candidates.audit.meanings import Comparison, comparisons, undecided, violation_of
from nlfol.candidates.audit.structure import rendering_violations, structure_violations
from nlfol.candidates.audit.trees import tree_violations
from nlfol.candidates.audit.violations import Check, Violation
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.judging import judge_pairs
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Formula


@dataclass(frozen=True, slots=True)
class Audited:
    """What was found in one set.

    Attributes:
        item: the set.
        violations: in the order of ``Check``, then of the members.
        undecided: what no means decided within the budget: neither right nor wrong.
    """

    item: Item
    violations: tuple[Violation, ...]
    undecided: tuple[Violation, ...]


def audit(
    items: Iterable[Item],
    *,
    reader: Callable[[str], Formula] = parse,
    jobs: int = 1,
    budget: int = DEFAULT_BUDGET,
    engines: Sequence[str] = (),
    rendered: bool | None = None,
) -> list[Audited]:
    """What is wrong with candidate sets, in their order.

    Args:
        items: the sets.
        reader: how a text becomes a formula; raises ``LogicError`` where it is none.
        jobs: as for ``judge_pairs``.
        budget: as for ``equivalence``.
        engines: as for ``equivalence``.
        rendered: whether any set of the collection has a rendering, where ``items`` are but a part of it.
    """
    items = list(items)
    if rendered is None:
        rendered = any_rendered(items)
    read = [_InWork(ReadItem(item, reader)) for item in items]
    asked: list[tuple[_InWork, Comparison]] = []
    for each in read:
        for violation in (
            *structure_violations(each.read),
            *tree_violations(each.read),
            *rendering_violations(each.read, others_rendered=rendered),
        ):
            each.add(violation)
        asked += [(each, comparison) for comparison in comparisons(each.read)]
    verdicts = judge_pairs((comparison.pair for _, comparison in asked), jobs=jobs, budget=budget, engines=engines)
    for (each, comparison), verdict in zip(asked, verdicts, strict=True):
        each.add(violation_of(comparison, verdict))
        each.leave_open(undecided(comparison, verdict))
    return [each.audited() for each in read]


def any_rendered(items: Iterable[Item]) -> bool:
    """Whether any set has a rendering: then one without is a violation."""
    return any(text and text.strip() for item in items for text in item.renderings or ())


@dataclass(frozen=True, slots=True)
class _InWork:
    """A set and what is found in it so far: no members twice under one check."""

    read: ReadItem
    violations: dict[tuple[Check, tuple[int, ...]], Violation] = field(default_factory=dict)
    undecided: dict[tuple[Check, tuple[int, ...]], Violation] = field(default_factory=dict)

    def add(self, violation: Violation | None) -> None:
        if violation is not None:
            self.violations.setdefault((violation.check, violation.members), violation)

    def leave_open(self, violation: Violation | None) -> None:
        if violation is not None:
            self.undecided.setdefault((violation.check, violation.members), violation)

    def audited(self) -> Audited:
        return Audited(self.read.item, _in_order(self.violations), _in_order(self.undecided))


def _in_order(violations: dict[tuple[Check, tuple[int, ...]], Violation]) -> tuple[Violation, ...]:
    order = list(Check)
    return tuple(violations[key] for key in sorted(violations, key=lambda key: (order.index(key[0]), key[1])))
