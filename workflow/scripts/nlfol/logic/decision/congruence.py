"""Two formulas side by side, down to the parts in which they differ.

Formulas that are made in the same way of parts that mean the same, each as its counterpart, mean the same (the
replacement theorem: Mendelson, *Introduction to Mathematical Logic*, 2.3). "In the same way" is up to the laws of De
Morgan and double negation, → as ∨, ⊕ as ↔ with one side denied, ↔ and ⊕ expanded, and the order of two operands one of
which is on the other side as it stands: so a part may have to mean what the negation of its counterpart does.

Most variants of a formula differ from it in one small place, so that little is left to compare.
"""

from itertools import product
from typing import Any, NamedTuple

from nlfol.logic.syntax import BINARY, And, ExclusiveOr, Exists, ForAll, Formula, Iff, Implies, Not, Or

MAX_COMPARED = 200  # pairs of parts: shared subtrees could make exponentially many


class Difference(NamedTuple):
    """Two parts, neither a negation, that have to mean the same, or the opposite, for two formulas to do so."""

    first: Formula
    second: Formula
    opposed: bool


_SHAPES: dict[tuple[type[Formula], bool], tuple[str, bool, bool]] = {
    (And, True): ("∧", True, True),
    (And, False): ("∨", False, False),
    (Or, True): ("∨", True, True),
    (Or, False): ("∧", False, False),
    (Implies, True): ("∨", False, True),
    (Implies, False): ("∧", True, False),
    (Iff, True): ("↔", True, True),
    (Iff, False): ("↔", True, False),
    (ExclusiveOr, True): ("↔", True, False),
    (ExclusiveOr, False): ("↔", True, True),
}
"""Form of a connective that is affirmed or denied, and if it affirms its left and its right operand."""

_PAIRED: dict[tuple[type[Formula], type[Formula], bool], tuple[bool, bool, bool, bool]] = {}
"""For two connectives that are one, perhaps opposed: whether operands are, left to left, right to right and across."""

for _one, _other, _opposed in product(BINARY, BINARY, (False, True)):
    _shape, _left, _right = _SHAPES[_one, True]
    _its_shape, _its_left, _its_right = _SHAPES[_other, not _opposed]
    if _shape == _its_shape:
        _straight = (_left != _its_left, _right != _its_right)
        # Of the sides of ↔ it only matters whether an even number is denied, not which.
        _across = _straight if _shape == "↔" else (_left != _its_right, _right != _its_left)
        _PAIRED[_one, _other, _opposed] = (*_straight, *_across)

_DUAL = {"∧": "∨", "∨": "∧"}
_QUANTIFIERS = {(ForAll, ForAll, False), (Exists, Exists, False), (ForAll, Exists, True), (Exists, ForAll, True)}


def differences(first: Formula, second: Formula) -> list[Difference] | None:
    """Return the parts of which it is enough that they mean the same; none where the formulas are congruent.

    None, and no list, where one would have to mean its own negation, or where there is too much to compare.
    """
    pairs: list[Difference] = []
    stack: list[tuple[Any, Any, bool]] = [(first, second, False)]
    for _ in range(MAX_COMPARED):
        if not stack:
            return pairs
        a, b, opposed = stack.pop()
        while type(a) is Not:
            a, opposed = a.operand, not opposed
        while type(b) is Not:
            b, opposed = b.operand, not opposed
        if a is b:
            if opposed:
                return None
            continue
        kinds = (type(a), type(b), opposed)
        paired = _PAIRED.get(kinds)
        if paired is not None:
            if _is_crossed(a, b):
                stack += ((a.left, b.right, paired[2]), (a.right, b.left, paired[3]))
            else:
                stack += ((a.left, b.left, paired[0]), (a.right, b.right, paired[1]))
        elif kinds in _QUANTIFIERS and a.variable is b.variable:
            stack.append((a.body, b.body, opposed))
        elif expanded := _expanded(a, b, opposed) or _expanded(b, a, opposed):
            stack += expanded
        else:
            pairs.append(Difference(a, b, opposed))
    return None


def _expanded(a: Any, b: Any, opposed: bool) -> tuple[tuple[Any, Any, bool], ...]:
    """Pair the sides of ↔ or ⊕ with the parts of (A ∨ B) ∧ (C ∨ D) or (A ∧ B) ∨ (C ∧ D); nothing if b is neither.

    The sides of ↔ and ⊕ stand in both operands, denied in one: L in A and C, R in B and D, or the other way round.
    """
    outer, *signs = _SHAPES.get((type(b), not opposed), ("", True, True))
    if outer not in _DUAL or type(a) not in (Iff, ExclusiveOr):
        return ()
    halves = []
    for part, sign in zip((b.left, b.right), signs, strict=True):
        bare, affirmed = _signed(part, sign)
        inner, *inner_signs = _SHAPES.get((type(bare), affirmed), ("", True, True))
        if inner != _DUAL[outer]:
            return ()
        halves.append((_signed(bare.left, inner_signs[0]), _signed(bare.right, inner_signs[1])))
    left, right = _signed(a.left, True), _signed(a.right, True)
    # What expanding gives: (¬L ∨ R) ∧ (¬R ∨ L), or (L ∧ ¬R) ∨ (¬L ∧ R), unless the parts say otherwise.
    (first, second), (third, fourth) = (
        _in_order(*halves[0], left, right, False),
        _in_order(*halves[1], left, right, outer == "∧"),
    )
    parity = (type(a) is Iff) == (outer == "∧")
    if first[0] is left[0]:
        denied = first[1] is not left[1]
    elif second[0] is right[0]:
        denied = (second[1] is not right[1]) is not parity
    else:
        denied = outer == "∧"
    return tuple(
        (side[0], part[0], (side[1] is not part[1]) is not is_denied)
        for side, part, is_denied in (
            (left, first, denied),
            (right, second, denied is not parity),
            (left, third, not denied),
            (right, fourth, denied is parity),
        )
    )


_Signed = tuple[Any, bool]
"""A formula that is no negation, and whether it is affirmed."""


def _signed(formula: Any, affirmed: bool) -> _Signed:
    while type(formula) is Not:
        formula, affirmed = formula.operand, not affirmed
    return formula, affirmed


def _in_order(one: _Signed, other: _Signed, left: _Signed, right: _Signed, crossed: bool) -> tuple[_Signed, _Signed]:
    """Return the counterparts of the left and the right side of ↔."""
    if one[0] is left[0] or other[0] is right[0]:
        return one, other
    return (other, one) if crossed or one[0] is right[0] or other[0] is left[0] else (one, other)


def _is_crossed(a: Any, b: Any) -> bool:
    """Return whether an operand has its counterpart on the other side, and none has it on its own."""
    if a.left is b.left or a.right is b.right:
        return False
    left, right, its_left, its_right = (_signed(side, True)[0] for side in (a.left, a.right, b.left, b.right))
    return (left is its_right or right is its_left) and left is not its_left and right is not its_right
