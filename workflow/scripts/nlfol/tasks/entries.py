"""The entry of a task of any kind: importing this imports every task."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.registry import TASKS, entries_of

if TYPE_CHECKING:
    AnyTaskEntry = TaskEntry
else:
    AnyTaskEntry = entries_of(TASKS)
    """The entry of any kind, told apart by ``task``."""


def with_kinds(entries: Any) -> Any:
    """Return the ``tasks`` block with the kinds that entries leave out because their names are kinds."""
    if not isinstance(entries, Mapping):
        return entries
    return {
        name: {"task": name, **entry} if name in TASKS and isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }
