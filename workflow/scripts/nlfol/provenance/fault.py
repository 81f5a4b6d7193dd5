"""Faults: what ``nlfol verify`` finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Damage to a file, or to a line of it, from 1, where it has lines."""

    file: str
    line: int | None
    problem: str
    remedy: str
