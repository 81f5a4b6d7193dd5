"""A normal form under which syntactically close equivalents coincide.

Of the miniscoped form (``miniscoping``): bound variables are named by their level, the order of the operands of ∧ and ∨
and of the sides of an equation is forgotten, and so is the order of up to three neighbouring quantifiers of one kind,
of which all orders are numbered. Equal normal forms prove equivalence; different ones prove nothing.
"""

from collections.abc import Hashable
from itertools import permutations

from nlfol.interning import bottom_up
from nlfol.logic.decision.miniscoping import FormKind, Forms, FormTooLargeError
from nlfol.logic.rewriting import negation_normal_form
from nlfol.logic.syntax import Atom, Constant, Formula, Function, Term, Variable, fold

MAX_SHARED_WEIGHT = 5_000  # of formulas that share one numbering, which then needs no limit
MAX_STEPS = 20_000  # forms that are made and numbered for two heavier formulas until they are given up
_MAX_ORDERED = 3
_MAX_REMEMBERED = 200_000

_Levels = tuple[tuple[str, int], ...]
"""The level of each free variable of a form, by name."""

_Item = tuple[int, _Levels]


def same_normal_form(first: Formula, second: Formula) -> bool:
    """Return whether the two have one normal form, which proves them equivalent; False also where one is too large.

    Where ↔ is nested, simplifying can lead two ways from one negation normal form, so that is compared too.
    """
    return has_one_normal_form(first, second) or negation_normal_form(first) is negation_normal_form(second)


def has_one_normal_form(first: Formula, second: Formula, opposed: bool = False) -> bool:
    """Return whether a formula, open or closed, has the normal form of another or, where opposed, of its negation."""
    numbering = numbering_for(first, second)
    number = numbering.of(first)
    return number is not None and number == numbering.of(second, not opposed)


class Numbering:
    """Numbers of normal forms, by their kind and the numbers of their parts, so that no comparison is ever deep.

    Formulas are too large with more than ``limit`` forms, or numbers of them.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.forms = Forms(limit)
        self._limit = limit
        self._numbers: dict[Hashable, int] = {}
        self._done: dict[_Item, int] = {}
        self._of_formulas: dict[tuple[Formula, bool], int | None] = {}

    def __len__(self) -> int:
        return len(self.forms) + len(self._done) + len(self._of_formulas)

    def of(self, formula: Formula, affirmed: bool = True) -> int | None:
        """Return the number of the normal form of a formula or of its negation; None where it is too large."""
        asked = formula, affirmed
        if asked not in self._of_formulas:
            try:
                root = self.forms.of(formula, affirmed), ()
                self._of_formulas[asked] = bottom_up(root, self._needed, self._number, self._done)
            except FormTooLargeError:
                self._of_formulas[asked] = None
        return self._of_formulas[asked]

    def _needed(self, item: _Item) -> list[_Item]:
        """Return the forms whose numbers are part of the key of a form; of a quantified one, in each order."""
        forms = self.forms
        form, levels = item
        kind = forms.kinds[form]
        if kind is FormKind.LITERAL:
            return []
        if kind is FormKind.AND or kind is FormKind.OR:
            return [(part, _restricted(levels, forms.free[part])) for part in forms.parts[form]]
        names, body = [forms.variables[form]], forms.parts[form][0]
        while len(names) < _MAX_ORDERED and forms.kinds[body] is kind:
            names.append(forms.variables[body])
            body = forms.parts[body][0]
        base = _next_level(levels)
        orders = permutations(range(base, base + len(names)))
        within = [{**dict(levels), **dict(zip(names, order, strict=True))} for order in orders]
        free = forms.free[body]
        return [(body, _restricted(tuple(sorted(w.items())), free)) for w in within]

    def _number(self, item: _Item, parts: tuple[int, ...]) -> int:
        if self._limit is not None and len(self._done) >= self._limit:
            raise FormTooLargeError(f"more than {self._limit} forms to number")
        form, levels = item
        kind = self.forms.kinds[form]
        if kind is FormKind.LITERAL:
            (atom, affirmed), depths = self.forms.atoms[form], dict(levels)
            if isinstance(atom, Atom):
                return self._numbered((affirmed, atom.predicate, *(self._term(t, depths) for t in atom.arguments)))
            sides = frozenset((self._term(atom.left, depths), self._term(atom.right, depths)))
            return self._numbered((affirmed, sides))
        distinct = frozenset(parts)
        if kind is FormKind.AND or kind is FormKind.OR:
            return parts[0] if len(distinct) == 1 else self._numbered((kind, distinct))
        # The number of orders tells how many quantifiers there are.
        return self._numbered((kind, _next_level(levels), len(parts), distinct))

    def _numbered(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _term(self, root: Term, levels: dict[str, int]) -> Hashable:
        """Return a variable by its level, a constant by its name, a function term by a number."""
        if isinstance(root, Variable):
            return levels.get(root.name, root)
        if isinstance(root, Constant):
            return root.name

        def step(term: Term, parts: tuple[Hashable, ...]) -> Hashable:
            if isinstance(term, Function):
                return "term", self._numbered((Function, term.name, *parts))
            return self._term(term, levels)

        return fold(root, step)


def _next_level(levels: _Levels) -> int:
    return 1 + max((level for _, level in levels), default=-1)


def _restricted(levels: _Levels, free: frozenset[str]) -> _Levels:
    if len(levels) == len(free):
        return levels
    return tuple(pair for pair in levels if pair[0] in free)


_current = Numbering()


def numbering_for(*formulas: Formula) -> Numbering:
    """Return the shared numbering, a new one where that has grown large; for heavy formulas a limited one of their own.

    Numbers of different numberings must not be compared.
    """
    global _current  # noqa: PLW0603
    if any(formula.profile.weight > MAX_SHARED_WEIGHT for formula in formulas):
        return Numbering(MAX_STEPS)
    if len(_current) > _MAX_REMEMBERED:
        _current = Numbering()
    return _current
