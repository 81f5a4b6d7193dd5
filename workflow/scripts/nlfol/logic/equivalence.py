"""Equivalence of two formulas, decided by the cheapest exact means first.

1. The same tree: equivalent.
2. The parts in which they differ, side by side (``congruence``), if each has one normal form with its counterpart
   (``normal_form``) or one truth table (``finite_models``): equivalent. Most variants of a formula differ in one place.
3. The truth table of formulas over at most 16 propositional letters and nothing else: equivalent or not.
4. A random finite structure in which the two differ, hundreds evaluated at once as bit vectors (``families``).
5. The same normal form, or one truth table over the parts that no connective makes: equivalent.
6. More and larger random structures, and some in which a difference deep inside should show (``random_families``).
7. All structures of the sizes that suffice for the prefix class, where they are few (``finite_models``).
8. The common quantifier prefix replaced by new constants, and the rest as before or by Z3: equivalent, or nothing
   (``prefix``).
9. On φ ∧ ¬ψ and on ¬φ ∧ ψ: Z3 with a small budget, models of up to 3 elements, Z3 with the whole budget, models of up
   to 5 elements, and Z3 on the formulas as given (``satisfiability``); in between, the proofs that packages register,
   such as what equations entail and models over the integers (``nlfol_extras.proving``).

Every means is exact. A verdict depends on the two formulas and the budget alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from nlfol.logic.decision import satisfiability as sat
from nlfol.logic.decision.congruence import differences
from nlfol.logic.decision.families import Family
from nlfol.logic.decision.finite_models import have_one_truth_table, truth_table
from nlfol.logic.decision.normal_form import has_one_normal_form, same_normal_form
from nlfol.logic.decision.random_families import difference
from nlfol.logic.decision.skolemization import without_common_prefix
from nlfol.logic.decision.solver import DEFAULT_BUDGET, Answer
from nlfol.logic.decision.verdicts import Outcome, Verdict
from nlfol.logic.errors import FormulaError, SignatureError
from nlfol.logic.measuring import Usage, signature_of, usage
from nlfol.logic.rewriting import without_double_negations
from nlfol.logic.syntax import Formula
from nlfol.logic.trees import Profile, Symbol, united

__all__ = ["Contingency", "Outcome", "Verdict", "contingency", "equivalence"]


_CLASH, _LETTERS = Usage.CLASH, Usage.LETTERS  # looked up for every pair, which takes an enum a while
_SAME_TREE = Verdict(Outcome.EQUIVALENT, "same_tree")
_NORMAL_FORM = Verdict(Outcome.EQUIVALENT, "normal_form")
_PREFIX = Verdict(Outcome.EQUIVALENT, "prefix")
_TRUTH_TABLE = Verdict(Outcome.EQUIVALENT, "truth_table")


class Contingency(StrEnum):
    """Truth of a formula in every structure, in none, or in some only."""

    VALID = "valid"
    UNSATISFIABLE = "unsatisfiable"
    CONTINGENT = "contingent"
    UNKNOWN = "unknown"


@dataclass
class _Pair:
    """Two closed formulas of one signature; ``letters`` is that of two formulas over letters alone."""

    first: Formula
    second: Formula
    budget: int
    letters: frozenset[Symbol] | None = None

    @cached_property
    def directions(self) -> list[sat.Question]:
        """Return the questions on φ ∧ ¬ψ and on ¬φ ∧ ψ; those that a means refutes leave the list."""
        first, second = (self.first,), (self.second,)
        return [sat.Question(first, second, self.budget), sat.Question(second, first, self.budget)]


_Means = Callable[[_Pair], Verdict | None]
"""Decides a pair, or leaves it to the next."""


def equivalence(first: Formula, second: Formula, *, budget: int = DEFAULT_BUDGET) -> Verdict:
    """Decide whether two closed formulas are true in the same structures.

    The first is usually a gold formula, which is compared with many. The budget is Z3's ``rlimit`` for each direction.
    """
    of_first, of_second = first.profile, second.profile
    symbols = united(of_first.symbols, of_second.symbols)
    used = usage(symbols)
    if of_first.free or of_second.free or used is _CLASH:
        return _invalid(of_first, of_second, symbols)
    if first is second:
        return _SAME_TREE
    if of_first.occurrences > sat.MAX_SUBFORMULAS or of_second.occurrences > sat.MAX_SUBFORMULAS:
        return _of_large(first, second, budget)
    are_letters = used is _LETTERS and not (of_first.has_equality or of_second.has_equality)
    pair = _Pair(first, second, budget, symbols if are_letters else None)
    for means in MEANS:
        verdict = means(pair)
        if verdict is not None:
            return verdict
    return Verdict(Outcome.UNKNOWN, "budget", reason="no means applies")


def _of_large(first: Formula, second: Formula, budget: int) -> Verdict:
    shorter = without_double_negations(first), without_double_negations(second)
    if any(formula.profile.occurrences > sat.MAX_SUBFORMULAS for formula in shorter):
        return Verdict(Outcome.UNKNOWN, "size", reason=f"more than {sat.MAX_SUBFORMULAS} subformulas")
    return equivalence(*shorter, budget=budget)


def contingency(formula: Formula, *, budget: int = DEFAULT_BUDGET, confirmed: bool = True) -> Contingency:
    """Return whether a closed formula is valid, unsatisfiable, or neither, within ``rlimit`` for each of two questions.

    Structures are written out and confirmed by the plain definition of truth unless ``confirmed`` is false: that takes
    most of the time where many formulas are sifted. Raises ``FormulaError`` if the formula is open, ``SignatureError``
    if a symbol has two arities.
    """
    free = sorted(formula.profile.free)
    if free:
        raise FormulaError(f"contingency of an open formula: {', '.join(free)} free")
    signature_of(formula.profile.symbols)
    if not confirmed and sat.FIRST_FAMILY.truth(formula) not in (None, 0, sat.FIRST_FAMILY.full):
        return Contingency.CONTINGENT  # true in some structure, false in another
    satisfied = sat.satisfiability(sat.Question((formula,), (), budget, with_evidence=confirmed)).answer
    if satisfied is Answer.NO:
        return Contingency.UNSATISFIABLE
    refuted = sat.satisfiability(sat.Question((), (formula,), budget, with_evidence=confirmed)).answer
    match satisfied, refuted:
        case _, Answer.NO:
            return Contingency.VALID
        case Answer.YES, Answer.YES:
            return Contingency.CONTINGENT
        case _:
            return Contingency.UNKNOWN


def _invalid(first: Profile, second: Profile, symbols: frozenset[Symbol]) -> Verdict:
    free = first.free or second.free
    if free:
        return Verdict(Outcome.INVALID, "open_formula", reason=f"free variables: {', '.join(sorted(free))}")
    try:
        signature_of(symbols)
    except SignatureError as error:
        return Verdict(Outcome.INVALID, "arity", reason=str(error))
    raise AssertionError(f"a clash that no signature shows: {sorted(symbols)}")


def _by_parts(pair: _Pair) -> Verdict | None:
    """Return equivalent if the parts in which two formulas differ share a normal form or a truth table."""
    pairs = differences(pair.first, pair.second)
    if pairs is None:
        return None
    verdict = _NORMAL_FORM
    for parts in pairs:
        if not sat.FIRST_FAMILY.agree(*parts):
            return None
        if not has_one_normal_form(*parts):
            if not have_one_truth_table(*parts):
                return None
            verdict = _PREFIX
    return verdict


def _by_letters(pair: _Pair) -> Verdict | None:
    table = None if pair.letters is None else truth_table(pair.letters)
    return None if table is None else _by_family(table, "truth_table")(pair) or _TRUTH_TABLE


def _by_family(family: Family, means: str = "finite_structure") -> _Means:
    """Return the means that looks for a structure of a family in which two formulas differ."""

    def differ(pair: _Pair) -> Verdict | None:
        witness = difference(family, pair.first, pair.second)
        return None if witness is None else Verdict(Outcome.NOT_EQUIVALENT, means, witness)

    return differ


def _by_normal_form(pair: _Pair) -> Verdict | None:
    return _NORMAL_FORM if same_normal_form(pair.first, pair.second) else None


def _by_truth_table(pair: _Pair) -> Verdict | None:
    return _TRUTH_TABLE if have_one_truth_table(pair.first, pair.second) else None


def _by_stages(*stages: sat.Stage) -> _Means:
    """Return the means that tries each stage on both directions before the next."""

    def decide(pair: _Pair) -> Verdict | None:
        last: sat.Finding | None = None
        for stage in stages:
            for question in list(pair.directions):
                finding = stage(question)
                if finding is None:
                    continue
                if finding.answer is Answer.YES:
                    return Verdict(Outcome.NOT_EQUIVALENT, finding.means, finding.evidence, finding.reason)
                if finding.answer is Answer.NO:
                    pair.directions.remove(question)
                    if not pair.directions:
                        return Verdict(Outcome.EQUIVALENT, finding.means)
                else:
                    last = finding
        return None if last is None else Verdict(Outcome.UNKNOWN, last.means, reason=last.reason)

    return decide


_FORM_AND_BOUND = (sat.by_form, sat.by_finite_model_bound)
_OF_BODIES = _by_stages(*_FORM_AND_BOUND, sat.by_small_budget)


def _but_for_prefix(pair: _Pair) -> Verdict | None:
    """Return equivalent if that is proven with new constants for the variables of the common prefix."""
    taken = {name for _, name, _ in pair.first.profile.symbols | pair.second.profile.symbols}
    bodies = without_common_prefix(pair.first, pair.second, taken)
    if bodies is None:
        return None
    one, other = bodies
    if sat.FIRST_FAMILY.truth(one) != sat.FIRST_FAMILY.truth(other):
        return None
    if same_normal_form(one, other):
        return _PREFIX
    verdict = _OF_BODIES(_Pair(one, other, pair.budget))
    return _PREFIX if verdict is not None and verdict.outcome is Outcome.EQUIVALENT else None


def _by_solving(pair: _Pair) -> Verdict | None:
    # Not before: packages that register proofs import what this module does.
    return _by_stages(*sat.solving())(pair)


MEANS: Sequence[_Means] = (
    _by_parts,
    _by_letters,
    _by_family(sat.FIRST_FAMILY),
    _by_normal_form,
    _by_truth_table,
    *map(_by_family, sat.FURTHER_FAMILIES),
    _by_stages(*_FORM_AND_BOUND),
    _but_for_prefix,
    _by_solving,
)
