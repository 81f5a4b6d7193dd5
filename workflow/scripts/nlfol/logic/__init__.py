"""Formulas of first-order logic: syntax, reading, printing, rewriting, measuring, and equivalence.

    >>> from nlfol.logic import entails, equivalence, parse
    >>> equivalence(parse("∀x (P(x) → Q(x))"), parse("¬∃x (P(x) ∧ ¬Q(x))")).outcome
    <Outcome.EQUIVALENT: 'equivalent'>
    >>> entails([parse("∀x (P(x) → Q(x))"), parse("P(a)")], parse("Q(a)")).label
    <Label.TRUE: 'true'>

Here is what most callers need; the classes of formulas are in ``syntax``. Z3 is imported when it is first asked.
"""

from nlfol.logic.answers import Judged, judge
from nlfol.logic.decided import AmbiguousFormulaError, Variant, read_decided, variants
from nlfol.logic.decision.verdicts import Outcome, Verdict
from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import FormulaError, FormulaSyntaxError, LogicError, SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.printing import to_latex, to_smtlib, to_tptp, to_unicode
from nlfol.logic.reading import parse, read, read_tolerantly
from nlfol.logic.relations import Entailment, Label, Relation, RelationKind, entails, relation, tell_apart
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula

__all__ = [
    "AmbiguousFormulaError", "Entailment", "Formula", "FormulaError", "FormulaSyntaxError", "Judged", "Label",
    "LogicError", "Outcome", "Relation", "RelationKind", "Signature", "SignatureError", "Structure", "Variant",
    "Verdict", "entails", "equivalence", "holds", "judge", "parse", "read", "read_decided", "read_tolerantly",
    "relation", "tell_apart", "to_latex", "to_smtlib", "to_tptp", "to_unicode", "variants",
]  # fmt: skip
