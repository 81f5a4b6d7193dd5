"""What an audit found, counted check by check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.candidates.audit.auditing import Audited
from nlfol.candidates.audit.faults import REMARKS, Check, Fault
from nlfol.candidates.audit.items import Item


@dataclass(frozen=True, slots=True)
class Tally:
    """The faults of one kind.

    Attributes:
        items: number of items with such a fault.
        found: each fault with its item, in the order of the items.
    """

    items: int
    found: tuple[tuple[Item, Fault], ...]

    @property
    def pairs(self) -> int:
        """Number of faults: of pairs of members, of members, or of items, as the check has it."""
        return len(self.found)

    def examples(self, most: int | None = None) -> list[dict[str, Any]]:
        """The first faults, at most so many, as ``{"id", "members", "formulas", "detail"}``."""
        return [
            {
                "id": item.id,
                "members": list(fault.members),
                "formulas": [item.formulas[member] for member in fault.members],
                "detail": fault.detail,
            }
            for item, fault in self.found[:most]
        ]


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found.

    Attributes:
        items: number of sets audited.
        sets_with_faults: number of those with at least one fault that is no mere remark.
        checks: the faults by check, those without any included.
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
        sets_with_faults=sum(any(fault.check not in REMARKS for fault in each.faults) for each in listed),
        checks={
            check: _tally((each.item, [fault for fault in each.faults if fault.check is check]) for each in listed)
            for check in Check
        },
        unknown=_tally((each.item, each.undecided) for each in listed),
    )


def _tally(found: Iterable[tuple[Item, Sequence[Fault]]]) -> Tally:
    some = [(item, faults) for item, faults in found if faults]
    return Tally(len(some), tuple((item, fault) for item, faults in some for fault in faults))
