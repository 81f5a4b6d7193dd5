"""Diagnosis of a wrong translation: the one change that would make it equivalent to the gold formula.

``diagnoses`` lists the formulas that are one change away, those that undo a distinctive fault first; ``diagnose``
finds the first that is proven equivalent to the gold formula. A translation with two faults has no diagnosis.

The changes undo the faults that are known of translations into logic: a quantifier switched; → for ∧ under ∃ and ∧ for
→ under ∀ (Barwise and Etchemendy, *Language, Proof and Logic*, 9.5); another connective; an implication the wrong way
round; a negation too many, missing or with another scope; arguments in another order; quantifiers in another order or
with another scope; a condition too many; another predicate or term; a condition missing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, permutations, product

from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence

MAX_TRIED = 3_000  # changes tried at most; formulas of ordinary size have a few hundred
MAX_NODES = 300_000  # subformulas, of all the changed formulas together, above which no more are tried
MAX_SOLVED = 10  # comparisons that no finite structure settles, which cost seconds each

_CHEAP = frozenset(("truth_table", "finite_structure", "finite_model_bound"))


class Fault(StrEnum):
    """Kind of fault, by the change that repairs it."""

    QUANTIFIER = "quantifier"
    IMPLICATION_UNDER_EXISTS = "implication_under_exists"
    CONJUNCTION_UNDER_FORALL = "conjunction_under_forall"
    CONNECTIVE = "connective"
    DIRECTION = "direction"
    NEGATION = "negation"
    NEGATION_SCOPE = "negation_scope"
    ARGUMENT_ORDER = "argument_order"
    QUANTIFIER_ORDER = "quantifier_order"
    QUANTIFIER_SCOPE = "quantifier_scope"
    SUPERFLUOUS = "superfluous"
    PREDICATE = "predicate"
    TERM = "term"
    MISSING = "missing"
    DETERMINER = "determiner"  # found by ``distance`` alone


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A change that repairs a formula."""

    fault: Fault
    path: fol.Path
    formula: fol.Formula


def diagnose(gold: fol.Formula, translation: fol.Formula, *, budget: int = DEFAULT_BUDGET) -> Diagnosis | None:
    """Return the first change found that makes a translation equivalent to the gold formula; both are closed.

    At most ``MAX_TRIED`` changes are tried, fewer of a large translation (``MAX_NODES``) or where ``MAX_SOLVED`` are
    hard to tell from the gold formula. The budget is that of each comparison by ``equivalence``.
    """
    tried: set[fol.Formula] = {translation}
    solved, expected = 0, FIRST_FAMILY.truth(gold)
    wanted = min(MAX_TRIED, MAX_NODES // translation.profile.occurrences)
    for diagnosis in islice(diagnoses(gold, translation), wanted):
        changed = diagnosis.formula
        if changed in tried or changed.profile.free:
            continue
        tried.add(changed)
        # Most changes differ from gold in one of some hundred structures, which is seen before any parts are compared.
        if None not in (truth := FIRST_FAMILY.truth(changed), expected) and truth != expected:
            continue
        verdict = equivalence(gold, changed, budget=budget)
        if verdict.outcome is Outcome.EQUIVALENT:
            return diagnosis
        solved += verdict.means not in _CHEAP
        if solved == MAX_SOLVED:
            break
    return None


def diagnoses(gold: fol.Formula, translation: fol.Formula) -> Iterator[Diagnosis]:
    """Yield every change of a translation, in the order of ``Fault``; results may be open, equal, or unchanged."""
    yield from changes(gold, translation)
    # The last fault in the order, and by far the most changes: they are listed only when needed.
    yield from additions(gold, translation)


def additions(lender: fol.Formula, formula: fol.Formula) -> Iterator[Diagnosis]:
    """Yield a formula with one literal more; literals are lent by another."""
    symbols = _Symbols(lender)
    for occurrence in _occurrences(formula):
        for new in _with_condition(occurrence, symbols):
            yield Diagnosis(Fault.MISSING, occurrence.path, fol.replace(formula, occurrence.path, new))


def changes(lender: fol.Formula, formula: fol.Formula) -> Iterator[Diagnosis]:
    """Yield the changes of a formula but those that add to it; symbols are lent by another."""
    occurrences = list(_occurrences(formula))
    symbols = _Symbols(lender)
    root = occurrences[0]
    found = [(Fault.ARGUMENT_ORDER, root, new) for new in _swapped_throughout(formula)]
    found += [(fault, occurrence, new) for occurrence in occurrences for fault, new in _changes(occurrence, symbols)]
    order = list(Fault)
    found.sort(key=lambda change: order.index(change[0]))
    for fault, occurrence, new in found:
        yield Diagnosis(fault, occurrence.path, fol.replace(formula, occurrence.path, new))


@dataclass(frozen=True, slots=True)
class _Occurrence:
    path: fol.Path
    node: fol.Formula
    bound: tuple[fol.Variable, ...]
    """The variables quantified around it, outermost first."""


class _Symbols:
    """Symbols that the gold formula could lend."""

    def __init__(self, gold: fol.Formula) -> None:
        atoms = [node for node in fol.distinct_subformulas(gold) if isinstance(node, fol.Atom)]
        self.predicates = list(dict.fromkeys((atom.predicate, len(atom.arguments)) for atom in atoms))
        terms = [term for atom in atoms for term in atom.arguments]
        self.constants = list(dict.fromkeys(term for term in terms if isinstance(term, fol.Constant)))
        self.atoms = atoms


def _occurrences(formula: fol.Formula) -> Iterator[_Occurrence]:
    bound_at: dict[fol.Path, tuple[fol.Variable, ...]] = {(): ()}
    for path, node in fol.subformulas(formula):
        bound = bound_at[path]
        inside = (*bound, node.variable) if isinstance(node, fol.QUANTIFIED) else bound
        for index in (0, 1):
            bound_at[(*path, index)] = inside
        yield _Occurrence(path, node, bound)


def _changes(occurrence: _Occurrence, symbols: _Symbols) -> Iterator[tuple[Fault, fol.Formula]]:
    node = occurrence.node
    match node:
        case fol.ForAll(variable, body) | fol.Exists(variable, body):
            yield from _of_quantifier(node, variable, body)
        case fol.And() | fol.Or() | fol.ExclusiveOr() | fol.Implies() | fol.Iff():
            yield from _of_connective(node)
        case fol.Not(operand):
            yield Fault.NEGATION, operand
            yield from ((Fault.NEGATION_SCOPE, moved) for moved in _inwards(operand))
        case fol.Atom():
            yield from _of_atom(node, occurrence.bound, symbols)
        case _:
            pass
    if not isinstance(node, fol.Not):
        yield Fault.NEGATION, fol.Not(node)


def _with_condition(occurrence: _Occurrence, symbols: _Symbols) -> Iterator[fol.Formula]:
    """Yield a literal of the gold formula added."""
    for literal in _literals(occurrence.bound, symbols):
        yield fol.And(occurrence.node, literal)
        yield fol.Or(occurrence.node, literal)
        yield fol.Implies(literal, occurrence.node)


def _of_quantifier(
    node: fol.Quantified, variable: fol.Variable, body: fol.Formula
) -> Iterator[tuple[Fault, fol.Formula]]:
    other = fol.Exists if isinstance(node, fol.ForAll) else fol.ForAll
    yield Fault.QUANTIFIER, other(variable, body)
    if isinstance(node, fol.Exists) and isinstance(body, fol.Implies):
        yield Fault.IMPLICATION_UNDER_EXISTS, fol.Exists(variable, fol.And(body.left, body.right))
    if isinstance(node, fol.ForAll) and isinstance(body, fol.And):
        yield Fault.CONJUNCTION_UNDER_FORALL, fol.ForAll(variable, fol.Implies(body.left, body.right))
    yield Fault.SUPERFLUOUS, body
    if isinstance(body, fol.QUANTIFIED):
        yield Fault.QUANTIFIER_ORDER, type(body)(body.variable, type(node)(variable, body.body))
    if isinstance(body, fol.BINARY):
        yield Fault.QUANTIFIER_SCOPE, type(body)(type(node)(variable, body.left), body.right)
        yield Fault.QUANTIFIER_SCOPE, type(body)(body.left, type(node)(variable, body.right))
    if isinstance(body, fol.Not):
        yield Fault.NEGATION_SCOPE, fol.Not(type(node)(variable, body.operand))


def _of_connective(node: fol.Binary) -> Iterator[tuple[Fault, fol.Formula]]:
    a, b = node.left, node.right
    for connective in fol.BINARY:
        if connective is not type(node):
            yield Fault.CONNECTIVE, connective(a, b)
    if isinstance(node, fol.Implies):
        yield Fault.DIRECTION, fol.Implies(b, a)
    yield Fault.SUPERFLUOUS, a
    yield Fault.SUPERFLUOUS, b
    if isinstance(a, fol.Not):
        yield Fault.NEGATION_SCOPE, fol.Not(type(node)(a.operand, b))
    # The same two sides under other parentheses: (p ∧ q) → r for p ∧ (q → r).
    if isinstance(a, fol.BINARY):
        yield Fault.CONNECTIVE, type(a)(a.left, type(node)(a.right, b))
    if isinstance(b, fol.BINARY):
        yield Fault.CONNECTIVE, type(b)(type(node)(a, b.left), b.right)
    if isinstance(a, fol.QUANTIFIED):
        yield Fault.QUANTIFIER_SCOPE, type(a)(a.variable, type(node)(a.body, b))
    if isinstance(b, fol.QUANTIFIED):
        yield Fault.QUANTIFIER_SCOPE, type(b)(b.variable, type(node)(a, b.body))


def _inwards(operand: fol.Formula) -> Iterator[fol.Formula]:
    """Yield a negation that should stand a step further in."""
    match operand:
        case fol.ForAll(variable, body) | fol.Exists(variable, body):
            yield type(operand)(variable, fol.Not(body))
        case fol.And(a, b) | fol.Or(a, b) | fol.ExclusiveOr(a, b) | fol.Implies(a, b) | fol.Iff(a, b):
            yield type(operand)(fol.Not(a), b)
            yield type(operand)(a, fol.Not(b))
        case _:
            pass


def _of_atom(node: fol.Atom, bound: tuple[fol.Variable, ...], symbols: _Symbols) -> Iterator[tuple[Fault, fol.Formula]]:
    name, arguments = node.predicate, node.arguments
    for ordered in dict.fromkeys(permutations(arguments) if len(arguments) <= 4 else ()):
        yield Fault.ARGUMENT_ORDER, fol.Atom(name, ordered)
    for predicate, arity in symbols.predicates:
        if arity == len(arguments):
            yield Fault.PREDICATE, fol.Atom(predicate, arguments)
    terms: Iterable[fol.Term] = dict.fromkeys((*bound, *symbols.constants))
    for index, term in product(range(len(arguments)), terms):
        yield Fault.TERM, fol.Atom(name, (*arguments[:index], term, *arguments[index + 1 :]))


def _literals(bound: tuple[fol.Variable, ...], symbols: _Symbols) -> Iterator[fol.Formula]:
    """Yield atoms of the gold formula and their negations, with the variables that are bound at the place."""
    for atom in symbols.atoms:
        variables = list(dict.fromkeys(term for term in atom.arguments if isinstance(term, fol.Variable)))
        for chosen in product(dict.fromkeys(bound), repeat=len(variables)):
            renaming: dict[fol.Term, fol.Term] = dict(zip(variables, chosen, strict=True))
            lent = fol.Atom(atom.predicate, tuple(renaming.get(term, term) for term in atom.arguments))
            yield lent
            yield fol.Not(lent)


def _swapped_throughout(formula: fol.Formula) -> Iterator[fol.Formula]:
    """Yield the formula with the arguments of one binary predicate exchanged wherever it occurs."""
    for predicate, arity in _Symbols(formula).predicates:
        if arity == 2:
            yield fol.fold(formula, lambda node, parts, name=predicate: _swapped(node, parts, name))  # type: ignore[misc]


def _swapped(node: fol.Formula, parts: tuple[fol.Formula, ...], predicate: str) -> fol.Formula:
    if isinstance(node, fol.Atom) and node.predicate == predicate:
        return fol.Atom(predicate, node.arguments[::-1])
    return fol.with_children(node, parts)
