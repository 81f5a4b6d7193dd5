"""Negation normal form with the quantifiers as far inside as the laws let them.

This is miniscoping (Nonnengart and Weidenbach, *Computing Small Clause Normal Forms*).

∀ is distributed over ∧ and ∃ over ∨; both leave out what does not mention the variable, pass through a quantifier of
their own kind where that brings them further, and vanish where nothing mentions it (universes are not empty). ∧ and ∨
have any number of operands, each once; an operand that another makes superfluous is left out: A ∧ (A ∨ B) is A,
A ∧ (¬A ∨ B) is A ∧ B, A ∧ ¬A is falsity, the empty ∨.

Forms are numbered; equal numbers are equal forms. Operands are ordered by a digest of what they are, so that order and
repetition do not matter and what is made of a form depends on its formula alone, not on what was asked before.
"""

from collections.abc import Iterable
from enum import IntEnum, auto
from hashlib import blake2b

from nlfol.interning import bottom_up
from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaError
from nlfol.logic.printing import to_unicode


class FormKind(IntEnum):
    """Kind of a form; an integer, because it is hashed all the time."""

    LITERAL = auto()
    AND = auto()
    OR = auto()
    FORALL = auto()
    EXISTS = auto()


class FormTooLargeError(FormulaError):
    """Nested ↔ and ⊕ under quantifiers grow exponentially."""


_MAX_ABSORBING = 40
_MAX_COMPARED = 8
_DUAL = {FormKind.AND: FormKind.OR, FormKind.OR: FormKind.AND}
_SPREADS_OVER = {FormKind.FORALL: FormKind.AND, FormKind.EXISTS: FormKind.OR}
_Bound = tuple[FormKind, str, int]
"""A quantifier, its variable, and the form that it is to bind."""


class Forms:
    """The forms of formulas by number, up to ``limit`` (``FormTooLargeError``); ``atoms`` with their polarity."""

    def __init__(self, limit: int | None = None) -> None:
        self.kinds: list[FormKind] = []
        self.parts: list[tuple[int, ...]] = []
        self.free: list[frozenset[str]] = []
        self._digests: list[bytes] = []
        self.atoms: dict[int, tuple[fol.Atomic, bool]] = {}
        self.variables: dict[int, str] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._of_formulas: dict[tuple[fol.Formula, bool], int] = {}
        self._bound: dict[tuple[FormKind, str, int], int] = {}
        self._complements: dict[int, int] = {}
        self._limit = limit
        self.truth = self._new((FormKind.AND,), FormKind.AND, (), frozenset(), "")
        self.falsity = self._new((FormKind.OR,), FormKind.OR, (), frozenset(), "")

    def __len__(self) -> int:
        return len(self.kinds)

    def of(self, formula: fol.Formula, affirmed: bool = True) -> int:
        """Return the form of a formula or of its negation."""
        return bottom_up((formula, affirmed), _needed, self._form, self._of_formulas)

    def _form(self, item: tuple[fol.Formula, bool], parts: tuple[int, ...]) -> int:
        formula, affirmed = item
        if isinstance(formula, fol.Not):
            return parts[0]
        if isinstance(formula, fol.And | fol.Or | fol.Implies):
            return self.joined(FormKind.AND if isinstance(formula, fol.And) == affirmed else FormKind.OR, parts)
        if isinstance(formula, fol.ForAll | fol.Exists):
            kind = FormKind.FORALL if isinstance(formula, fol.ForAll) == affirmed else FormKind.EXISTS
            return self.bind(kind, formula.variable.name, parts[0])
        if isinstance(formula, fol.Atom | fol.Equality):
            return self.literal(formula, affirmed)
        a, b, not_a, not_b = parts
        same = isinstance(formula, fol.Iff) == affirmed
        sides = ([a, not_b if same else b], [not_a, b if same else not_b])
        return self.joined(FormKind.AND, [self.joined(FormKind.OR, side) for side in sides])

    def _new(
        self, key: tuple[object, ...], kind: FormKind, parts: tuple[int, ...], free: frozenset[str], text: str
    ) -> int:
        number = self._numbers.get(key)
        if number is None:
            if self._limit is not None and len(self.kinds) >= self._limit:
                raise FormTooLargeError(f"more than {self._limit} forms")
            number = self._numbers[key] = len(self.kinds)
            self.kinds.append(kind)
            self.parts.append(parts)
            self.free.append(free)
            content = f"{kind.value} {text}/".encode() + b"".join(self._digests[part] for part in parts)
            self._digests.append(blake2b(content, digest_size=16).digest())
        return number

    def literal(self, atom: fol.Atomic, affirmed: bool) -> int:
        """Return an atomic formula or its negation; t = t is truth."""
        if isinstance(atom, fol.Equality) and atom.left is atom.right:
            return self.truth if affirmed else self.falsity
        number = self._numbers.get((atom, affirmed))
        if number is None:
            if isinstance(atom, fol.Atom) and not any(isinstance(term, fol.Function) for term in atom.arguments):
                text = f"{atom.predicate}({','.join([term.name for term in atom.arguments])})"
            else:
                text = to_unicode(atom, checked=False)
            number = self._new((atom, affirmed), FormKind.LITERAL, (), atom.profile.free, f"{affirmed} {text}")
            self.atoms[number] = atom, affirmed
        return number

    def complement(self, root: int) -> int:
        """Return the form of the negation of a form."""
        return bottom_up(root, self.parts.__getitem__, self._complement, self._complements)

    def _complement(self, form: int, parts: tuple[int, ...]) -> int:
        kind = self.kinds[form]
        if kind is FormKind.LITERAL:
            atom, affirmed = self.atoms[form]
            return self.literal(atom, not affirmed)
        if kind in (FormKind.AND, FormKind.OR):
            return self.joined(_DUAL[kind], parts)
        dual = FormKind.EXISTS if kind is FormKind.FORALL else FormKind.FORALL
        return self.bind(dual, self.variables[form], parts[0])

    def conjuncts(self, form: int) -> tuple[int, ...]:
        """Return the operands of a conjunction; any other form alone."""
        return self.parts[form] if self.kinds[form] is FormKind.AND else (form,)

    def joined(self, kind: FormKind, parts: Iterable[int]) -> int:
        """Return the conjunction or disjunction of some forms."""
        operands = self._flattened(kind, parts)
        neutral, absorbing = (self.truth, self.falsity) if kind is FormKind.AND else (self.falsity, self.truth)
        if 1 < len(operands) <= _MAX_ABSORBING:
            reduced = self._reduced(kind, operands)
            while reduced != operands:
                operands = reduced
                reduced = self._reduced(kind, operands)
        if absorbing in operands:
            return absorbing
        if not operands:
            return neutral
        if len(operands) == 1:
            return operands[0]
        operands.sort(key=self._digests.__getitem__)
        free = frozenset[str]().union(*(self.free[operand] for operand in operands))
        return self._new((kind, *operands), kind, tuple(operands), free, "")

    def _flattened(self, kind: FormKind, parts: Iterable[int]) -> list[int]:
        operands: dict[int, None] = {}
        for part in parts:
            operands.update(dict.fromkeys(self.parts[part]) if self.kinds[part] is kind else {part: None})
        return list(operands)

    def _reduced(self, kind: FormKind, operands: list[int]) -> list[int]:
        """Drop operands that another makes superfluous, in one round."""
        dual = _DUAL[kind]
        present = set(operands)
        absorbing = self.falsity if kind is FormKind.AND else self.truth
        opposed = {number for operand in operands if (number := self._opposite(operand)) is not None}
        if not opposed.isdisjoint(present):
            return [absorbing]
        inner = [frozenset(self.parts[operand]) for operand in operands if self.kinds[operand] is dual]
        if not inner:
            return operands
        if kind is FormKind.OR and len(inner) > 1:
            operands = self._with_equivalences(operands)
            inner = [frozenset(self.parts[operand]) for operand in operands if self.kinds[operand] is dual]
        kept = []
        for operand in operands:
            if self.kinds[operand] is dual:
                own = frozenset(self.parts[operand])
                if not own.isdisjoint(present) or any(other < own for other in inner):
                    continue
                if not own.isdisjoint(opposed):
                    operand = self.joined(dual, [part for part in self.parts[operand] if part not in opposed])  # noqa: PLW2901
            kept.append(operand)
        return self._flattened(kind, kept)

    def _with_equivalences(self, operands: list[int]) -> list[int]:
        """Write (A ∧ B) ∨ (¬A ∧ ¬B) as (A ∨ ¬B) ∧ (¬A ∨ B), the form of ↔ and ⊕."""
        conjunctions = [operand for operand in operands if self.kinds[operand] is FormKind.AND]
        if not 2 <= len(conjunctions) <= _MAX_COMPARED:
            return operands
        for index, one in enumerate(conjunctions):
            for other in conjunctions[:index]:
                halves = self._halves(other, one)
                if halves is None:
                    continue
                a, b = halves
                sides = (
                    self.joined(FormKind.OR, [a, self.complement(b)]),
                    self.joined(FormKind.OR, [self.complement(a), b]),
                )
                joined = self.joined(FormKind.AND, sides)
                rest = [joined if operand == other else operand for operand in operands if operand != one]
                return self._flattened(FormKind.OR, rest)
        return operands

    def _halves(self, one: int, other: int) -> tuple[int, int] | None:
        """Return A and B where one form is A ∧ B and the other ¬A ∧ ¬B."""
        ones, others = set(self.parts[one]), set(self.parts[other])
        if max(len(ones), len(others)) > _MAX_COMPARED:
            return None
        for part in self.parts[other]:
            denied = self.conjuncts(self.complement(part))
            rest = [left for left in self.parts[one] if left not in denied]
            if rest and len(rest) + len(denied) == len(ones) and ones.issuperset(denied):
                b = self.joined(FormKind.AND, rest)
                if set(self.conjuncts(self.complement(b))) == others - {part}:
                    return self.joined(FormKind.AND, denied), b
        return None

    def _opposite(self, number: int) -> int | None:
        """Return the opposite of a literal, where that occurs at all."""
        if self.kinds[number] is not FormKind.LITERAL:
            return None
        atom, affirmed = self.atoms[number]
        return self._numbers.get((atom, not affirmed))

    def bind(self, kind: FormKind, variable: str, body: int) -> int:
        """Return ∀ or ∃ of a form, moved inside as far as it goes."""
        return bottom_up((kind, variable, body), self._inside, self._bind, self._bound)

    def _inside(self, item: _Bound) -> list[_Bound]:
        """Return the forms that must be bound before."""
        kind, variable, body = item
        if variable not in self.free[body]:
            return []
        if self.kinds[body] is _SPREADS_OVER[kind]:
            return [(kind, variable, part) for part in self.parts[body]]
        if self.kinds[body] is _DUAL[_SPREADS_OVER[kind]]:
            mentioning = [part for part in self.parts[body] if variable in self.free[part]]
            if len(mentioning) < len(self.parts[body]):
                return [(kind, variable, self.joined(self.kinds[body], mentioning))]
        elif self.kinds[body] is kind:
            inner = (kind, variable, self.parts[body][0])
            bound = self._bound.get(inner)
            is_last = bound is None or self._is_stuck(bound, inner)
            return [inner if is_last or bound is None else (kind, self.variables[body], bound)]
        return []

    def _bind(self, item: _Bound, _: tuple[int, ...]) -> int:
        kind, variable, body = item
        if variable not in self.free[body]:
            return body
        of_body = self.kinds[body]
        if of_body is _SPREADS_OVER[kind]:
            return self.joined(of_body, [self._bound[kind, variable, part] for part in self.parts[body]])
        if of_body is _DUAL[_SPREADS_OVER[kind]]:
            mentioning = [part for part in self.parts[body] if variable in self.free[part]]
            if len(mentioning) < len(self.parts[body]):
                rest = [part for part in self.parts[body] if variable not in self.free[part]]
                bound = self._bound[kind, variable, self.joined(of_body, mentioning)]
                return self.joined(of_body, [*rest, bound])
        if of_body is kind:
            inner = (kind, variable, self.parts[body][0])
            bound = self._bound[inner]
            if not self._is_stuck(bound, inner):
                return self._bound[kind, self.variables[body], bound]
        number = self._new(item, kind, (body,), self.free[body] - {variable}, variable)
        self.variables[number] = variable
        return number

    def _is_stuck(self, bound: int, item: _Bound) -> bool:
        """Return whether the quantifier came no further than where it stood."""
        return self.kinds[bound] is item[0] and self.variables[bound] == item[1] and self.parts[bound] == (item[2],)


def _needed(item: tuple[fol.Formula, bool]) -> list[tuple[fol.Formula, bool]]:
    """Return the subformulas, each affirmed or denied, of whose forms the form is made."""
    formula, affirmed = item
    if isinstance(formula, fol.And | fol.Or | fol.ForAll | fol.Exists):
        return [(part, affirmed) for part in fol.children(formula)]
    match formula:
        case fol.Not(operand):
            return [(operand, not affirmed)]
        case fol.Implies(a, b):
            return [(a, not affirmed), (b, affirmed)]
        case fol.Iff(a, b) | fol.ExclusiveOr(a, b):
            return [(a, True), (b, True), (a, False), (b, False)]
        case _:
            return []
