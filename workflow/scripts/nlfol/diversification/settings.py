"""How problems are said in other words."""

from __future__ import annotations

from dataclasses import dataclass

from nlfol.problems.lexicon import KINDS


@dataclass(frozen=True, slots=True)
class Settings:
    """What is said in other words, and which controls are added.

    Attributes:
        intensity: share of the statements that are rewritten, from 0 to 1; those of a smaller share are among those of
            a larger one and read the same there.
        types: kinds of forms that are used.
        at_most: how many mentions are rewritten in a problem; none for all.
        glossary: whether the synonymies used are said before the problem.
        decoys: how many concepts are added that sound like others and, by the problem's own statements, are not they.

    Raises:
        ValueError: if one of them makes no sense.
    """

    intensity: float = 1.0
    types: tuple[str, ...] = KINDS
    at_most: int | None = None
    glossary: bool = False
    decoys: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.intensity <= 1:
            raise ValueError(f"intensity {self.intensity}; use a share from 0 to 1")
        if unknown := [kind for kind in self.types if kind not in KINDS]:
            raise ValueError(f"type {unknown[0]!r}; use some of {', '.join(KINDS)}")
        if (self.at_most is not None and self.at_most < 0) or self.decoys < 0:
            raise ValueError("at_most and decoys are numbers from 0")
