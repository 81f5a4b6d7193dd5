"""Anagram sets: all candidates have the same symbols and words, each as often, in another order.

A score of a sentence and a bag of words gives all candidates of such a set the same value. So whoever sees only bags,
learnt or not, is right with a probability of 1 in the number of candidates. A set is a cube of up to three exchanges of
the gold formula (``exchanges``), likely ones first, and each candidate is shown in a form that is drawn (``drawn``),
which keeps the bag. Candidates are proven to differ even where a relation is symmetric, and in a blocks world some
board tells each two apart. Of two candidates the order is the meaning, as in "all P are Q": sets of two are refused.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import chain, permutations
from math import log2
from random import Random

from nlfol.logic import syntax as fol
from nlfol.logic.boards import is_blocks_world, on_boards
from nlfol.logic.equivalence import Contingency, Outcome, contingency, equivalence
from nlfol.logic.measuring import signature
from nlfol.logic.ontology.ontology import Ontology
from nlfol.sets.audited import Plan, in_random_order, vector_of_contingent
from nlfol.sets.cubes import Corners, Texts, certified, shown_as
from nlfol.sets.dimensions import is_symmetric
from nlfol.sets.exchanges import Exchange, Table
from nlfol.sets.separation import is_varied, truth_vector
from nlfol.sets.sets import Candidate, CandidateError, usable

LEAST = 4
"""Candidates of the smallest set."""

STARTS = 6
"""Orders in which exchanges are tried, until three of them combine."""

MAX_NODES = 100
"""Levels of the largest formula, and half of its subformulas: exchanges grow with their square."""

_TOKEN = re.compile(r"\w+|\S")


@usable()
def most_similar_set(gold: fol.Formula, ontology: Ontology, plan: Plan, draw: Random) -> list[Candidate]:
    """Draw the gold formula and its anagrams, four or eight together.

    Raises ``CandidateError``: ``open``, ``valid``, ``unsatisfiable`` or ``undecided`` as ``audited``; ``too_large``;
    ``no_anagram`` or ``one_anagram`` if no exchange is proven to make another meaning, or none combine.
    """
    vector = vector_of_contingent(gold)
    if sum(1 for _ in fol.subformulas(gold)) > 2 * MAX_NODES or gold.profile.levels > MAX_NODES:
        raise CandidateError(
            "too_large", f"the gold formula has over {2 * MAX_NODES} subformulas or {MAX_NODES} levels"
        )
    table, shown, most = Table(gold), shown_as(ontology, plan), int(log2(plan.perturbations + 1))
    differ = _difference(gold, ontology)

    @cache
    def made(exchanges: tuple[Exchange, ...]) -> fol.Formula | None:
        member = table.made(exchanges)
        if member is None or not is_anagram(member, gold, shown) or not _is_contingent(member):
            return None
        return member

    best: Corners[Exchange] | None = None
    tiers: Sequence[list[Exchange]] = ([], [])
    for exchange in table.exchanges():
        if (changed := table.made((exchange,))) is not None:
            tiers[_oddities(changed) > _oddities(gold)].append(exchange)
    for _ in range(STARTS):
        corners = Corners[Exchange](gold, vector, made, differ)
        for exchange in chain.from_iterable(in_random_order(tier, draw, lambda e: e.kind) for tier in tiers):
            corners.add(exchange)
            if corners.dimensions == most:
                break
        if best is None or corners.dimensions > best.dimensions:
            best = corners
        if best.dimensions in (0, most):
            break
    assert best is not None
    members = len(best.formulas)
    if members < LEAST:
        raise CandidateError(
            "one_anagram" if members == 2 else "no_anagram",
            f"{members - 1} formulas of the same symbols are proven different from the gold formula in a cube; a set "
            f"has {LEAST} candidates at least",
        )
    chosen = draw.randrange(members) if plan.draws_gold else 0
    return certified(best.candidates(chosen), best.certificate(), shown, plan.forms, is_anagram)


def is_anagram(formula: fol.Formula, other: fol.Formula, shown: Texts) -> bool:
    """Return whether two formulas have the same words and signs equally often, and one length, in all presentations."""
    return all(bag(text(formula)) == bag(text(other)) and len(text(formula)) == len(text(other)) for text in shown)


def bag(text: str) -> Counter[str]:
    """Return the words and signs of a text with their numbers; a sentence's first letter counts as a small one."""
    return Counter(_TOKEN.findall(text.lower()))


def _oddities(formula: fol.Formula) -> int:
    """Count what nobody says, and who guesses would leave out: ∀x (A ∧ B) and ∃x (A → B)."""
    odd = {(fol.ForAll, fol.And), (fol.Exists, fol.Implies)}
    return sum(
        isinstance(node, fol.Quantified) and (type(node), type(node.body)) in odd
        for _, node in fol.subformulas(formula)
    )


def _is_contingent(formula: fol.Formula) -> bool:
    return is_varied(truth_vector(formula)) or contingency(formula) is Contingency.CONTINGENT


def _difference(gold: fol.Formula, ontology: Ontology) -> Callable[[fol.Formula, fol.Formula], bool]:
    """Return what says whether formulas differ with symmetric relations, and on a board if there are any."""
    has_boards = is_blocks_world(signature(gold))
    symmetric = {(p.name, p.arity) for p in ontology.predicates if p.arity > 1 and is_symmetric(p)}

    @cache
    def either_way(formula: fol.Formula) -> fol.Formula:
        def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
            if isinstance(node, fol.Atom) and (node.predicate, len(node.arguments)) in symmetric:
                orders: list[fol.Formula] = [fol.Atom(node.predicate, order) for order in permutations(node.arguments)]
                return reduce(fol.And, orders)
            return fol.with_children(node, parts)

        return fol.fold(formula, step)

    def differ(one: fol.Formula, other: fol.Formula) -> bool:
        if has_boards and on_boards(one, other).outcome is not Outcome.NOT_EQUIVALENT:
            return False
        a, b = either_way(one), either_way(other)
        if a is one and b is other:
            return True
        is_told = None not in (truth_vector(a), truth_vector(b)) and truth_vector(a) != truth_vector(b)
        return is_told or equivalence(a, b).outcome is Outcome.NOT_EQUIVALENT

    return differ
