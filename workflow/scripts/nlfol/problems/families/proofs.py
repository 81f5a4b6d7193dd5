"""Premises and a conclusion in first-order logic: a chain of inferences with quantifiers, each by one or two premises.

Depth is the number of premises in a proof that needs them all. A conclusion that is uncertain comes of such a chain, of
which one premise is left out.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from nlfol.logic import Formula
from nlfol.logic.measuring import constants, predicates
from nlfol.logic.syntax import And, Atom, Constant, ExclusiveOr, Exists, ForAll, Iff, Implies, Not, Or, Variable
from nlfol.problems.dialects.premises import Premises
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.families.drawing import QUESTION, Stratum, attempted, stratum
from nlfol.problems.gold import answered
from nlfol.problems.lexicon import Lexicon, Word
from nlfol.problems.problem import TRUTHS, Evidence, Problem
from nlfol.problems.programs.formulas import derived
from nlfol.problems.programs.outcome import Truth
from nlfol.randomness import generator

LABELS = (Truth.TRUE, Truth.FALSE, Truth.UNKNOWN)
DEPTHS = (2, 6)
"""Depths of proofs: one premise alone proves only itself in other words."""

_X, _Y = Variable("x"), Variable("y")
_Of = Constant | type[Exists] | type[ForAll]

_OUT_OF = 8
"""Predicates of one argument that a problem has."""


class _Known(NamedTuple):
    """A literal that is known of a constant, or under a quantifier."""

    predicate: str
    value: bool
    of: _Of

    def at(self, term: Constant | Variable) -> Formula:
        """Return the literal of a term."""
        return literal(self.predicate, self.value, term)

    @property
    def formula(self) -> Formula:
        """The literal as a statement."""
        return self.at(self.of) if isinstance(self.of, Constant) else self.of(_X, self.at(_X))

    @property
    def opposite(self) -> Formula:
        """Return the contradiction, no ¬ before a quantifier: true and false questions have each form equally often."""
        other = self._replace(value=not self.value)
        if isinstance(self.of, Constant):
            return other.formula
        return other._replace(of=ForAll if self.of is Exists else Exists).formula


def draw(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon) -> Problem:
    """Draw the problem of a number, in unambiguous English; raises ``FamilyError`` if none is found."""
    return _drawn(seed, number, depths, lexicon, "proofs")


def draw_in_english(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon) -> Problem:
    """Draw the same problem in the English of ``premises``; raises ``FamilyError`` if none is found."""
    return _drawn(seed, number, depths, lexicon, "premises")


def _drawn(seed: int, number: int, depths: tuple[int, int], lexicon: Lexicon, family: str) -> Problem:
    wanted = stratum(number, len(LABELS), depths)
    random = generator(seed, "proofs", *depths, number)
    # Drawn once, before anything may fail, so that the question's quantifier does not correlate with its answer.
    asked = random.choice((Constant, Constant, Exists, ForAll))
    return attempted(lambda source: _Draft(source, wanted, asked, lexicon, family).problem(), random, family, wanted)


def literal(predicate: str, value: bool, *terms: Constant | Variable) -> Formula:
    """Return an atom or its negation."""
    atom = Atom(predicate, terms)
    return atom if value else Not(atom)


_Step = Callable[[_Known], tuple[list[Formula], _Known]]


def _symbols(formula: Formula) -> frozenset[str]:
    return constants(formula).union(predicates(formula))


class _Draft:
    """The symbols of one problem."""

    def __init__(self, random: Random, wanted: Stratum, asked: type, lexicon: Lexicon, family: str) -> None:
        self.random = random
        self.wanted = wanted
        self.lexicon = lexicon
        self.family = family
        nouns = random.sample(lexicon.group("classes"), _OUT_OF // 2)
        unary = [*nouns, *random.sample(lexicon.group("adjectives"), _OUT_OF // 2)]
        binary = random.sample(lexicon.group("verbs"), 2)
        names = random.sample(lexicon.group("names"), 3)
        self.words: list[Word] = [*unary, *binary, *names]
        self.unused = [word.concept for word in random.sample(unary, len(unary))]
        self.relations = [word.concept for word in binary]
        self.constants = [Constant(word.concept) for word in names]
        self.asked = asked

    def problem(self) -> Problem | None:
        """Draw a problem; None if it does not fit the stratum."""
        truth = LABELS[self.wanted.label]
        made = self._chain()
        if made is None:
            return None
        premises, known = made
        refuted = truth is Truth.FALSE or (truth is Truth.UNKNOWN and self.random.random() < 0.5)
        asked = known.opposite if refuted else known.formula
        if self.asked is not (Constant if isinstance(known.of, Constant) else type(asked)):
            return None
        if truth is Truth.UNKNOWN:
            lost = self.random.choice(premises)
            premises = [premise for premise in premises if premise is not lost]
        more = self.random.randint(1, 2) + self.wanted.depth - len(premises)
        for _ in range(more):
            premises.append(self._distraction())
        if len(set(premises)) < len(premises) or known.formula in premises or known.opposite in premises:
            return None
        # Otherwise only unknown questions would have words that no statement has.
        if not _symbols(asked) <= frozenset[str]().union(*map(_symbols, premises)):
            return None
        self.random.shuffle(premises)
        words = self.lexicon.of(word.concept for word in self.words)
        english = Proofs.of(words) if self.family == "proofs" else Premises(words)
        statements = tuple(english.stated(premise) for premise in premises)
        question = english.stated(asked).after(QUESTION)
        answer = "ABC"[self.wanted.label]
        problem = Problem(self.wanted.name, self.family, "formulas", statements, question, TRUTHS, answer)
        problem = answered(problem, lambda: derived(premises, asked))
        if not problem.is_usable or (problem.evidence is Evidence.PROOF and problem.depth != self.wanted.depth):
            return None
        return problem

    def _chain(self) -> tuple[list[Formula], _Known] | None:
        """Return as many premises as the wanted depth, and what follows from all of them."""
        subjects: list[_Of] = [*self.constants[:2], Exists, ForAll]
        known = _Known(self.unused.pop(), True, self.random.choice(subjects))
        premises = [known.formula]
        while len(premises) < self.wanted.depth:
            if not self.unused:
                return None
            step = self.random.choice(self._steps(known, self.wanted.depth - len(premises)))
            further, known = step(known)
            premises += further
        return premises, known

    def _steps(self, known: _Known, left: int) -> list[_Step]:
        steps: list[_Step] = [self._implied, self._implied, self._excluded, self._equivalent, self._apart]
        if known.value:
            steps.append(self._none_such)
            if self.relations:
                steps.append(self._related)
        if left >= 2 and isinstance(known.of, Constant) and len(self.unused) >= 2:
            steps.append(self._either)
        return steps

    def _implied(self, known: _Known) -> tuple[list[Formula], _Known]:
        new = _Known(self.unused.pop(), self.random.random() < 0.75, known.of)
        return [ForAll(_X, Implies(known.at(_X), new.at(_X)))], new

    def _excluded(self, known: _Known) -> tuple[list[Formula], _Known]:
        """Conclude by contraposition."""
        new = _Known(self.unused.pop(), False, known.of)
        opposite = literal(known.predicate, not known.value, _X)
        return [ForAll(_X, Implies(Atom(new.predicate, (_X,)), opposite))], new

    def _equivalent(self, known: _Known) -> tuple[list[Formula], _Known]:
        new = _Known(self.unused.pop(), known.value, known.of)
        return [ForAll(_X, Iff(Atom(new.predicate, (_X,)), Atom(known.predicate, (_X,))))], new

    def _apart(self, known: _Known) -> tuple[list[Formula], _Known]:
        new = _Known(self.unused.pop(), not known.value, known.of)
        return [ForAll(_X, ExclusiveOr(Atom(known.predicate, (_X,)), Atom(new.predicate, (_X,))))], new

    def _none_such(self, known: _Known) -> tuple[list[Formula], _Known]:
        new = _Known(self.unused.pop(), False, known.of)
        return [Not(Exists(_X, And(known.at(_X), Atom(new.predicate, (_X,)))))], new

    def _related(self, known: _Known) -> tuple[list[Formula], _Known]:
        """`∀x (known(x) → ∃y (relation(x, y) ∧ new(y)))`."""
        new = _Known(self.unused.pop(), self.random.random() < 0.75, Exists)
        relation = Atom(self.relations.pop(), (_X, _Y))
        return [ForAll(_X, Implies(known.at(_X), Exists(_Y, And(relation, new.at(_Y)))))], new

    def _either(self, known: _Known) -> tuple[list[Formula], _Known]:
        """Conclude one of two from the negation of the other."""
        assert isinstance(known.of, Constant)
        new, other = _Known(self.unused.pop(), True, known.of), _Known(self.unused.pop(), True, known.of)
        sides = self.random.sample([new.at(_X), other.at(_X)], 2)
        rule = ForAll(_X, Implies(known.at(_X), Or(*sides)))
        return [rule, Not(other.at(known.of))], new

    def _distraction(self) -> Formula:
        """Return a premise that serves no purpose."""
        unary = [word.concept for word in self.words[:_OUT_OF]]
        first, second, third = self.random.sample(unary, 3)
        some = self.random.choice(self.constants)
        match self.random.randrange(5):
            case 0:
                return literal(first, self.random.random() < 0.7, some)
            case 1:
                both = And(Atom(first, (_X,)), Atom(second, (_X,)))
                return ForAll(_X, Implies(both, literal(third, self.random.random() < 0.7, _X)))
            case 2:
                return Exists(_X, And(Atom(first, (_X,)), literal(second, self.random.random() < 0.5, _X)))
            case 3:
                pair = self.random.sample(self.constants, 2)
                return literal(self.words[_OUT_OF].concept, self.random.random() < 0.7, *pair)
            case _:
                other = self.random.choice(self.constants)
                return Implies(Atom(first, (some,)), literal(second, self.random.random() < 0.5, other))
