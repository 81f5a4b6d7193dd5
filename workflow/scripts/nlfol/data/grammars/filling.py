"""Draws of the atoms and terms that fill the slots of a formula's signs.

A formula without its vocabulary is a list of signs in prefix order (``notation``), which is also its tree's digest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from nlfol.data.grammars.grammar import EQUATION, LEAF, Symbol
from nlfol.data.grammars.vocabularies import Words
from nlfol.logic.ontology.ontology import Ontology, Predicate
from nlfol.logic.syntax import CONNECTIVES, QUANTIFIERS, Atom, Constant, Equality, Formula, Not, Term, Variable

VARIABLE_SHARE = 0.25
"""Share of arguments that are a variable in scope rather than a constant (∀uto∃∨∧L, table 1)."""

_TRIES = 20


class UnboundError(ValueError):
    """An argument for which there is neither a constant nor a variable in scope."""


@dataclass(slots=True)
class _Leaf:
    """An atom or equation: places of its predicate (−1 of an equation) and constants among the words.

    An argument of −1 − n is the variable of quantifier n; ``scope`` lists the quantifiers around the atom.
    """

    predicate: int
    arguments: list[int]
    scope: tuple[int, ...]


def prefixed(pieces: Iterable[Sequence[Symbol]]) -> list[str]:
    """Return the signs of a derivation in prefix order, from the templates' symbols in preorder."""
    signs: list[str] = []
    following = iter(pieces)
    stack: list[Symbol] = [0]
    while stack:
        symbol = stack.pop()
        if isinstance(symbol, str):
            signs.append(symbol)
        else:
            stack += reversed(next(following))
    return signs


class Filling:
    """The atoms and terms drawn for the slots of one formula, given as signs in prefix order.

    As published, quantifiers may be vacuous; with ``repeats`` an atom may stand twice while there are others. Raises
    `UnboundError` if an argument has no possible term.
    """

    def __init__(
        self,
        signs: Sequence[str],
        words: Words,
        randomness: Random,
        *,
        is_published: bool,
        repeats: bool,
        variables: float = VARIABLE_SHARE,
    ) -> None:
        self._signs, self._words, self._randomness, self._variables = signs, words, randomness, variables
        self.vacuous = 0
        """Quantifiers whose variable does not occur."""
        number = signs.count(LEAF)
        self._letters: list[int] = []
        self._leaves: list[_Leaf] = []
        if words.letters:
            self._letters = self._letter_places(number, repeats)
            return
        scopes, quantifiers = _scopes(signs)
        arities = [symbol.arity for symbol in words.predicates]
        for is_equation, scope in scopes:
            predicate = -1 if is_equation else self._below(len(arities))
            arguments = [self._argument(scope) for _ in range(2 if is_equation else arities[predicate])]
            self._leaves.append(_Leaf(predicate, arguments, scope))
        if is_published:
            used = {argument for leaf in self._leaves for argument in leaf.arguments}
            self.vacuous = sum(-1 - quantifier not in used for quantifier in range(quantifiers))
            return
        self.vacuous = self._bind(quantifiers)
        if not repeats:
            self._tell_apart(arities)

    def _below(self, number: int) -> int:
        return int(self._randomness.random() * number)

    def _letter_places(self, number: int, repeats: bool) -> list[int]:
        have = len(self._words.letters)
        if repeats:
            return [self._below(have) for _ in range(number)]
        indices: list[int] = []
        while len(indices) < number:
            indices += self._randomness.sample(range(have), min(have, number - len(indices)))
        return indices

    def _argument(self, scope: tuple[int, ...]) -> int:
        constants = len(self._words.constants)
        if scope and (not constants or self._randomness.random() < self._variables):
            return -1 - scope[self._below(len(scope))]
        if not constants:
            raise UnboundError("an argument has neither a constant nor a variable in scope")
        return self._below(constants)

    def _bind(self, quantifiers: int) -> int:
        """Make the variable of each quantifier occur where there is room; return the number of vacuous ones."""
        occurrences = [0] * quantifiers
        for leaf in self._leaves:
            for argument in leaf.arguments:
                if argument < 0:
                    occurrences[-1 - argument] += 1
        vacuous = 0
        for quantifier in range(quantifiers):
            if occurrences[quantifier]:
                continue
            slots = [
                (leaf, index)
                for leaf in self._leaves
                if quantifier in leaf.scope
                for index, argument in enumerate(leaf.arguments)
                if argument >= 0 or occurrences[-1 - argument] > 1
            ]
            if not slots:
                vacuous += 1
                continue
            leaf, index = slots[self._below(len(slots))]
            if leaf.arguments[index] < 0:
                occurrences[-1 - leaf.arguments[index]] -= 1
            leaf.arguments[index] = -1 - quantifier
            occurrences[quantifier] = 1
        return vacuous

    def _tell_apart(self, arities: Sequence[int]) -> None:
        """Draw atoms that stand twice again: other predicates and constants first, then constants for variables."""
        seen: set[tuple[int, ...]] = set()
        needed: dict[int, int] = {}
        for leaf in self._leaves:
            for argument in leaf.arguments:
                needed[argument] = needed.get(argument, 0) + 1
        constants = len(self._words.constants)
        for leaf in self._leaves:
            tries = 0
            while (key := (leaf.predicate, *leaf.arguments)) in seen and tries < _TRIES:
                tries += 1
                if leaf.predicate >= 0:
                    same = [index for index, arity in enumerate(arities) if arity == len(leaf.arguments)]
                    leaf.predicate = same[self._below(len(same))]
                for index, argument in enumerate(leaf.arguments):
                    if not constants or (argument < 0 and (tries <= _TRIES // 2 or needed[argument] == 1)):
                        continue
                    if argument < 0:
                        needed[argument] -= 1
                    leaf.arguments[index] = self._below(constants)
            seen.add(key)

    def formula(self) -> Formula:
        """Return the formula over the words."""
        if self._words.letters:
            return _built(self._signs, [Atom(self._words.letters[index].name, ()) for index in self._letters])
        return self._over([p.name for p in self._words.predicates], [c.name for c in self._words.constants])

    def renamed(self) -> Formula:
        """Return the formula with names by place and arity unless all items share theirs: a key for cached results."""
        if self._words.letters or self._words.is_common:
            return self.formula()
        predicates = [f"r{index}of{p.arity}" for index, p in enumerate(self._words.predicates)]
        return self._over(predicates, [f"c{index}" for index in range(len(self._words.constants))])

    def _over(self, predicates: Sequence[str], constants: Sequence[str]) -> Formula:
        leaves: list[Formula] = []
        for leaf in self._leaves:
            terms: list[Term] = [
                Variable(f"x{-argument}") if argument < 0 else Constant(constants[argument])
                for argument in leaf.arguments
            ]
            leaves.append(Equality(*terms) if leaf.predicate < 0 else Atom(predicates[leaf.predicate], tuple(terms)))
        return _built(self._signs, leaves)

    def ontology(self) -> Ontology:
        """Return the ontology of the symbols in the formula."""
        letters: set[Predicate] = {self._words.letters[index] for index in self._letters}
        predicates = {self._words.predicates[leaf.predicate] for leaf in self._leaves if leaf.predicate >= 0}
        indices = {argument for leaf in self._leaves for argument in leaf.arguments if argument >= 0}
        constants = tuple(self._words.constants[index] for index in indices)
        return Ontology((*letters, *predicates), (), constants, noun=self._words.noun)


def _scopes(signs: Sequence[str]) -> tuple[list[tuple[bool, tuple[int, ...]]], int]:
    """Return for each leaf whether it is an equation and the quantifiers around it; and their number."""
    scopes: list[tuple[bool, tuple[int, ...]]] = []
    pending: list[tuple[int, ...]] = [()]
    quantifiers = 0
    for sign in signs:
        scope = pending[-1]
        if sign in (LEAF, EQUATION):
            scopes.append((sign == EQUATION, pending.pop()))
        elif sign in CONNECTIVES:
            pending.append(scope)
        elif sign in QUANTIFIERS:
            pending[-1] = (*scope, quantifiers)
            quantifiers += 1
    return scopes, quantifiers


def _built(signs: Sequence[str], leaves: Sequence[Formula]) -> Formula:
    """Build the formula of signs in prefix order, from its last sign to its first."""
    stack: list[Formula] = []
    index, quantifier = len(leaves), sum(sign in QUANTIFIERS for sign in signs)
    for sign in reversed(signs):
        if sign in (LEAF, EQUATION):
            index -= 1
            stack.append(leaves[index])
        elif sign == "¬":
            stack[-1] = Not(stack[-1])
        elif sign in QUANTIFIERS:
            stack[-1] = QUANTIFIERS[sign](Variable(f"x{quantifier}"), stack[-1])
            quantifier -= 1
        else:
            left = stack.pop()
            stack[-1] = CONNECTIVES[sign](left, stack[-1])
    return stack[0]
