"""Forms in which the members of a fair set are shown: each drawn from what a few laws of logic make of it.

A sentence is mostly written down in its own order, so who compares the order of words and symbols finds the gold
formula without reading. Here operands of ∧ ∨ ↔ ⊕ and = come in random order, chains of these connectives get other
brackets, A → ¬B may be B → ¬A, ¬A → B may be ¬B → A, and quantifiers of one kind that follow each other change places.
All symbols stay, with their numbers, and so does the length; every form is proven to say the same. The laws go both
ways, so a form does not tell which other it was drawn from.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from random import Random

from nlfol.logic import syntax as fol
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import WORDINGS
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.sets.separation import truth_vector

TRIES = 32
"""Most draws with moved brackets until a form is as long; then as many with brackets kept."""


def drawn(formula: fol.Formula, draw: Random, is_as_long: Callable[[fol.Formula], bool]) -> fol.Formula:
    """Draw a form of a closed formula among those that are as long; the formula itself if none drawn is."""
    for attempt in range(2 * TRIES):
        form = rearranged(formula, draw, regroups=attempt < TRIES)
        if form is formula or (is_as_long(form) and _says_the_same(form, formula)):
            return form
    return formula


def sentence(formula: fol.Formula, ontology: Ontology, draw: Random) -> str:
    """Draw an English sentence of a closed formula, in whose order of mention A → B and B → A are equally likely.

    Its form is drawn with brackets kept, and each implication is said in one of ``WORDINGS``. Raises as ``render``.
    """
    form = rearranged(formula, draw, regroups=False)
    said = form if _says_the_same(form, formula) else formula
    return render(said, ontology, wordings=iter(lambda: draw.choice(WORDINGS), None))


def _says_the_same(form: fol.Formula, formula: fol.Formula) -> bool:
    return truth_vector(form) == truth_vector(formula) and equivalence(formula, form).outcome is Outcome.EQUIVALENT


def rearranged(formula: fol.Formula, draw: Random, *, regroups: bool) -> fol.Formula:
    """Draw a form of a formula; ``regroups`` moves brackets of chains, too."""

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        # Equal parts get equal forms. What contains a chain, or a block of quantifiers, draws the whole of it again.
        match node:
            case fol.Equality(left, right):
                return fol.Equality(right, left) if draw.random() < 0.5 else node
            case fol.And() | fol.Or() | fol.Iff() | fol.ExclusiveOr():
                kind = type(node)
                operands = [operand for part in parts for operand in fol.operands(part, kind)]
                draw.shuffle(operands)
                return _grouped(operands, kind, draw) if regroups else _refilled(node, kind, iter(operands))
            case fol.Implies():
                return _contraposed(*parts) if draw.random() < 0.5 else fol.Implies(*parts)
            case fol.ForAll() | fol.Exists():
                return _prefixed(type(node), node.variable, parts[0], draw)
            case _:
                return fol.with_children(node, parts)

    return fol.fold(formula, step)


def _grouped(operands: list[fol.Formula], kind: type[fol.Binary], draw: Random) -> fol.Formula:
    """Bracket a chain: to the left, as English counts its operands, or at random."""
    if len(operands) < 3 or draw.random() < 0.5:
        return reduce(kind, operands)
    size = draw.randrange(1, len(operands))
    return kind(_grouped(operands[:size], kind, draw), _grouped(operands[size:], kind, draw))


def _refilled(node: fol.Formula, kind: type[fol.Binary], operands: Iterator[fol.Formula]) -> fol.Formula:
    """Put operands at the places of those of a chain, from the left."""
    done: list[fol.Formula] = []
    left: list[fol.Formula | None] = [node]
    while left:
        part = left.pop()
        if part is None:
            right, first = done.pop(), done.pop()
            done.append(kind(first, right))
        elif isinstance(part, kind):
            left += (None, part.right, part.left)
        else:
            done.append(next(operands))
    return done[0]


def _contraposed(a: fol.Formula, b: fol.Formula) -> fol.Formula:
    """Return B → ¬A for A → ¬B, and ¬B → A for ¬A → B; others as they are, for they would get other symbols."""
    match a, b:
        case fol.Not(), fol.Not():
            return fol.Implies(a, b)
        case _, fol.Not(denied):
            return fol.Implies(denied, fol.Not(a))
        case fol.Not(denied), _:
            return fol.Implies(fol.Not(b), denied)
        case _:
            return fol.Implies(a, b)


def _prefixed(kind: type[fol.Quantified], variable: fol.Variable, body: fol.Formula, draw: Random) -> fol.Formula:
    variables = [variable]
    while isinstance(body, kind) and body.variable not in variables:
        variables.append(body.variable)
        body = body.body
    draw.shuffle(variables)
    return reduce(lambda inner, bound: kind(bound, inner), variables, body)
