"""Short conclusions over a story's signature, from which those to ask are chosen.

Their literals are the story's *letters*: atoms, and parts that begin with a quantifier, of one individual or of none.
There are letters of named individuals, letters of something or everything, all pairs of letters under a quantifier, and
pairs and triples of the letters that stand together in a premise. A conclusion and its negation have the same use, so
there is one of both.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.measuring import signature
from nlfol.logic.rewriting import complement, with_standard_variables
from nlfol.logic.syntax import (
    QUANTIFIED,
    And,
    Atomic,
    Constant,
    Exists,
    ForAll,
    Formula,
    Implies,
    Quantified,
    Variable,
    distinct_subformulas,
)

MOST = 6_000
"""Candidates of a story."""

_X, _Y, _Z = Variable("u1"), Variable("v1"), Variable("w1")
_MOST_LETTERS, _MOST_TOGETHER, _MOST_CONSTANTS = 40, 12, 8
"""Letters of which pairs and triples are made, and constants that are put into the slots of letters."""


def candidates(premises: Sequence[Formula]) -> list[Formula]:
    """Return closed formulas, short ones first, each once."""
    return list(dict.fromkeys(map(with_standard_variables, islice(_candidates(premises), MOST))))


def _candidates(premises: Sequence[Formula]) -> Iterator[Formula]:
    constants = [Constant(name) for name in sorted(signature(*premises).constants)][:_MOST_CONSTANTS]
    groups = [list(dict.fromkeys(_letters(premise))) for premise in premises]
    every = list(dict.fromkeys(letter for group in groups for letter in group))
    unary = list(dict.fromkeys(one for letter in every for one in _of_one(letter, constants)))[:_MOST_LETTERS]
    ground = [letter for letter in every if not letter.profile.free]
    ground += [substituted(letter, _X.name, constant) for letter in unary for constant in constants]
    ground = list(dict.fromkeys(ground))
    yield from ground
    for letter in unary:
        yield from (ForAll(_X, letter), ForAll(_X, complement(letter)))
    for first, second in combinations(unary, 2):
        yield from (ForAll(_X, clause) for clause in _clauses((first, second)))
    if len(unary) <= _MOST_TOGETHER:
        for three in combinations(unary, 3):
            yield from (ForAll(_X, clause) for clause in _clauses(three))
    for group in groups:
        closed = [letter for letter in group if not letter.profile.free]
        for size in (2, 3):
            for chosen in combinations([letter for letter in group if letter.profile.free], size):
                variables = sorted(frozenset[str]().union(*(letter.profile.free for letter in chosen)))
                for clause in _clauses(chosen):
                    yield _closed(clause, variables)
                for constant in constants if len(variables) == 1 else ():
                    yield from _clauses([substituted(letter, variables[0], constant) for letter in chosen])
            for named in combinations(closed, size):
                yield from _clauses(named)
    for letter in dict.fromkeys(letter for group in groups for letter in group if not letter.profile.free):
        for other in ground:
            if other is not letter:
                yield from _clauses((letter, other))


def _letters(premise: Formula) -> Iterator[Formula]:
    """Yield the atoms and quantified parts of a premise that are of at most two individuals, with our variables."""
    prefix, body = set[Formula](), premise
    while isinstance(body, QUANTIFIED):
        prefix.add(body)
        body = body.body
    for node in distinct_subformulas(premise):
        free = sorted(node.profile.free)
        if isinstance(node, Atomic | Quantified) and node not in prefix and len(free) <= 2:
            letter: Formula = node
            for name, variable in zip(free, (_X, _Y), strict=False):
                letter = substituted(letter, name, variable)
            yield letter


def _of_one(letter: Formula, constants: Sequence[Constant]) -> Iterator[Formula]:
    """Yield what a letter says of one individual."""
    free = len(letter.profile.free)
    if free == 1:
        yield letter
    elif free == 2:
        for one, other in ((_X, _Y), (_Y, _X)):
            moved = substituted(letter, other.name, _Z)
            yield Exists(_Z, substituted(moved, one.name, _X))
            yield from (substituted(substituted(letter, other.name, it), one.name, _X) for it in constants)


def _clauses(letters: Sequence[Formula]) -> Iterator[Formula]:
    """Yield implications of the last of some literals, affirmed or denied, from the others."""
    for signs in product((True, False), repeat=len(letters)):
        literals = [letter if sign else complement(letter) for letter, sign in zip(letters, signs, strict=True)]
        *conditions, last = literals
        if not any(signs) and len(letters) == 2:
            conditions, last = [complement(last)], complement(conditions[0])
        condition = conditions[0]
        for other in conditions[1:]:
            condition = And(condition, other)
        yield Implies(condition, last)


def _closed(clause: Formula, variables: Sequence[str]) -> Formula:
    for name in reversed(variables):
        clause = ForAll(Variable(name), clause)
    return clause
