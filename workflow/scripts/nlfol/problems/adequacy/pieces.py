"""Pieces of a formula: the clauses that it entails, their instances at names, and several in one.

What a mutant adds to its story is among them: of ∀x (Cat(x) → Shy(x) ∧ Tall(x)) it is ∀x (Cat(x) → Tall(x)), and
Tall(tom), if Tom is a cat. Each of some formulas entails their clauses in one, so that one conclusion notices them all.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice, product

from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.rewriting import complement, negation_normal_form, with_standard_variables
from nlfol.logic.syntax import And, Atomic, Constant, Exists, ForAll, Formula, Implies, Not, Or, Variable, subformulas

MAX_CLAUSES, MAX_INSTANCES = 12, 40
"""Clauses of a formula, and instances of a clause."""

Clause = tuple[Formula, ...]
"""Literals and parts that begin with ∃, one of which is true."""


def clauses(formula: Formula) -> list[Clause]:
    """Return clauses that a formula entails, with its variables made standard; none if there are too many."""
    found = _clauses(negation_normal_form(with_standard_variables(formula)))
    return [] if len(found) > MAX_CLAUSES else [one for one in found if not _is_empty(one)]


def _clauses(formula: Formula) -> list[Clause]:
    """Return the clauses of a formula in negation normal form; too many, if there are too many."""
    match formula:
        case ForAll(_, body):
            return _clauses(body)
        case And(left, right):
            return [*_clauses(left), *_clauses(right)]
        case Or(left, right):
            one, other = _clauses(left), _clauses(right)
            if len(one) * len(other) > MAX_CLAUSES:
                return [()] * (MAX_CLAUSES + 1)
            return [tuple(dict.fromkeys((*a, *b))) for a, b in product(one, other)]
        case Exists(variable, body):
            parts = _clauses(body)
            return [(formula,), *((Exists(variable, reduce(Or, part)),) for part in parts if len(parts) > 1 and part)]
        case _:
            return [(formula,)]


def _is_empty(clause: Clause) -> bool:
    return not clause or any(complement(literal) in clause for literal in clause)


def said(clause: Clause) -> Formula:
    """Return the closed formula of a clause, as a conditional if it has literals with ¬."""
    conditions = [literal.operand for literal in clause if isinstance(literal, Not)]
    others: list[Formula] = [literal for literal in clause if not isinstance(literal, Not)]
    if not others:
        others.append(Not(conditions.pop()))
    body = reduce(Or, others)
    if conditions:
        body = Implies(reduce(And, conditions), body)
    for name in sorted(body.profile.free, reverse=True):
        body = ForAll(Variable(name), body)
    return with_standard_variables(body)


def instances(clause: Clause, names: Sequence[Constant], is_false: Callable[[Formula], bool]) -> Iterator[Clause]:
    """Yield a clause and its instances, without literals that are false in the story."""
    variables = sorted(frozenset[str]().union(*(literal.profile.free for literal in clause)))
    for chosen in islice(product((None, *names), repeat=len(variables)), MAX_INSTANCES):
        put = [(name, constant) for name, constant in zip(variables, chosen, strict=True) if constant is not None]
        literals = [reduce(lambda node, it: substituted(node, *it), put, literal) for literal in clause]
        left = tuple(dict.fromkeys(one for one in literals if one.profile.free or not is_false(one)))
        if not _is_empty(left):
            yield left


def joined(one: Clause, other: Clause) -> Clause | None:
    """Return what each of two clauses entails, parts that begin with ∃ in one; None where that says nothing."""
    literals = dict.fromkeys((*one, *other))
    some = [literal for literal in literals if isinstance(literal, Exists)]
    parts: list[Formula] = [literal for literal in literals if not isinstance(literal, Exists)]
    for variable in dict.fromkeys(part.variable for part in some):
        bodies = [part.body for part in some if part.variable is variable]
        parts.append(Exists(variable, reduce(Or, dict.fromkeys(it for body in bodies for it in _disjuncts(body)))))
    return None if _is_empty(tuple(parts)) else tuple(parts)


def _disjuncts(formula: Formula) -> list[Formula]:
    return [*_disjuncts(formula.left), *_disjuncts(formula.right)] if isinstance(formula, Or) else [formula]


def atoms(formula: Formula) -> int:
    """Return how many atoms a formula has."""
    return sum(isinstance(node, Atomic) for _, node in subformulas(formula))
