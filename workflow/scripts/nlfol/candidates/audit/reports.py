"""What an audit found, counted check by check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.candidates.audit.auditing import Audited
from nlfol.candidates.audit.items import Item
from nlfol.candidates.audit.violations import REMARKS, Check, Violation


@dataclass(frozen=True, slots=True)
class Tally:
    """The violations of one kind.

    Attributes:
        items: number of items with such a violation.
        found: each violation with its item, in the order of the items.
    """

    items: int
    found: tuple[tuple[Item, Violation], ...]

    @property
    def pairs(self) -> int:
        """Number of violations: of pairs of members, of members, or of items, as the check has it."""
        return len(self.found)

    def examples(self, most: int | None = None) -> list[dict[str, Any]]:
        """The first violations, at most so many, as ``{"id", "members", "formulas", "detail"}``."""
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
    """What an audit found.

    Attributes:
        items: number of sets audited.
        sets_with_faults: number of those with at least one violation that is no mere remark.
        checks: the violations by check, those without any included.
        unknown: what could not be decided.
    """

    items: int
    sets_with_faults: int
    checks: Mapping[Check, Tally]
    unknown: Tally


def report(audited: Iterable[Audited]) -> Report:
    """Count what was found."""
    listed = list(audited)
    return Report(
        items=len(listed),
        sets_with_faults=sum(any(violation.check not in REMARKS for violation in each.violations) for each in listed),
        checks={
            check: _tally(
                (each.item, [violation for violation in each.violations if violation.check is check]) for each in listed
            )
            for check in Check
        },
        unknown=_tally((each.item, each.undecided) for each in listed),
    )


def _tally(found: Iterable[tuple[Item, Sequence[Violation]]]) -> Tally:
    some = [(item, violations) for item, violations in found if violations]
    return Tally(len(some), tuple((item, violation) for item, violations in some for violation in violations))
