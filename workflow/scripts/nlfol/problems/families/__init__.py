"""Families of problems that are drawn by seed: balanced by label, stratified by depth.

    >>> from nlfol.problems import read_lexicon
    >>> from nlfol.problems.families import generate
    >>> first = generate("rules", seed=1, count=1, lexicon=read_lexicon())[0]
    >>> first.answer_text, first.depth
    ('True', 1)

A problem depends on seed, family, range of depths and its number alone, so a larger count keeps those of a smaller one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from nlfol.problems.families import order, proofs, rules, taxonomy
from nlfol.problems.families.drawing import Draw, FamilyError
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem


@dataclass(frozen=True, slots=True)
class Family:
    """A family: how its problems are drawn, and its least and greatest depth, possible and by default."""

    draw: Draw
    depths: tuple[int, int]
    default: tuple[int, int] = (1, 5)


FAMILIES: Mapping[str, Family] = {
    "rules": Family(rules.draw, rules.DEPTHS),
    "taxonomy": Family(taxonomy.draw, taxonomy.DEPTHS),
    "order": Family(order.draw, order.DEPTHS),
    "proofs": Family(proofs.draw, proofs.DEPTHS, (2, 4)),
    "premises": Family(proofs.draw_in_english, proofs.DEPTHS, (2, 4)),
}


def generate(
    family: str, *, seed: int, count: int, lexicon: Lexicon, depths: tuple[int, int] | None = None, first: int = 0
) -> list[Problem]:
    """Draw problems numbered from ``first``, of the family's depths by default; ``FamilyError`` if there are none."""
    if family not in FAMILIES:
        raise FamilyError(f"family {family!r}; use one of {', '.join(FAMILIES)}")
    known = FAMILIES[family]
    least, most = depths or known.default
    if not known.depths[0] <= least <= most <= known.depths[1]:
        raise FamilyError(f"{family}: depths {least} to {most}; use some from {known.depths[0]} to {known.depths[1]}")
    return [known.draw(seed, number, (least, most), lexicon) for number in range(first, first + count)]
