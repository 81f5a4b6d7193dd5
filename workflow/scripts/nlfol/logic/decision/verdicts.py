"""Verdicts on two formulas, with the evidence."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any, NamedTuple

from nlfol.logic.measuring import Signature, signature
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula


class Outcome(StrEnum):
    """Outcome of a comparison of two formulas."""

    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not_equivalent"
    UNKNOWN = "unknown"
    INVALID = "invalid"


class Witness(NamedTuple):
    """A structure in which formulas were found true and false, written out and confirmed where it is asked for."""

    written: Callable[[Signature], Structure]
    true: tuple[Formula, ...]
    false: tuple[Formula, ...] = ()

    def structure(self) -> Structure:
        """Return the structure, confirmed by the plain definition of truth."""
        formulas = (*self.true, *self.false)
        structure = self.written(signature(*formulas))
        for formula in formulas:
            if holds(formula, structure) != (formula in self.true):
                raise AssertionError(f"bit-parallel and plain truth differ on {formula}: {structure.describe()}")
        return structure


@dataclass(slots=True, eq=False, repr=False)
class Verdict:
    """An outcome with its evidence; immutable.

    ``means`` is what decided. Equivalent: ``same_tree``, ``normal_form``, ``truth_table``, ``finite_model_bound``,
    ``prefix`` (by truth tables or Z3, less what the two have in common around their differences), ``completion`` or
    ``z3``. Not equivalent: ``truth_table``, ``finite_structure``, ``finite_model_bound``, ``z3``, ``model_search`` or
    ``arithmetic`` (the reason has the structure over the integers). Unknown: what ran out, ``budget``, ``time`` or
    ``size``. Invalid: ``open_formula`` or ``arity``.
    """

    outcome: Outcome
    means: str
    _evidence: Structure | Witness | None = None
    reason: str | None = None

    @property
    def counter_model(self) -> Structure | None:
        """Return a finite structure that tells the two apart, confirmed by ``structures.holds``, if one is known."""
        if isinstance(self._evidence, Witness):
            self._evidence = self._evidence.structure()
        return self._evidence

    def _fields(self) -> tuple[Outcome, str, Structure | None, str | None]:
        return self.outcome, self.means, self.counter_model, self.reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.outcome, self.means, self.reason))

    def __repr__(self) -> str:
        outcome, means, counter_model, reason = self._fields()
        return f"Verdict({outcome.value!r}, {means!r}, {counter_model!r}, {reason!r})"

    def _repr_html_(self) -> str:
        """Return the text for notebooks."""
        outcome, means, counter_model, reason = self._fields()
        verdict = f"<b>{outcome.value.replace('_', ' ')}</b> (by {means.replace('_', ' ')})"
        if counter_model is not None:
            return f"<p>{verdict}; counter-model:</p>{counter_model._repr_html_()}"
        return f"<p>{verdict}{f': {escape(reason)}' if reason else ''}</p>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict, self._fields()
