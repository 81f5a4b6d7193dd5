"""Audits of candidate sets: each set on its own, all their questions of meaning decided in one go, faults counted."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.judging import judge_pairs
from nlfol.logic.reading.strict import parse
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonDict
from nlfol.sets.audit_checks import (
    REMARKS,
    Check,
    Comparison,
    Item,
    PublishedRole,
    ReadItem,
    Violation,
    comparisons,
    rendering_violations,
    structure_violations,
    tree_violations,
    violation_of,
)
from nlfol.store.row_parts import Candidate
from nlfol.store.schemas import AuditRow, ItemRow

_ROLES = {
    "gold": PublishedRole.PHI,
    "perturbation": PublishedRole.PERTURBATION,
    "corner": PublishedRole.CORNER,
    "rephrased": PublishedRole.REPHRASED,
    "equivalent": PublishedRole.EQUIVALENT,
    "negation": PublishedRole.NEGATION,
    "negation_normal_form": PublishedRole.NEGATION_NNF,
    "negation_equivalent": PublishedRole.NEGATION_EQUIVALENT,
}


@dataclass(frozen=True, slots=True)
class Audited:
    """The faults of one set, in the order of ``Check``, then of the members, and those undecided within the budget."""

    item: Item
    violations: tuple[Violation, ...]
    undecided: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """The violations of one check with their items, in the order of the items, and the number of these items."""

    items: int
    found: tuple[tuple[Item, Violation], ...]

    @property
    def pairs(self) -> int:
        """Return the number of violations: of pairs of members, members, or items, depending on the check."""
        return len(self.found)

    def examples(self, most: int | None = None) -> list[JsonDict]:
        """Return the first violations, at most ``most``, as ``{"id", "members", "formulas", "detail"}``."""
        return [
            {
                "id": item.id,
                "members": list(violation.members),
                "formulas": [item.formulas[member] for member in violation.members],
                "detail": violation.detail,
            }
            for item, violation in self.found[:most]
        ]


@dataclass(frozen=True, slots=True)
class Report:
    """The faults of many sets; those with a violation that is no mere remark are counted."""

    items: int
    sets_with_faults: int
    checks: Mapping[Check, Tally]
    unknown: Tally


def audit(
    items: Iterable[Item],
    *,
    reader: Callable[[str], Formula] = parse,
    jobs: int = 1,
    budget: int = DEFAULT_BUDGET,
    rendered: bool | None = None,
) -> list[Audited]:
    """Audit candidate sets, in their order; ``jobs`` and ``budget`` are those of ``judge_pairs``.

    The reader turns a text into a formula or raises ``LogicError``. Where ``items`` are a part of a collection,
    ``rendered`` says whether any set of it has a rendering.
    """
    items = list(items)
    if rendered is None:
        rendered = any_rendered(items)
    violations: list[list[Violation]] = []
    asked: list[tuple[int, Comparison]] = []
    for number, item in enumerate(items):
        read = ReadItem(item, reader)
        rendering = rendering_violations(read, others_rendered=rendered)
        violations.append([*structure_violations(read), *tree_violations(read), *rendering])
        asked += [(number, comparison) for comparison in comparisons(read)]
    unknown: list[list[Violation]] = [[] for _ in items]
    verdicts = judge_pairs((comparison.pair for _, comparison in asked), jobs=jobs, budget=budget)
    for (number, comparison), verdict in zip(asked, verdicts, strict=True):
        if violation := violation_of(comparison, verdict):
            violations[number].append(violation)
        if verdict.outcome is Outcome.UNKNOWN:
            detail = f"{comparison.check.value} not decided: {verdict.reason}"
            unknown[number].append(Violation(comparison.check, comparison.members, detail))
    return [
        Audited(item, _in_order(faults), _in_order(undecided))
        for item, faults, undecided in zip(items, violations, unknown, strict=True)
    ]


def any_rendered(items: Iterable[Item]) -> bool:
    """Return whether any set has a rendering, so that one without violates ``RENDERING_MISSING``."""
    return any(text and text.strip() for item in items for text in item.renderings or ())


def _in_order(violations: Sequence[Violation]) -> tuple[Violation, ...]:
    """Sort violations, the first alone of those with the same check and members."""
    order = list(Check)
    first = {(violation.check, violation.members): violation for violation in reversed(violations)}
    return tuple(first[key] for key in sorted(first, key=lambda key: (order.index(key[0]), key[1])))


def report(audited: Iterable[Audited]) -> Report:
    """Count the faults of audited sets."""
    sets = list(audited)
    return Report(
        items=len(sets),
        sets_with_faults=sum(
            any(violation.check not in REMARKS for violation in audited_set.violations) for audited_set in sets
        ),
        checks={
            check: _tally(
                (audited_set.item, [violation for violation in audited_set.violations if violation.check is check])
                for audited_set in sets
            )
            for check in Check
        },
        unknown=_tally((audited_set.item, audited_set.undecided) for audited_set in sets),
    )


def _tally(faults: Iterable[tuple[Item, Sequence[Violation]]]) -> Tally:
    some = [(item, violations) for item, violations in faults if violations]
    return Tally(len(some), tuple((item, violation) for item, violations in some for violation in violations))


def item_of(row: ItemRow) -> Item:
    """Return the set of a row of ITEMS; its certificates are left out, so that an audit decides all from formulas."""
    members = row["candidates"]
    return Item(
        row["item"],
        tuple(member["formula"] for member in members),
        tuple(map(_role, members)),
        tuple(member["english"] for member in members),
    )


def _role(member: Candidate) -> PublishedRole:
    if member["role"] == "perturbation" and member["edits"] == 2:
        return PublishedRole.PERTURBATION_TWO_EDITS
    return _ROLES[member["role"]]


def audit_rows(counted: Report, dataset: str, task: str) -> list[AuditRow]:
    """Return the rows of AUDITS: one for each check, and one for undecided violations."""
    tallies = {**{check.value: tally for check, tally in counted.checks.items()}, "unknown": counted.unknown}
    return [
        {
            "dataset": dataset,
            "task": task,
            "sets": counted.items,
            "check": name,
            "items": tally.items,
            "pairs": tally.pairs,
            "faults": [
                {
                    "item": example["id"],
                    "members": example["members"],
                    "formulas": example["formulas"],
                    "detail": detail if isinstance(detail := example["detail"], str) else json.dumps(detail),
                }
                for example in tally.examples()
            ],
        }
        for name, tally in tallies.items()
    ]
