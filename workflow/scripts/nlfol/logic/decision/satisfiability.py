"""Satisfiability of closed formulas together with the negations of others, by the cheapest exact means first.

Everything that is decided here is decided for the formulas alone: random structures are drawn by symbol names, budgets
are counted in Z3's ``rlimit``, and each of Z3's questions gets a context of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, reduce
from types import FunctionType
from typing import Self

from nlfol.logic.decision import grounding
from nlfol.logic.decision.families import Family
from nlfol.logic.decision.finite_models import complete_families, truth_table, witnesses
from nlfol.logic.decision.miniscoping import FormKind, Forms, FormTooLargeError
from nlfol.logic.decision.normal_form import numbering_for
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.decision.skolemization import skolemized
from nlfol.logic.decision.solver import DEFAULT_BUDGET, Answer, Result, satisfiable
from nlfol.logic.decision.verdicts import Witness
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import Signature, Usage, signature, usage
from nlfol.logic.rewriting import without_double_negations
from nlfol.logic.structures import Structure, has_small_tables, holds
from nlfol.logic.syntax import And, Formula, Not
from nlfol.logic.trees import Symbol
from nlfol.plugins import in_order, registered

MAX_SUBFORMULAS = 5_000  # occurrences of subformulas above which no semantic means is tried
MAX_DEPTH = 500  # levels of formulas for Z3: translating them is quadratic and spends no budget
MAX_ASSIGNMENTS = 100_000  # to the free variables of one subformula, above which a model of Z3's is not confirmed
SMALL_BUDGET = 50_000  # the first ``rlimit``, which decides most of what the full one does

FIRST_FAMILY = RandomFamily(2, 256, "first")
FURTHER_FAMILIES = tuple(
    RandomFamily(size, width, "further") for size, width in ((4, 1024), (1, 64), (3, 1024), (5, 512))
)
"""Structures of several sizes; the functions differ from structure to structure like all else."""


@dataclass(frozen=True)
class Question:
    """The question whether formulas have a common model in which others fail; all are closed, of one signature.

    The budget is Z3's ``rlimit``. With evidence, a model is written out and confirmed where there is one.
    """

    true: tuple[Formula, ...]
    false: tuple[Formula, ...] = ()
    budget: int = DEFAULT_BUDGET
    with_evidence: bool = True

    @cached_property
    def formulas(self) -> tuple[Formula, ...]:
        """Return all the formulas."""
        return (*self.true, *self.false)

    @cached_property
    def symbols(self) -> Signature:
        """Return the signature of both lists."""
        return signature(*self.formulas)

    @cached_property
    def is_too_large(self) -> bool:
        """Return whether a formula has too many subformulas for any semantic means."""
        return any(formula.profile.occurrences > MAX_SUBFORMULAS for formula in self.formulas)

    @property
    def shorter(self) -> Self:
        """Return the question without pairs of ¬."""
        return replace(
            self, true=(*map(without_double_negations, self.true),), false=(*map(without_double_negations, self.false),)
        )

    @cached_property
    def is_too_deep(self) -> bool:
        """Return whether the formulas nest too deep for Z3."""
        return any(formula.profile.levels > MAX_DEPTH for formula in self.formulas)

    @cached_property
    def conjunction(self) -> Formula:
        """Return the formula whose models are asked for."""
        return reduce(And, [*self.true, *map(Not, self.false)])

    @cached_property
    def form(self) -> tuple[Forms, int] | None:
        """Return the conjunction miniscoped, with the forms it belongs to; None where it is too large.

        What a formula to be false shares with those to be true is left out of it: φ ∧ ¬(φ ∧ ψ) is φ ∧ ¬ψ.
        """
        forms = numbering_for(self.conjunction).forms
        try:
            true = forms.joined(FormKind.AND, [forms.of(formula) for formula in self.true])
            shared = set(forms.conjuncts(true))
            parts = [true]
            for formula in self.false:
                conjuncts = forms.conjuncts(forms.of(formula))
                rest = [conjunct for conjunct in conjuncts if conjunct not in shared]
                some = len(rest) < len(conjuncts)
                parts.append(forms.complement(forms.joined(FormKind.AND, rest)) if some else forms.of(formula, False))
            return forms, forms.joined(FormKind.AND, parts)
        except FormTooLargeError:
            return None

    def confirms(self, structure: Structure | None) -> bool:
        """Return whether a structure is small enough to look, and is as asked."""
        if structure is None or not all(has_small_tables(f, structure.size, MAX_ASSIGNMENTS) for f in self.formulas):
            return False
        return all(holds(f, structure) for f in self.true) and not any(holds(f, structure) for f in self.false)


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer with a finite model, where known, and its ``means``: what decided or, of unknown, what ran out.

    The latter is ``budget``, ``time`` or ``size``. ``reason`` is of unknown, and of models over the integers.
    """

    answer: Answer
    means: str
    evidence: Structure | Witness | None = None
    reason: str | None = None

    @property
    def model(self) -> Structure | None:
        """Return the evidence, written out and confirmed."""
        return self.evidence.structure() if isinstance(self.evidence, Witness) else self.evidence


Stage = Callable[[Question], Finding | None]
"""A means: its finding, undecided with a reason, or None where it does not apply."""


def by_family(question: Question, family: Family) -> Finding | None:
    """Look for a model among the structures of a family."""
    bits = family.full
    for formulas, flipped in ((question.true, 0), (question.false, family.full)):
        for formula in formulas:
            truth = family.truth(formula)
            if truth is None:
                return None
            bits &= truth ^ flipped
    if not bits:
        return None
    index = (bits & -bits).bit_length() - 1
    witness = Witness(partial(family.structure, index), question.true, question.false)
    return Finding(Answer.YES, "finite_structure", witness)


def by_truth_table(question: Question) -> Finding | None:
    """Decide formulas over few propositional letters by their whole truth table."""
    profiles = [formula.profile for formula in question.formulas]
    symbols = frozenset[Symbol]().union(*(known.symbols for known in profiles))
    if usage(symbols) is not Usage.LETTERS or any(known.has_equality for known in profiles):
        return None
    family = truth_table(symbols)
    if family is None:
        return None
    finding = by_family(question, family)
    return Finding(Answer.NO, "truth_table") if finding is None else replace(finding, means="truth_table")


def by_sampling(question: Question) -> Finding | None:
    """Look for a model among random structures."""
    findings = (by_family(question, family) for family in (FIRST_FAMILY, *FURTHER_FAMILIES))
    return next((finding for finding in findings if finding is not None), None)


def by_form(question: Question) -> Finding | None:
    """Decide a normal form that is truth or falsity itself."""
    if question.form is None:
        return None
    forms, root = question.form
    return Finding(Answer.NO, "normal_form") if root == forms.falsity else None


def by_finite_model_bound(question: Question) -> Finding | None:
    """Try all structures of the sizes that suffice for the prefix class."""
    if question.form is None or question.symbols.functions:
        return None
    existential = witnesses(*question.form)
    if existential is None:
        return None
    has_equality = any(formula.profile.has_equality for formula in question.formulas)
    families = complete_families(question.symbols, existential, has_equality=has_equality)
    if families is None:
        return None
    for family in families:
        if any(family.truth(formula) is None for formula in question.formulas):
            return None
        finding = by_family(question, family)
        if finding is not None:
            return Finding(Answer.YES, "finite_model_bound", finding.evidence)
    return Finding(Answer.NO, "finite_model_bound")


def by_small_budget(question: Question) -> Finding | None:
    """Ask Z3 about the Skolem normal form, with little budget."""
    return _by_solver(question, min(question.budget, SMALL_BUDGET))


def names(symbols: Signature) -> set[str]:
    """Return the names that Skolem functions must not have."""
    return {*symbols.constants, *symbols.functions, *symbols.predicates}


def by_full_budget(question: Question) -> Finding | None:
    """Ask Z3 about the Skolem normal form, with the whole budget."""
    return _by_solver(question, question.budget) if question.budget > SMALL_BUDGET else None


def _confirmed(question: Question, result: Result, means: str) -> Finding:
    model = None if result.model is None else result.model.restricted(question.symbols)
    return Finding(result.answer, means, model if question.confirms(model) else None)


def _by_solver(question: Question, budget: int) -> Finding | None:
    if question.is_too_deep:
        return Finding(Answer.UNKNOWN, "size", reason=f"more than {MAX_DEPTH} levels of subformulas and terms")
    formula = question.conjunction
    if question.form is not None:
        forms, root = question.form
        if root in (forms.truth, forms.falsity):
            return Finding(Answer.YES if root == forms.truth else Answer.NO, "normal_form")
        with suppress(FormulaError):  # the formula as it stands, then
            formula = skolemized(forms, root, names(question.symbols))
    result = satisfiable(formula, budget, with_model=question.with_evidence)
    if result.answer is Answer.UNKNOWN:
        means = "time" if result.reason == "time" else "budget"
        return Finding(Answer.UNKNOWN, means, reason=f"Z3 gave up within rlimit {budget}: {result.reason}")
    return _confirmed(question, result, "z3")


def by_model_search(question: Question, sizes: Sequence[int] = (1, 2, 3)) -> Finding | None:
    """Look for a model of so many elements, by Z3 on the ground instances."""
    if question.is_too_deep or question.form is None:
        return None
    for size in sizes:
        model = grounding.model(*question.form, question.symbols, size, min(question.budget, SMALL_BUDGET))
        if question.confirms(model):
            return Finding(Answer.YES, "model_search", model)
    return None


def by_larger_model_search(question: Question) -> Finding | None:
    """Look for a model of some more elements: writing out the instances can take longer than all else."""
    return by_model_search(question, (4, 5))


def by_formulas_as_given(question: Question) -> Finding | None:
    """Ask Z3 about the formulas as they are: a normal form can be so much larger that nothing is proven of it."""
    if question.is_too_deep:
        return None
    result = satisfiable(question.conjunction, question.budget, with_model=question.with_evidence)
    return None if result.answer is Answer.UNKNOWN else _confirmed(question, result, "z3_as_given")


SEARCHING: tuple[Stage, ...] = (by_truth_table, by_sampling, by_form, by_finite_model_bound)
_SOLVING: Mapping[str, Stage] = {
    "small_budget": by_small_budget,
    "model_search": by_model_search,
    "full_budget": by_full_budget,
    "larger_model_search": by_larger_model_search,
    "formulas_as_given": by_formulas_as_given,
}


@cache
def solving() -> tuple[Stage, ...]:
    """Return the means beyond searching in their order, with those that other packages register.

    Raises ``PluginError`` if one of these cannot be loaded.
    """
    return tuple(in_order(_SOLVING, registered("proofs", FunctionType, _SOLVING)).values())


def satisfiability(question: Question) -> Finding:
    """Return the first finding of any means, a model written out and confirmed; or unknown, with the last reason."""
    if question.is_too_large:
        question = question.shorter
    if question.is_too_large:
        return Finding(Answer.UNKNOWN, "size", reason=f"more than {MAX_SUBFORMULAS} subformulas")
    last = Finding(Answer.UNKNOWN, "budget", reason="no means applies")
    for stage in (*SEARCHING, *solving()):
        finding = stage(question)
        if finding is not None:
            if finding.answer is not Answer.UNKNOWN:
                return replace(finding, evidence=finding.model if question.with_evidence else None)
            last = finding
    return last
