"""Readings of a sentence beside its gold formula, made by rules that words of the sentence license.

- *either*: ∨ for ⊕, or ⊕ for ∨, in a sentence with "either" and none of "neither", "nor" and "not both".
- *definition*: ∀x (A → B) for ∀x (A ↔ B), in a sentence such as "an A is a thing that …". Never ↔ for →.
- *under a sort*: one guard K(x) or more, at the left of → under ∀, or a conjunct under ∃. The sentence has every word
  of K, gold restricts x otherwise, and K is nowhere in the story asserted or denied of a variable, gold included.

Rules without these licences forgive real errors (``benchmarks/witnesses.py``).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations

from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import SMALL_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import Contingency, contingency, equivalence
from nlfol.logic.mistakes import at
from nlfol.logic.naming import words

MAX_PLACES = 5
"""Places of a formula, from the left, that a rule changes."""

MAX_GUARDS = 3
"""Guards of a reading."""

_EITHER = re.compile(r"\beither\b", re.IGNORECASE)
_EXCLUDING = re.compile(r"\b(?:neither|nor|not both)\b", re.IGNORECASE)
_EITHER_LICENCE = 'the sentence has "either", so ∨ and ⊕ are one'
_ARTICLES = frozenset(("a", "an", "the", "one", "those", "someone", "something", "any"))
_RELATIVES = frozenset(("that", "who", "which", "whose", "whom", "where"))
_NOT_IN_A_DEFINED_TERM = frozenset(
    ("all", "every", "each", "any", "no", "not", "if", "only", "some", "when", "whoever")
)


class Rule(StrEnum):
    """Rules by which a formula that is not equivalent to gold may still say the sentence."""

    EITHER = "either"
    DEFINITION = "definition"
    SORT = "under_a_sort"
    FACTS = "in_context"
    """With facts that the story entails; the one rule that makes no reading, see ``witnesses``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A formula made of a gold one, by which rule, and what licenses it, for people."""

    rule: Rule
    formula: fol.Formula
    licence: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and the gold formulas of the other sentences of its story."""

    sentence: str
    story: tuple[fol.Formula, ...] = ()

    @property
    def is_either(self) -> bool:
        """Return whether the sentence licenses ∨ for ⊕."""
        return says_either(self.sentence)

    @property
    def licenses(self) -> bool:
        """Return whether a rule that needs no story may apply."""
        return self.is_either or defined_term(self.sentence) is not None

    def has(self, name: str) -> bool:
        """Return whether the words of a name stand side by side in the sentence, in any order."""
        wanted, said = sorted(words(name)), words(self.sentence)
        return any(sorted(said[place : place + len(wanted)]) == wanted for place in range(len(said)))

    def has_any(self, name: str) -> bool:
        """Return whether the sentence has some word of a name."""
        return not set(words(self.sentence)).isdisjoint(words(name))


def says_either(sentence: str) -> bool:
    """Return whether a sentence licenses ∨ for ⊕, and ⊕ for ∨."""
    return _EITHER.search(sentence) is not None and _EXCLUDING.search(sentence) is None


def readings(gold: fol.Formula, said: Said, known: Sequence[fol.Formula] = ()) -> tuple[Reading, ...]:
    """Return the readings of a sentence, each proven to mean something else than gold, those known, and the others."""
    made: list[Reading] = []
    for reading in candidates(gold, said):
        others = (gold, *known, *(one.formula for one in made))
        verdicts = (equivalence(other, reading.formula, budget=SMALL_BUDGET).outcome for other in others)
        if all(outcome is Outcome.NOT_EQUIVALENT for outcome in verdicts):
            made.append(reading)
    return tuple(made)


def candidates(gold: fol.Formula, said: Said) -> Iterator[Reading]:
    """Yield the readings of a sentence that say something, of which some may be equivalent."""
    made = chain(_definitions(gold, said), _under_sorts(gold, said))
    if said.is_either:
        made = chain(made, (Reading(Rule.EITHER, formula, _EITHER_LICENCE) for formula in eithers(gold)))
    for reading in made:
        if contingency(reading.formula, budget=SMALL_BUDGET, confirmed=False) is Contingency.CONTINGENT:
            yield reading


def eithers(formula: fol.Formula) -> Iterator[fol.Formula]:
    """Yield the formula with ∨ for ⊕, or ⊕ for ∨, at some or all of its first places."""
    kinds = (fol.Or, fol.ExclusiveOr)
    places = [path for path, node in fol.subformulas(formula) if isinstance(node, kinds)][:MAX_PLACES]
    for size in range(1, len(places) + 1):
        for chosen in combinations(places, size):
            changed = formula
            for path in chosen:
                node = at(changed, path)
                assert isinstance(node, fol.Binary)
                changed = fol.replace(changed, path, kinds[isinstance(node, fol.Or)](node.left, node.right))
            yield changed


def _definitions(gold: fol.Formula, said: Said) -> Iterator[Reading]:
    """Yield ∀x (A → B) for ∀x (A ↔ B), which may stand at the right of →."""
    if (term := defined_term(said.sentence)) is None:
        return
    path: fol.Path = ()
    node = gold
    while isinstance(node, fol.ForAll | fol.Implies):
        path, node = (*path, len(fol.children(node)) - 1), fol.children(node)[-1]
    if not path or not isinstance(node, fol.Iff):
        return
    in_term = Said(term)
    sides = [(node.left, node.right), (node.right, node.left)]
    defined = [
        (side, other, side.predicate)
        for side, other in sides
        if isinstance(side, fol.Atom) and side.arguments and in_term.has(side.predicate)
    ]
    if len(defined) == 1:
        ((side, other, name),) = defined
        licence = f'the sentence says what "{term}" is, and {name} is its definiendum'
        yield Reading(Rule.DEFINITION, fol.replace(gold, path, fol.Implies(side, other)), licence)


def defined_term(sentence: str) -> str | None:
    """Return A of a sentence such as "an A is a thing that …" or "As are things that …", None of any other."""
    said = [word.strip(",;:") for word in sentence.split()]
    lower = [word.lower() for word in said]
    verb = next((place for place, word in enumerate(lower) if word in ("is", "are")), 0)
    subject, rest = lower[:verb], lower[verb + 1 :]
    if not subject or not rest or _NOT_IN_A_DEFINED_TERM.union(_RELATIVES) & set(subject):
        return None
    is_noun = rest[0] in _ARTICLES or lower[verb] == "are"
    return " ".join(said[:verb]) if is_noun and _RELATIVES & set(rest[1:]) else None


Place = tuple[fol.Path, fol.Variable]
"""A formula that quantifiers of one kind stand before, by its path, and one of their variables."""


def _under_sorts(gold: fol.Formula, said: Said) -> Iterator[Reading]:
    own = {name for name, _ in gold.profile.named("predicate")}
    unary = {name for one in said.story for name, arity in one.profile.named("predicate") if arity == 1}
    named = [name for name in sorted(unary - own) if said.has(name)]
    if not named:
        return
    known = frozenset[str]().union(*map(_asserted, said.story))
    sorts = [name for name in named if name not in known]
    places = [(place, sort) for place in _restricted(gold) for sort in sorts][:MAX_PLACES]
    for size in range(1, min(len(places), MAX_GUARDS) + 1):
        for chosen in combinations(places, size):
            formula = gold
            # What stands deeper first, so that paths stay as they are.
            for (path, variable), sort in sorted(chosen, key=lambda guard: -len(guard[0][0])):
                formula = _with_guard(formula, path, fol.Atom(sort, (variable,)))
            guards = ", ".join(dict.fromkeys(f"{sort}({variable})" for (_, variable), sort in chosen))
            yield Reading(Rule.SORT, formula, f"{guards} only restricts in the story, and the sentence says so")


def _with_guard(formula: fol.Formula, path: fol.Path, guard: fol.Formula) -> fol.Formula:
    body = at(formula, path)
    if isinstance(body, fol.Implies):
        return fol.replace(formula, path, fol.Implies(fol.And(guard, body.left), body.right))
    return fol.replace(formula, path, fol.And(guard, body))


def _restricted(gold: fol.Formula) -> Iterator[Place]:
    """Yield the places at which a variable is restricted: by an atom before → under ∀, or beside others under ∃."""
    for path, node in fol.subformulas(gold):
        if not isinstance(node, fol.Quantified):
            continue
        place, body, variables = _matrix(node)
        parts = _restriction(node, body)
        of_variable = (part for part in parts if isinstance(part, fol.Atom))
        if variables.count(node.variable) == 1 and any(node.variable.name in part.profile.free for part in of_variable):
            yield (*path, *place), node.variable


def _matrix(node: fol.Quantified) -> tuple[fol.Path, fol.Formula, list[fol.Variable]]:
    """Return what stands behind all quantifiers of one kind, with its path, and their variables."""
    body, variables = node.body, [node.variable]
    while isinstance(body, type(node)):
        variables.append(body.variable)
        body = body.body
    return (0,) * len(variables), body, variables


def _restriction(node: fol.Quantified, body: fol.Formula) -> list[fol.Formula]:
    if isinstance(node, fol.Exists):
        return list(fol.operands(body, fol.And))
    return list(fol.operands(body.left, fol.And)) if isinstance(body, fol.Implies) else []


@lru_cache(maxsize=10_000)
def _asserted(formula: fol.Formula) -> frozenset[str]:
    """Return the unary predicates that stand before a variable elsewhere than as its guard."""
    names: set[str] = set()
    stack = [formula]
    while stack:
        node = stack.pop()
        match node:
            case fol.Atom(name, (fol.Variable(),)):
                names.add(name)
            case fol.ForAll() | fol.Exists():
                _, body, variables = _matrix(node)
                parts = _restriction(node, body)
                guards = {
                    part
                    for part in parts
                    if isinstance(part, fol.Atom) and len(part.arguments) == 1 and part.arguments[0] in variables
                }
                stack += [part for part in parts if part not in guards]
                stack += [] if isinstance(node, fol.Exists) else [body.right if isinstance(body, fol.Implies) else body]
            case _:
                stack += fol.children(node)
    return frozenset(names)
