"""Printing formulas: Unicode (read back by ``reading.read`` to the same tree), LaTeX, TPTP and SMT-LIB.

TPTP is the FOF syntax (Sutcliffe, *The TPTP Problem Library and Associated Infrastructure*); SMT-LIB is version 2.6
with one uninterpreted sort.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import bound_variables, constants, free_variables, functions, predicates
from nlfol.logic.syntax import (
    FREE_VARIABLE,
    And,
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Node,
    Not,
    Or,
    Term,
    Variable,
    fold,
    terms,
)

_PREFIX, _ATOMIC = 6, 7
_Spell = Callable[[Term], str]
_WriteTerm = Callable[[Term], str]


@dataclass(frozen=True, slots=True)
class _Notation:
    """How one infix notation writes things; precedences are those of the reader."""

    conjunction: str
    disjunction: str
    exclusive: str
    implication: str
    equivalence: str
    negation: str
    universal: str
    existential: str
    equality: str
    inequality: str


_UNICODE = _Notation("∧", "∨", "⊕", "→", "↔", "¬", "∀{} ", "∃{} ", "=", "≠")
_LATEX = _Notation(
    r"\land",
    r"\lor",
    r"\oplus",
    r"\rightarrow",
    r"\leftrightarrow",
    r"\lnot ",
    r"\forall {}\, ",
    r"\exists {}\, ",
    "=",
    r"\neq",
)


def to_unicode(node: Node, *, checked: bool = True) -> str:
    """The canonical text: minimal parentheses, ``≠`` for a negated equation.

    Args:
        node: a formula or a term.
        checked: refuse a tree whose text would be read back as another tree.

    Raises:
        FormulaError: if a constant has the name of a variable of the formula, or a free variable is not bound anywhere
            in it and is not one of u to z: no text stands for such a tree.
    """
    if isinstance(node, Variable | Constant | Function):
        return _term(node)
    assert isinstance(node, Formula)
    if checked:
        _check_names(node)
    return _infix(node, _UNICODE, _term, frozenset(v.name for v in free_variables(node)))


def to_latex(formula: Formula) -> str:
    """The formula for LaTeX's mathematics mode, names upright, with the parentheses of ``to_unicode``."""
    _check_names(formula)
    return _infix(formula, _LATEX, _latex_term, frozenset(v.name for v in free_variables(formula)))


def _check_names(formula: Formula) -> None:
    bound = bound_variables(formula)
    clashing = constants(formula) & {v.name for v in bound}
    if clashing:
        raise FormulaError(f"{min(clashing)!r} names a constant and a variable of one formula; rename the variable")
    for variable in sorted(v.name for v in free_variables(formula) - bound):
        if not FREE_VARIABLE.fullmatch(variable):
            raise FormulaError(f"free variable {variable!r} would be read as a constant; call it u to z")


def _term(term: Term) -> str:
    return _applied(term, lambda node: node.name)


def _latex_term(term: Term) -> str:
    def spell(node: Term) -> str:
        return node.name if len(node.name) == 1 else rf"\mathrm{{{_latex_name(node.name)}}}"

    return _applied(term, spell)


def _latex_name(name: str) -> str:
    return name.replace("_", r"\_")


def _applied(term: Term, spell: _Spell) -> str:
    """f(a, g(b)) with every name spelled by ``spell``, iteratively."""
    out: list[str] = []
    stack: list[Term | str] = [term]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
        elif isinstance(node, Function):
            out.append(spell(node) + "(")
            stack.append(")")
            for index, argument in enumerate(reversed(node.arguments)):
                if index:
                    stack.append(", ")
                stack.append(argument)
        else:
            out.append(spell(node))
    return "".join(out)


def _infix(formula: Formula, notation: _Notation, write_term: _WriteTerm, free: frozenset[str]) -> str:
    # Each result is (text, precedence of its outermost operator, whether it opens with a quantifier whose variable is
    # also free in the formula: unparenthesised, the reader would widen that scope).
    def step(node: Formula, parts: tuple[tuple[str, int, bool], ...]) -> tuple[str, int, bool]:
        def operand(index: int, least: int) -> str:
            text, precedence, captured = parts[index]
            return f"({text})" if precedence < least or captured else text

        def infix(symbol: str, precedence: int, *, right: bool = False) -> tuple[str, int, bool]:
            first, second = operand(0, precedence + right), operand(1, precedence + (not right))
            return f"{first} {symbol} {second}", precedence, False

        match node:
            case Atom(predicate, arguments):
                name = predicate if notation is _UNICODE else rf"\mathrm{{{_latex_name(predicate)}}}"
                return f"{name}({', '.join(write_term(a) for a in arguments)})", _ATOMIC, False
            case Equality(left, right):
                return f"{write_term(left)} {notation.equality} {write_term(right)}", _ATOMIC, False
            case Not(Equality(left, right)):
                return f"{write_term(left)} {notation.inequality} {write_term(right)}", _ATOMIC, False
            case Not():
                return notation.negation + operand(0, _PREFIX), _PREFIX, False
            case ForAll(variable):
                return notation.universal.format(variable.name) + operand(0, _PREFIX), _PREFIX, variable.name in free
            case Exists(variable):
                return notation.existential.format(variable.name) + operand(0, _PREFIX), _PREFIX, variable.name in free
            case And():
                return infix(notation.conjunction, 5)
            case Or():
                return infix(notation.disjunction, 4)
            case ExclusiveOr():
                return infix(notation.exclusive, 3)
            case Implies():
                return infix(notation.implication, 2, right=True)
            case Iff():
                return infix(notation.equivalence, 1)
            case _:
                assert_never(node)

    return fold(formula, step)[0]


def to_tptp(formula: Formula) -> str:
    """The formula in TPTP's FOF syntax, fully parenthesised; free variables stay free (FOF closes them universally).

    Variables become upper-case words and other symbols lower-case ones; where two symbols would meet, a number is
    appended to the later one in alphabetical order.
    """
    spell = _tptp_names(formula)

    def step(node: Formula, parts: tuple[str, ...]) -> str:
        match node:
            case Atom(predicate, arguments):
                return f"{spell['P', predicate]}({', '.join(_tptp_term(a, spell) for a in arguments)})"
            case Equality(left, right):
                return f"({_tptp_term(left, spell)} = {_tptp_term(right, spell)})"
            case Not():
                return f"~ {parts[0]}"
            case ForAll(variable):
                return f"![{spell['V', variable.name]}]: {parts[0]}"
            case Exists(variable):
                return f"?[{spell['V', variable.name]}]: {parts[0]}"
            case And():
                return f"({parts[0]} & {parts[1]})"
            case Or():
                return f"({parts[0]} | {parts[1]})"
            case ExclusiveOr():
                return f"({parts[0]} <~> {parts[1]})"
            case Implies():
                return f"({parts[0]} => {parts[1]})"
            case Iff():
                return f"({parts[0]} <=> {parts[1]})"
            case _:
                assert_never(node)

    return fold(formula, step)


def _tptp_names(formula: Formula) -> dict[tuple[str, str], str]:
    variables = {v.name for v in bound_variables(formula) | free_variables(formula)}
    symbols = (
        [("V", name) for name in sorted(variables)]
        + [("P", name) for name in sorted(predicates(formula))]
        + [("F", name) for name in sorted(functions(formula))]
        + [("C", name) for name in sorted(constants(formula))]
    )
    names: dict[tuple[str, str], str] = {}
    for kind, name in symbols:
        plain = name[0].upper() + name[1:] if kind == "V" else name[0].lower() + name[1:]
        candidate, number = plain, 1
        while candidate in names.values():
            number += 1
            candidate = f"{plain}_{number}"
        names[kind, name] = candidate
    return names


def _tptp_term(term: Term, spell: dict[tuple[str, str], str]) -> str:
    def of(node: Term) -> str:
        kind = "V" if isinstance(node, Variable) else "C" if isinstance(node, Constant) else "F"
        return spell[kind, node.name]

    return _applied(term, of)


def to_smtlib(formula: Formula) -> str:
    """An SMT-LIB 2.6 script that declares the symbols over one sort ``U`` and asserts the formula.

    Raises:
        FormulaError: if the formula has free variables, which SMT-LIB cannot express.
    """
    open_names = sorted(v.name for v in free_variables(formula))
    if open_names:
        raise FormulaError(f"free variables {', '.join(open_names)}: close the formula before writing SMT-LIB")
    lines = ["(set-logic UF)", "(declare-sort U 0)"]
    lines += [f"(declare-fun |c.{name}| () U)" for name in sorted(constants(formula))]
    lines += [f"(declare-fun |f.{n}| ({' '.join(['U'] * k)}) U)" for n, k in sorted(functions(formula).items())]
    lines += [f"(declare-fun |p.{n}| ({' '.join(['U'] * k)}) Bool)" for n, k in sorted(predicates(formula).items())]
    return "\n".join([*lines, f"(assert {fold(formula, _smtlib_step)})"]) + "\n"


def _smtlib_step(node: Formula, parts: tuple[str, ...]) -> str:
    match node:
        case Atom(predicate):
            return f"(|p.{predicate}| {' '.join(_smtlib_term(t) for t in terms(node))})"
        case Equality():
            return f"(= {' '.join(_smtlib_term(t) for t in terms(node))})"
        case Not():
            return f"(not {parts[0]})"
        case ForAll(variable):
            return f"(forall ((|v.{variable.name}| U)) {parts[0]})"
        case Exists(variable):
            return f"(exists ((|v.{variable.name}| U)) {parts[0]})"
        case And():
            return f"(and {parts[0]} {parts[1]})"
        case Or():
            return f"(or {parts[0]} {parts[1]})"
        case ExclusiveOr():
            return f"(xor {parts[0]} {parts[1]})"
        case Implies():
            return f"(=> {parts[0]} {parts[1]})"
        case Iff():
            return f"(= {parts[0]} {parts[1]})"
        case _:
            assert_never(node)


def _smtlib_term(term: Term) -> str:
    out: list[str] = []
    stack: list[Term | str] = [term]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
        elif isinstance(node, Function):
            out.append(f"(|f.{node.name}|")
            stack.append(")")
            stack.extend(reversed(node.arguments))
        else:
            out.append(f"|{'v' if isinstance(node, Variable) else 'c'}.{node.name}|")
    return " ".join(out).replace(" )", ")")
