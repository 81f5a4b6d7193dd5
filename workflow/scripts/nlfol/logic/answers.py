"""Judging the text of an answer against gold: one reading, one verdict.

>>> from nlfol.logic import judge
>>> judged = judge("∀x (P(x) → Q(x))", "forall x. P(x) -> Q(x)")
>>> judged.verdict.outcome, judged.reading.dialect
(<Outcome.EQUIVALENT: 'equivalent'>, 'nltk')
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from nlfol.logic.decided import AmbiguousFormulaError, read_decided
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.decision.verdicts import Outcome, Verdict
from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading import TolerantReading, close_universally, parse, read
from nlfol.logic.relations import RelationKind, relation
from nlfol.logic.syntax import Formula


@dataclass(frozen=True, slots=True)
class Judged:
    """The reading of an answer's text, and the verdict on its formula and gold.

    ``reading`` has the formula with the liberties taken, the ambiguities and the dialect. A text that could not be read
    has no verdict but a ``problem``; its ``reading`` is None, or the first of several that differ in meaning.
    ``accepted`` is the place of the first of the gold formulas that the formula is equivalent to.
    """

    gold: Formula
    reading: TolerantReading | None
    verdict: Verdict | None = None
    problem: FormulaSyntaxError | None = None
    accepted: int | None = None
    budget: int = DEFAULT_BUDGET

    @property
    def is_right(self) -> bool:
        """Return whether the formula is proven equivalent to gold."""
        return self.accepted is not None

    @property
    def relation(self) -> RelationKind | None:
        """Return how the formula stands to the first gold formula; None of one that is invalid or could not be read."""
        if self.reading is None or self.verdict is None or self.verdict.outcome is Outcome.INVALID:
            return None
        if self.verdict.outcome is Outcome.EQUIVALENT:
            return RelationKind.EQUIVALENT
        return relation(self.gold, self.reading.formula, budget=self.budget).kind


def judge(
    gold: Formula | str | Sequence[Formula | str],
    text: str,
    signature: Signature | None = None,
    *,
    strict: bool = False,
    close: bool = False,
    propositions: bool = False,
    reading: AbstractContextManager[object] | None = None,
    budget: int = DEFAULT_BUDGET,
) -> Judged:
    """Read an answer's text once, and decide whether its formula is equivalent to gold.

    ``gold`` is a formula, or several that are accepted, of which the verdict is on the first; texts are read strictly.
    A formula that is open, or not over ``signature``, is invalid; with ``close`` free variables are quantified
    universally first. With ``strict`` only nlfol's own notation is read. ``reading`` is a context in which the text is
    read, such as a limit of time.
    """
    listed = (gold,) if isinstance(gold, Formula | str) else gold
    first, *others = [
        parse(formula, propositions=propositions) if isinstance(formula, str) else formula for formula in listed
    ]
    try:
        with reading or nullcontext():
            if strict:
                own = read(text, signature=signature, propositions=propositions)
                decided = TolerantReading(own.formula, "unicode", own.warnings)
            else:
                decided = read_decided(text, signature=signature, propositions=propositions)
    except AmbiguousFormulaError as error:
        return Judged(first, error.reading, problem=error, budget=budget)
    except FormulaSyntaxError as error:
        return Judged(first, None, problem=error, budget=budget)
    if close:
        decided = replace(decided, formula=close_universally(decided.formula))
    verdict = invalid(decided.formula, signature) or equivalence(first, decided.formula, budget=budget)
    _ = verdict.counter_model  # so that a wrong one is an error here
    accepted = 0 if verdict.outcome is Outcome.EQUIVALENT else None
    if accepted is None and verdict.outcome is not Outcome.INVALID:
        alike = (equivalence(other, decided.formula, budget=budget).outcome is Outcome.EQUIVALENT for other in others)
        accepted = next((number for number, same in enumerate(alike, 1) if same), None)
    return Judged(first, decided, verdict, accepted=accepted, budget=budget)


def invalid(formula: Formula, signature: Signature | None) -> Verdict | None:
    """Return the verdict on a formula that is open, or not over a signature; None on any other."""
    if signature is not None:
        try:
            signature.check(formula)
        except SignatureError as error:
            return Verdict(Outcome.INVALID, "signature", reason=str(error))
    if unbound := sorted(formula.profile.free):
        return Verdict(Outcome.INVALID, "open_formula", reason=f"no quantifier binds {', '.join(unbound)}")
    return None
