"""Completion of universally quantified equations: the equations that they entail.

Unfailing Knuth–Bendix completion (Bachmair, Dershowitz and Plaisted, *Completion Without Failure*, 1989) of the
equations among the conjuncts of a Skolem normal form: equations become rewrite rules, from the larger to the smaller
side of a lexicographic path order, and what two overlapping rules make of one term are equations, too. If then, in one
conjunct, the sides of every equation that is denied have one normal form, the conjuncts are contradictory. Equations
that no order directs, such as commutativity, rewrite where the instance becomes smaller.

This proves what Z3 leaves open of groups and the like, and where there is more than equations, the rules are what Z3
needs besides. What is no equation is left out, so that nothing follows where the sides stay apart.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import reduce
from heapq import heappop, heappush
from itertools import chain, count
from typing import Any, NamedTuple

from nlfol.logic.decision.satisfiability import SMALL_BUDGET, Finding, Question, names
from nlfol.logic.decision.skolemization import skolemized
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.errors import FormulaError
from nlfol.logic.syntax import And, Constant, Equality, ForAll, Formula, Function, Not, Or, Variable, fold, operands
from nlfol.logic.syntax import Term as SyntaxTerm
from nlfol.plugins import placed

MAX_STEPS = 20_000  # attempts to match or unify two terms; theorems on groups take some hundreds
MAX_SIZE = 40  # symbols of a side above which an equation is left out
MAX_GROWN = 200  # symbols to which a term may grow while it is rewritten: all here recurses
_APART = 10_000  # the first variable of an equation whose variables must differ from those of another

_Term = Any
"""A variable as an integer; anything else as a tuple of a symbol and its arguments."""
_Equation = tuple[_Term, _Term]


class _BudgetError(Exception):
    """Error: ``MAX_STEPS`` are used up, or a term has more than ``MAX_GROWN`` symbols."""


class Completed(NamedTuple):
    """Result of completion: whether conjuncts are proven contradictory, and consequences, universally closed."""

    contradictory: bool
    equations: tuple[Formula, ...]


def completed(formula: Formula) -> Completed:
    """Complete the equations among the conjuncts of a Skolem normal form, within ``MAX_STEPS``."""
    equations: list[_Equation] = []
    goals: list[list[_Equation]] = []
    for conjunct in operands(formula, And, ForAll):
        literals = list(operands(conjunct, Or))
        atoms = [literal.operand if isinstance(literal, Not) else literal for literal in literals]
        if not all(isinstance(atom, Equality) and _is_small(atom) for atom in atoms):
            continue
        sides = [(_term(atom.left), _term(atom.right)) for atom in atoms if isinstance(atom, Equality)]
        if literals == atoms and len(atoms) == 1:
            equations += sides
        elif all(isinstance(literal, Not) and not literal.profile.free for literal in literals):
            goals.append(sides)
    completion = _Completion(equations)
    contradictory = False
    with suppress(_BudgetError):
        contradictory = completion.proves(goals)
    return Completed(contradictory, tuple(map(_closed, completion.rules())))


@placed(after="small_budget")
def by_completion(question: Question) -> Finding | None:
    """Look for a contradiction among equations, or by Z3 with the equations that they entail."""
    if not question.symbols.functions or question.is_too_deep or question.form is None:
        return None
    forms, root = question.form
    if root in (forms.truth, forms.falsity):
        return None
    try:
        formula = skolemized(forms, root, names(question.symbols))
    except FormulaError:
        return None
    contradictory, equations = completed(formula)
    if not contradictory:
        if not equations:
            return None
        budget = min(question.budget, SMALL_BUDGET)
        contradictory = satisfiable(reduce(And, equations, formula), budget, with_model=False).answer is Answer.NO
    return Finding(Answer.NO, "completion") if contradictory else None


class _Completion:
    """Rules by the symbol of their left side, and the equations that wait."""

    def __init__(self, equations: list[_Equation]) -> None:
        self._left = MAX_STEPS
        self._rules: dict[str, list[_Equation]] = {}
        self._waiting: list[tuple[int, int, _Equation]] = []
        self._ages = count()
        for equation in equations:
            self._wait(equation)

    def proves(self, goals: list[list[_Equation]]) -> bool:
        """Return whether the sides of all equations of some goal come together."""
        while self._waiting:
            _, _, (left, right) = heappop(self._waiting)
            left, right = self._normal(left), self._normal(right)
            if left == right:
                continue
            left, right = _renumbered((left, right))
            if _is_greater(right, left):
                left, right = right, left
            for rule in [(left, right)] if _is_greater(left, right) else [(left, right), (right, left)]:
                self._enter(rule)
            if any(all(self._normal(one) == self._normal(other) for one, other in goal) for goal in goals):
                return True
        return False

    def rules(self) -> Iterator[_Equation]:
        """Yield the rules, whose sides are equal."""
        return chain.from_iterable(self._rules.values())

    def _wait(self, equation: _Equation) -> None:
        size = _size(equation[0]) + _size(equation[1])
        if size <= 2 * MAX_SIZE:
            heappush(self._waiting, (size, next(self._ages), equation))

    def _enter(self, rule: _Equation) -> None:
        """Add a rule; those with a left side that it rewrites wait again as equations."""
        if isinstance(rule[0], int):
            return
        for rules in self._rules.values():
            for other in [other for other in rules if self._rewrites(rule, other[0])]:
                rules.remove(other)
                self._wait(other)
        self._rules.setdefault(rule[0][0], []).append(rule)
        for other in list(self.rules()):
            apart = _renumbered(other, _APART)
            for pair in (*self._overlaps(rule, apart), *self._overlaps(apart, rule)):
                self._wait(pair)

    def _rewrites(self, rule: _Equation, term: _Term) -> bool:
        return any(self._rewritten(rule, part) is not None for _, part in _parts(term))

    def _rewritten(self, rule: _Equation, term: _Term) -> _Term | None:
        self._step()
        values: dict[int, _Term] = {}
        if not _matches(rule[0], term, values):
            return None
        result = _instance(rule[1], values)
        if _size(result) > MAX_GROWN:
            raise _BudgetError
        # An equation that no order directs may make an instance larger, or leave a variable open.
        return result if _is_greater(rule[0], rule[1]) or _is_greater(term, result) else None

    def _normal(self, term: _Term) -> _Term:
        while not isinstance(term, int):
            term = (term[0], *map(self._normal, term[1:]))
            attempts = (self._rewritten(rule, term) for rule in self._rules.get(term[0], ()))
            rewritten = next((result for result in attempts if result is not None), None)
            if rewritten is None:
                break
            term = rewritten
        return term

    def _overlaps(self, outer: _Equation, inner: _Equation) -> Iterator[_Equation]:
        """Yield the two results of rewriting a term in which one rule's left side contains the other's."""
        for path, part in _parts(outer[0]):
            self._step()
            unified = _unified(part, inner[0])
            if unified is not None:
                yield _renumbered((_solved(_replaced(outer[0], path, inner[1]), unified), _solved(outer[1], unified)))

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _BudgetError


def _is_small(equation: Equality) -> bool:
    """Return whether both sides are small; terms share their parts, so that they may stand for many symbols."""
    if equation.profile.levels > MAX_SIZE:
        return False
    return all(fold(side, lambda _, parts: 1 + sum(parts)) <= MAX_SIZE for side in (equation.left, equation.right))


def _term(term: SyntaxTerm) -> _Term:
    if isinstance(term, Variable):
        return int(term.name[1:])  # x0, x1, ... of the Skolem normal form
    return (term.name, *map(_term, term.arguments)) if isinstance(term, Function) else (term.name,)


def _closed(equation: _Equation) -> Formula:
    def written(term: _Term) -> SyntaxTerm:
        if isinstance(term, int):
            return Variable(f"x{term}")
        return Function(term[0], tuple(map(written, term[1:]))) if len(term) > 1 else Constant(term[0])

    formula: Formula = Equality(*map(written, equation))
    for name in sorted(formula.profile.free):
        formula = ForAll(Variable(name), formula)
    return formula


def _size(term: _Term) -> int:
    return 1 if isinstance(term, int) else 1 + sum(map(_size, term[1:]))


def _parts(term: _Term, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], _Term]]:
    """Yield the parts that are no variables, with the places of the arguments to follow."""
    if not isinstance(term, int):
        yield path, term
        for index, argument in enumerate(term[1:], 1):
            yield from _parts(argument, (*path, index))


def _replaced(term: _Term, path: tuple[int, ...], part: _Term) -> _Term:
    if not path:
        return part
    return (*term[: path[0]], _replaced(term[path[0]], path[1:], part), *term[path[0] + 1 :])


def _instance(term: _Term, values: Mapping[int, _Term]) -> _Term:
    if isinstance(term, int):
        return values.get(term, term)
    return (term[0], *[_instance(argument, values) for argument in term[1:]])


def _solved(term: _Term, values: Mapping[int, _Term]) -> _Term:
    """Return an instance by values that mention variables with values of their own."""
    if isinstance(term, int):
        return _solved(values[term], values) if term in values else term
    return (term[0], *[_solved(argument, values) for argument in term[1:]])


def _renumbered(equation: _Equation, first: int = 0) -> _Equation:
    numbers: dict[int, int] = {}

    def renumbered(term: _Term) -> _Term:
        if isinstance(term, int):
            return numbers.setdefault(term, first + len(numbers))
        return (term[0], *map(renumbered, term[1:]))

    return renumbered(equation[0]), renumbered(equation[1])


def _matches(pattern: _Term, term: _Term, values: dict[int, _Term]) -> bool:
    if isinstance(pattern, int):
        return bool(values.setdefault(pattern, term) == term)
    if isinstance(term, int) or pattern[0] != term[0]:
        return False
    return all(_matches(one, other, values) for one, other in zip(pattern[1:], term[1:], strict=True))


def _unified(one: _Term, other: _Term) -> dict[int, _Term] | None:
    values: dict[int, _Term] = {}
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        while isinstance(a, int) and a in values:
            a = values[a]
        while isinstance(b, int) and b in values:
            b = values[b]
        if a == b:
            continue
        if isinstance(a, int) or isinstance(b, int):
            variable, value = (a, b) if isinstance(a, int) else (b, a)
            if _occurs(variable, _solved(value, values)):
                return None
            values[variable] = value
        elif a[0] != b[0]:
            return None
        else:
            stack += zip(a[1:], b[1:], strict=True)
    return values


def _occurs(variable: int, term: _Term) -> bool:
    return term == variable if isinstance(term, int) else any(_occurs(variable, argument) for argument in term[1:])


def _is_greater(one: _Term, other: _Term) -> bool:
    """Compare terms by the lexicographic path order; unary functions are greatest, as inverses in groups."""
    if isinstance(one, int) or one == other:
        return False
    if isinstance(other, int):
        return _occurs(other, one)
    if one[0] != other[0]:
        if _rank(one) > _rank(other):
            return _dominates(one, other[1:])
        return _reaches(one[1:], other)
    index = next(index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    # What stands before that place decides nothing; so does what follows it on the side that is smaller there.
    if _is_greater(one[index], other[index]):
        return _dominates(one, other[index + 1 :])
    return _reaches(one[index + 1 :], other)


def _dominates(one: _Term, others: tuple[_Term, ...]) -> bool:
    return all(_is_greater(one, other) for other in others)


def _reaches(terms: tuple[_Term, ...], other: _Term) -> bool:
    return any(term == other or _is_greater(term, other) for term in terms)


def _rank(term: _Term) -> tuple[bool, int, str]:
    return len(term) == 2, len(term), term[0]
