"""Rules on formulas, but for words that say that a form is meant, and names of variables in the sentence."""

import re
from collections.abc import Iterator, Sequence

from nlfol.logic import syntax as fol
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.measuring import free_variables
from nlfol_extras.lint.rules import Level, Remark, rule
from nlfol_extras.lint.statements import Statement, Story, stripped

_CONDITIONAL = re.compile(r"\b(if|when|whenever|unless|implies|once|then|only|provided)\b")
_THERE_IS = re.compile(r"\bthere (is|are|exists?|was|were)\b|\bsuch that\b")
_OF_EACH = re.compile(r"\b((every|any)(thing|one|body)?|all things|each|nothing)\b")
_NOT_ALL = re.compile(r"\bnot (all|every|each|the case)|\bno\b")
_GROUPED = re.compile(r"\b(both|either|neither|all of|at least one|then|if)\b|\(1\)")
_NUMBERED = re.compile(r"[a-z]_?\d\d+")
"""Names such as y2008: constants, though they look like variables."""


@rule(Level.PRECISE)
def unreadable(statement: Statement, _: Story) -> Iterator[Remark]:
    """The text is no formula."""
    if isinstance(statement.reading, str):
        yield Remark(f"no formula: {statement.reading}")


@rule(Level.PRECISE)
def unbalanced(statement: Statement, _: Story) -> Iterator[Remark]:
    """Parentheses do not match, and the reader has to guess."""
    if statement.formula is not None and statement.written.count("(") != statement.written.count(")"):
        yield Remark("parentheses do not match", statement.formula)


@rule(Level.PRECISE)
def unbound(statement: Statement, _: Story) -> Iterator[Remark]:
    """No quantifier binds a variable."""
    free = statement.formula.profile.free if statement.formula is not None else ()
    if names := sorted(name for name in free if not _NUMBERED.fullmatch(name)):
        yield Remark(f"nothing binds {', '.join(names)}")


@rule(Level.PRECISE)
def vacuous(statement: Statement, _: Story) -> Iterator[Remark]:
    """A quantifier binds nothing."""
    for node in statement.parts:
        if isinstance(node, fol.QUANTIFIED) and node.variable not in free_variables(node.body):
            yield Remark(f"{node.sign}{node.variable.name} binds nothing")


@rule(Level.PRECISE)
def not_contingent(statement: Statement, _: Story) -> Iterator[Remark]:
    """The formula is true in every structure, or in none."""
    if statement.formula is None or statement.formula.profile.free or len(statement.symbols) != len(
        {name for _, name, _ in statement.symbols}
    ):  # fmt: skip
        return
    kind = contingency(statement.formula, confirmed=False)
    if kind is Contingency.VALID or kind is Contingency.UNSATISFIABLE:
        yield Remark("true whatever is the case" if kind is Contingency.VALID else "false whatever is the case")


@rule(Level.PRECISE)
def exists_over_implication(statement: Statement, _: Story) -> Iterator[Remark]:
    """∃x (A(x) → B) holds as soon as something is no A: ∧ is meant."""
    quantifiers, matrix = _front(statement)
    if (
        isinstance(matrix, fol.Implies)
        and all(isinstance(quantifier, fol.Exists) for quantifier in quantifiers)
        and any(quantifier.variable in free_variables(matrix.left) for quantifier in quantifiers)
        and not _CONDITIONAL.search(statement.lower)
    ):
        meant = _quantified(quantifiers, fol.And(matrix.left, matrix.right))
        yield Remark("∃ over → holds as soon as anything fails the condition; ∧ may be meant", meant)


@rule(Level.PRECISE)
def exists_in_condition(statement: Statement, _: Story) -> Iterator[Remark]:
    """∀x ∃y (A(x, y) → B) holds as soon as some y fails the condition: ∀y is meant."""
    quantifiers, matrix = _front(statement)
    if not isinstance(matrix, fol.Implies) or all(isinstance(quantifier, fol.Exists) for quantifier in quantifiers):
        return
    named = {quantifier.variable for quantifier in quantifiers if isinstance(quantifier, fol.Exists)} & free_variables(
        matrix.left
    )
    if named and not _THERE_IS.search(statement.lower):
        turned = [
            fol.ForAll(quantifier.variable, quantifier.body) if quantifier.variable in named else quantifier
            for quantifier in quantifiers
        ]
        names = ", ".join(sorted(variable.name for variable in named))
        yield Remark(f"∃ over a condition with {names} holds as soon as one fails it", _quantified(turned, matrix))


@rule(Level.PRECISE)
def forall_over_and(statement: Statement, _: Story) -> Iterator[Remark]:
    """∀x (A(x) ∧ B(x)) says A of everything: →, or ∃, is meant."""
    quantifiers, matrix = _front(statement)
    bound = _universal(quantifiers)
    if not isinstance(matrix, fol.And) or _OF_EACH.search(statement.lower):
        return
    conjuncts = [
        part for part in fol.operands(matrix, fol.And) if isinstance(part, fol.Atom) and bound & free_variables(part)
    ]
    if conjuncts:
        yield Remark(f"∀ over ∧ says {conjuncts[0]} of everything; → or ∃ may be meant")


@rule(Level.PRECISE)
def negated_forall(statement: Statement, _: Story) -> Iterator[Remark]:
    """¬∀x (A(x) ∧ B(x)) is nearly always true: ∀x ¬(A(x) ∧ B(x)) is meant."""
    for node in () if _NOT_ALL.search(statement.lower) else statement.parts:
        if isinstance(node, fol.Not) and isinstance(node.operand, fol.ForAll):
            quantifiers, matrix = stripped(node.operand)
            if isinstance(matrix, fol.And):
                yield Remark("¬∀ over ∧ is true of nearly everything", _quantified(quantifiers, fol.Not(matrix)))


@rule(Level.PRECISE)
def forall_on_one_side(statement: Statement, _: Story) -> Iterator[Remark]:
    """A variable of ∀ stands on one side of ↔ alone, or in a negated condition alone: ∃ is meant."""
    quantifiers, matrix = _front(statement)
    if isinstance(matrix, fol.Iff):
        alone, side = free_variables(matrix.left) ^ free_variables(matrix.right), "one side of ↔"
    elif isinstance(matrix, fol.Implies):
        parts = list(fol.operands(matrix.left, fol.And))
        plain = (free_variables(part) for part in parts if not isinstance(part, fol.Not))
        alone = free_variables(matrix.left) - free_variables(matrix.right) - frozenset[fol.Variable]().union(*plain)
        side = "a negated condition"
    else:
        return
    for variable in sorted(_universal(quantifiers) & alone, key=lambda candidate: candidate.name):
        yield Remark(f"∀{variable.name} stands in {side} alone; a quantifier there may be meant")


@rule(Level.PRECISE)
def ungrouped(statement: Statement, _: Story) -> Iterator[Remark]:
    """∧ and ∨ stand side by side without parentheses, and the sentence groups nothing."""
    if _GROUPED.search(statement.lower) or statement.names_variables:
        return
    levels: list[str] = [""]
    for sign in statement.written:
        if sign == "(":
            levels.append("")
        elif sign == ")" and len(levels) > 1:
            levels.pop()
        elif sign in "→↔":
            levels[-1] = ""
        elif sign in "∧∨⊕":
            levels[-1] += sign
            if len({sign == "∧" for sign in levels[-1]}) > 1:
                yield Remark("∧ and ∨ side by side: say by parentheses which comes first")
                return


def _front(statement: Statement) -> tuple[tuple[fol.Quantified, ...], fol.Formula | None]:
    """Return the quantifiers in front and what they stand before; nothing if the sentence names the variables."""
    return ((), None) if statement.names_variables else statement.prefix


def _universal(quantifiers: Sequence[fol.Quantified]) -> frozenset[fol.Variable]:
    return frozenset(quantifier.variable for quantifier in quantifiers if isinstance(quantifier, fol.ForAll))


def _quantified(quantifiers: Sequence[fol.Quantified], matrix: fol.Formula) -> fol.Formula:
    for quantifier in reversed(quantifiers):
        matrix = type(quantifier)(quantifier.variable, matrix)
    return matrix
