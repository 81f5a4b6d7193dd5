"""Violations that the texts and roles of a set show by themselves, before any question of meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from nlfol.candidates.audit.items import DISTRACTORS, PublishedRole, ReadItem
from nlfol.candidates.audit.violations import Check, Violation

_IDENTICAL_BY_ROLE = frozenset(
    {
        frozenset({PublishedRole.PHI, PublishedRole.EQUIVALENT}),
        frozenset({PublishedRole.NEGATION, PublishedRole.NEGATION_NNF}),
        frozenset({PublishedRole.NEGATION, PublishedRole.NEGATION_EQUIVALENT}),
    }
)
"""Roles of members whose identity has a check of its own."""


def structure_violations(read: ReadItem) -> Iterator[Violation]:
    """What is missing, doubled, unreadable, open, or of two arities."""
    golds = read.having({PublishedRole.PHI})
    if len(golds) != 1:
        said = f"{len(golds)} members have" if golds else "no member has"
        detail = f"{said} the role 'phi', and exactly one must: nothing was compared with a gold formula"
        yield Violation(Check.GOLD_MISSING_OR_DOUBLED, tuple(golds), detail)
    if not read.having(DISTRACTORS):
        yield Violation(Check.NO_DISTRACTOR, tuple(golds), "no member has the role of a perturbation")
    for index, problem in read.problems.items():
        yield Violation(Check.MALFORMED, (index,), problem)
    for index, names in read.free.items():
        yield Violation(Check.OPEN, (index,), f"free: {', '.join(names)}")
    for members, problem in read.arity_conflicts.items():
        yield Violation(Check.TWO_ARITIES, members, problem)
    yield from _duplicates(read)


def rendering_violations(read: ReadItem, *, others_rendered: bool) -> Iterator[Violation]:
    """Renderings that are missing where others are there, and those of two members that cannot be told apart.

    Args:
        read: the item.
        others_rendered: whether any item audited with it has a rendering.
    """
    renderings = [(text or "").strip() for text in read.item.renderings or [""] * len(read.item.formulas)]
    if not any(renderings):
        if renderings and others_rendered:
            members = tuple(range(len(renderings)))
            yield Violation(Check.RENDERING_MISSING, members, "no member has a rendering, while other items have some")
        return
    for index, text in enumerate(renderings):
        if not text:
            yield Violation(Check.RENDERING_MISSING, (index,), "no rendering, while other members have one")
    for first, second in combinations(range(len(renderings)), 2):
        if renderings[first] and renderings[first] == renderings[second]:
            same = read.formulas[first] is not None and read.formulas[first] is read.formulas[second]
            said = f"{'the same formula' if same else 'two formulas'} rendered as: {renderings[first]}"
            yield Violation(Check.RENDERING_IDENTICAL, (first, second), said)


def _duplicates(read: ReadItem) -> Iterator[Violation]:
    texts, roles, formulas = read.item.formulas, read.item.roles, read.formulas
    for first, second in combinations(range(len(texts)), 2):
        if {roles[first], roles[second]} in _IDENTICAL_BY_ROLE:
            continue
        if texts[first] == texts[second]:
            yield Violation(Check.DUPLICATE, (first, second), "the same text")
        elif formulas[first] is not None and formulas[first] is formulas[second]:
            yield Violation(Check.DUPLICATE, (first, second), "the same syntax tree")
