"""Binary decision diagrams of formulas with quantifiers: one diagram proves equivalence.

Reduced ordered diagrams (Bryant, *Graph-Based Algorithms for Boolean Function Manipulation*, 1986) over the atoms of a
formula are one for formulas that are propositionally equivalent. A quantifier is moved past the atoms that do not
mention its variable: ∀x (A ? B : C) is (A ? ∀x B : ∀x C), and those atoms stand above all others. What is left of its
body, a diagram of atoms that mention the variable, becomes an atom of its own, named by the diagram; ∃ is ¬∀¬.

Variables are named by the number of quantifiers around theirs, so that bound names do not matter.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaError

MAX_STEPS = 4_000  # steps of two formulas together above which their diagrams are given up
MAX_LEVELS = 100  # levels of a formula above which it has no diagram here: this recurses
MAX_ATOMS = 200  # atoms above which a formula has no diagram here either

_FALSE, _TRUE = 0, 1
_LAST = (1 << 30, 0)

_Place = tuple[int, int]
"""Where an atom stands in the order: by the innermost quantifier whose variable it mentions, then by its number."""


class DiagramTooLargeError(FormulaError):
    """A diagram of more than ``MAX_ATOMS`` or that takes more than ``MAX_STEPS``."""


def have_one_diagram(first: fol.Formula, second: fol.Formula) -> bool | None:
    """Return whether two closed formulas have one diagram, which proves them equivalent; None where that is too large.

    Formulas without quantifiers and equations have one if and only if they are equivalent.
    """
    if max(first.profile.levels, second.profile.levels) > MAX_LEVELS:
        return None
    try:
        diagrams = _Diagrams()
        return diagrams.of(first, {}) == diagrams.of(second, {})
    except DiagramTooLargeError:
        return None


class _Diagrams:
    """Diagrams of some formulas, by number: equal numbers are equal diagrams."""

    def __init__(self) -> None:
        self._left = MAX_STEPS
        # The place of the atom of each diagram, and the diagrams where it is false and true.
        self._nodes: list[tuple[_Place, int, int]] = [(_LAST, 0, 0), (_LAST, 1, 1)]
        self._numbers: dict[tuple[_Place, int, int], int] = {}
        self._places: dict[Hashable, _Place] = {}
        self._mentioned: dict[_Place, frozenset[int]] = {}
        self._chosen: dict[tuple[int, int, int], int] = {}
        self._bound: dict[tuple[int, int], int] = {}

    def of(self, formula: Any, levels: Mapping[str, int]) -> int:
        """Return the diagram of a formula, given the levels of the quantifiers around it by their variables."""
        self._step()
        match formula:
            case fol.Not(operand):
                return self._choice(self.of(operand, levels), _FALSE, _TRUE)
            case fol.And(a, b):
                return self._choice(self.of(a, levels), self.of(b, levels), _FALSE)
            case fol.Or(a, b):
                return self._choice(self.of(a, levels), _TRUE, self.of(b, levels))
            case fol.Implies(a, b):
                return self._choice(self.of(a, levels), self.of(b, levels), _TRUE)
            case fol.Iff(a, b) | fol.ExclusiveOr(a, b):
                one, other = self.of(a, levels), self.of(b, levels)
                denied = self._choice(other, _FALSE, _TRUE)
                return self._choice(one, *((other, denied) if isinstance(formula, fol.Iff) else (denied, other)))
            case fol.Atom() | fol.Equality():
                return self._atom(formula, levels)
            case _:
                if formula.variable.name not in formula.body.profile.free:
                    return self.of(formula.body, levels)
                level = 1 + max(levels.values(), default=0)
                body = self.of(formula.body, {**levels, formula.variable.name: level})
                if isinstance(formula, fol.ForAll):
                    return self._for_all(level, body)
                denied = self._choice(body, _FALSE, _TRUE)
                return self._choice(self._for_all(level, denied), _FALSE, _TRUE)

    def _atom(self, atom: fol.Atom | fol.Equality, levels: Mapping[str, int]) -> int:
        mentioned = frozenset(levels[name] for name in atom.profile.free)
        if isinstance(atom, fol.Atom):
            terms = tuple(self._term(argument, levels) for argument in atom.arguments)
            return self._leaf((atom.predicate, terms), mentioned)
        sides = frozenset((self._term(atom.left, levels), self._term(atom.right, levels)))
        return self._leaf(sides, mentioned) if len(sides) == 2 else _TRUE

    def _term(self, term: fol.Term, levels: Mapping[str, int]) -> Hashable:
        match term:
            case fol.Variable(name):
                return levels[name]
            case fol.Constant(name):
                return name
            case fol.Function(name, arguments):
                return (name, *(self._term(argument, levels) for argument in arguments))

    def _leaf(self, name: Hashable, mentioned: frozenset[int]) -> int:
        """Return the diagram of an atom that mentions variables of some levels."""
        place = self._places.get(name)
        if place is None:
            if len(self._places) == MAX_ATOMS:
                raise DiagramTooLargeError(f"more than {MAX_ATOMS} atoms")
            place = self._places[name] = max(mentioned, default=0), len(self._places)
            self._mentioned[place] = mentioned
        return self._node(place, _FALSE, _TRUE)

    def _node(self, place: _Place, low: int, high: int) -> int:
        if low == high:
            return low
        key = (place, low, high)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return number

    def _choice(self, condition: int, then: int, otherwise: int) -> int:
        """Return the diagram of (condition ? then : otherwise)."""
        if condition <= _TRUE:
            return then if condition else otherwise
        if then == otherwise:
            return then
        if then == _TRUE and otherwise == _FALSE:
            return condition
        key = (condition, then, otherwise)
        known = self._chosen.get(key)
        if known is not None:
            return known
        self._step()
        nodes = [self._nodes[diagram] for diagram in key]
        place = min(node[0] for node in nodes)
        low = self._choice(*(node[1] if node[0] == place else part for node, part in zip(nodes, key, strict=True)))
        high = self._choice(*(node[2] if node[0] == place else part for node, part in zip(nodes, key, strict=True)))
        self._chosen[key] = found = self._node(place, low, high)
        return found

    def _for_all(self, level: int, body: int) -> int:
        """Return the diagram of ∀ over the variable of a level, which no other quantifier of the body is inside of."""
        if body <= _TRUE:
            return body
        known = self._bound.get((level, body))
        if known is not None:
            return known
        self._step()
        place, low, high = self._nodes[body]
        if place[0] == level:
            found = self._leaf((level, body), self._levels_in(body) - {level})
        else:
            atom = self._node(place, _FALSE, _TRUE)
            found = self._choice(atom, self._for_all(level, high), self._for_all(level, low))
        self._bound[level, body] = found
        return found

    def _levels_in(self, diagram: int) -> frozenset[int]:
        """Return the levels of the variables that the atoms of a diagram mention."""
        found: set[int] = set()
        seen, stack = {_FALSE, _TRUE}, [diagram]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                place, low, high = self._nodes[node]
                found |= self._mentioned[place]
                stack += (low, high)
        return frozenset(found)

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise DiagramTooLargeError(f"more than {MAX_STEPS} steps")
