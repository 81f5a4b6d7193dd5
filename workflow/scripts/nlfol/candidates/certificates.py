"""What proves how two members of a candidate set stand to each other, and finite structures as JSON.

A structure is ``{"size": n, "constants": {name: element}, "functions": {name: [[[argument, ...], value], ...]},
"predicates": {name: [[element, ...], ...]}}`` over the universe 0, ..., n - 1, with keys and rows in order: equal
structures are equal texts.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from nlfol.logic.equivalence import Outcome, Verdict
from nlfol.logic.structures import Structure


class Certificate(NamedTuple):
    """A relation of one member to another.

    Attributes:
        to: the other member's place in the set.
        verdict: equivalent or not equivalent.
        means: what decided, see ``Verdict``.
        counter_model: a finite structure in which exactly one of the two is true, confirmed by the plain definition of
            truth; None for a proof.
    """

    to: int
    verdict: Outcome
    means: str
    counter_model: Structure | None = None

    @classmethod
    def of(cls, to: int, verdict: Verdict) -> Certificate:
        """From a verdict; reading its counter-model confirms it."""
        return cls(to, verdict.outcome, verdict.means, verdict.counter_model)


def structure_to_json(structure: Structure) -> str:
    """The structure as JSON text."""
    return json.dumps(
        {
            "size": structure.size,
            "constants": dict(structure.constants),
            "functions": {name: sorted(table.items()) for name, table in structure.functions.items()},
            "predicates": {name: sorted(extension) for name, extension in structure.predicates.items()},
        },
        sort_keys=True,
        separators=(",", ":"),
    )


def structure_from_json(text: str) -> Structure:
    """The structure that ``structure_to_json`` wrote."""
    said = json.loads(text)
    return Structure(
        said["size"],
        said["constants"],
        {name: {tuple(row): value for row, value in table} for name, table in said["functions"].items()},
        {name: frozenset(map(tuple, extension)) for name, extension in said["predicates"].items()},
    )
