"""Skolem's normal form of miniscoped forms, and substitution.

An ∃ inside ∀x1 … ∀xn, of which it mentions x1 … xk, makes way for a new function of x1 … xk: the result has a model if
and only if the form has one, and every model of the result is one of the form.
"""

from collections.abc import Collection, Mapping
from functools import reduce
from itertools import count

from nlfol.interning import bottom_up
from nlfol.logic import syntax as fol
from nlfol.logic.decision.miniscoping import FormKind, Forms
from nlfol.logic.errors import FormulaError

_MAX_NODES = 50_000


def skolemized(forms: Forms, root: int, taken: Collection[str]) -> fol.Formula:
    """Return the Skolem normal form, variables all different, names new; raises ``FormulaError`` if too large."""
    fresh = (unused for number in count() if (unused := f"sk{number}") not in taken)
    universal = count()
    made = 0
    results: list[fol.Formula] = []
    # A form with the terms for its free variables, then the same again once its parts are made.
    stack: list[tuple[int, Mapping[str, fol.Term], fol.Variable | None]] = [(root, {}, None)]
    opened: list[bool] = [False]
    while stack:
        form, terms, bound = stack.pop()
        kind, parts = forms.kinds[form], forms.parts[form]
        if opened.pop():
            if kind is FormKind.FORALL:
                assert bound is not None
                results.append(fol.ForAll(bound, results.pop()))
            else:
                operands = results[len(results) - len(parts) :]
                del results[len(results) - len(parts) :]
                results.append(reduce(fol.And if kind is FormKind.AND else fol.Or, operands))
            continue
        made += 1
        if made > _MAX_NODES:
            raise FormulaError(f"a Skolem normal form of more than {_MAX_NODES} nodes")
        if kind is FormKind.LITERAL:
            atom, affirmed = forms.atoms[form]
            literal = substituted_in_atom(atom, terms)
            results.append(literal if affirmed else fol.Not(literal))
        elif kind is FormKind.EXISTS:
            stack.append(
                (parts[0], {**terms, forms.variables[form]: _skolem_term(forms, form, terms, next(fresh))}, None)
            )
            opened.append(False)
        elif kind is FormKind.FORALL:
            variable = fol.Variable(f"x{next(universal)}")
            stack += [(form, terms, variable), (parts[0], {**terms, forms.variables[form]: variable}, None)]
            opened += [True, False]
        else:
            stack.append((form, terms, None))
            stack.extend((part, terms, None) for part in reversed(parts))
            opened += [True, *[False] * len(parts)]
    return results[0]


def _skolem_term(forms: Forms, form: int, terms: Mapping[str, fol.Term], name: str) -> fol.Term:
    """Return the new function of the universal variables that the form's free variables depend on."""
    inside = (term for free in sorted(forms.free[form]) for term in fol.subterms(terms[free]))
    depends = dict.fromkeys(term for term in inside if isinstance(term, fol.Variable))
    return fol.Function(name, tuple(depends)) if depends else fol.Constant(name)


def substituted_in_atom(atom: fol.Atomic, terms: Mapping[str, fol.Term]) -> fol.Atomic:
    """Return an atomic formula with terms for some of its variables."""

    def leaf(term: fol.Variable | fol.Constant) -> fol.Term:
        return terms.get(term.name, term) if isinstance(term, fol.Variable) else term

    if isinstance(atom, fol.Atom):
        return fol.Atom(atom.predicate, tuple(fol.map_term(argument, leaf) for argument in atom.arguments))
    return fol.Equality(fol.map_term(atom.left, leaf), fol.map_term(atom.right, leaf))


def substituted(formula: fol.Formula, variable: str, new: fol.Variable | fol.Constant) -> fol.Formula:
    """Return the formula with a constant, or a variable that nothing captures, for each free occurrence of another."""

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if variable not in node.profile.free:
            return node
        return (
            substituted_in_atom(node, {variable: new})
            if isinstance(node, fol.Atomic)
            else fol.with_children(node, parts)
        )

    return bottom_up(formula, lambda node: fol.children(node) if variable in node.profile.free else (), step, {})


def without_common_prefix(
    first: fol.Formula, second: fol.Formula, taken: Collection[str]
) -> tuple[fol.Formula, fol.Formula] | None:
    """Return two formulas with one new constant for the variables of each quantifier that both begin with, if any.

    If the results are equivalent, so are the formulas: ∀x and ∃x of equivalents are equivalent. Of a block of
    quantifiers of one kind, those of one name are paired first.
    """
    fresh = (fol.Constant(unused) for number in count() if (unused := f"c{number}") not in taken)
    stripped = False
    while True:
        (kind, names, body), (other_kind, others, other_body) = _block(first), _block(second)
        if kind is not other_kind or kind is None or len(names) != len(others):
            return (first, second) if stripped else None
        shared = [name for name in names if name in others]
        pairs = [(name, name) for name in shared]
        pairs += zip(
            [name for name in names if name not in shared], [name for name in others if name not in shared], strict=True
        )
        for name, other in pairs:
            constant = next(fresh)
            body = substituted(body, name, constant)
            other_body = substituted(other_body, other, constant)
        first, second, stripped = body, other_body, True


def _block(formula: fol.Formula) -> tuple[type[fol.Formula] | None, list[str], fol.Formula]:
    """Return the first quantifiers, all of one kind, once ¬ is moved past them; vacuous ones are dropped."""
    kind: type[fol.Formula] | None = None
    names: list[str] = []
    affirmed = True
    while True:
        match formula:
            case fol.Not(operand):
                formula, affirmed = operand, not affirmed
            case fol.ForAll(variable, body) | fol.Exists(variable, body) if variable.name not in body.profile.free:
                formula = body
            case fol.ForAll(variable, body) | fol.Exists(variable, body) if variable.name not in names:
                quantifier = fol.ForAll if isinstance(formula, fol.ForAll) == affirmed else fol.Exists
                if kind not in (None, quantifier):
                    break
                kind = quantifier
                names.append(variable.name)
                formula = body
            case _:
                break
    return kind, names, formula if affirmed else fol.Not(formula)
