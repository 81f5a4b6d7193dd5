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
    terms,
)

_PREFIX, _ATOMIC = 6, 7
_Spell = Callable[[Term], str]
_Pieces = tuple["str | Formula", ...]
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

    A quantified operand always has parentheses where the quantified name is also free in the formula.

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


def _written(formula: Formula, pieces: Callable[[Formula], _Pieces]) -> str:
    """The text of a formula, top-down: each node gives texts and the subformulas between them."""
    out: list[str] = []
    stack: list[str | Formula] = [formula]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(pieces(piece)))
    return "".join(out)


def _precedence(formula: Formula) -> int:
    match formula:
        case Atom() | Equality() | Not(Equality()):
            return _ATOMIC
        case Not() | ForAll() | Exists():
            return _PREFIX
        case And():
            return 5
        case Or():
            return 4
        case ExclusiveOr():
            return 3
        case Implies():
            return 2
        case Iff():
            return 1
        case _:
            assert_never(formula)


def _infix(formula: Formula, notation: _Notation, write_term: _WriteTerm, free: frozenset[str]) -> str:
    def operand(node: Formula, least: int) -> _Pieces:
        # A quantifier whose variable is also free in the formula: unparenthesised, the reader might widen its scope.
        captured = isinstance(node, ForAll | Exists) and node.variable.name in free
        return ("(", node, ")") if captured or _precedence(node) < least else (node,)

    def pieces(node: Formula) -> _Pieces:
        def infix(left: Formula, symbol: str, right: Formula) -> _Pieces:
            precedence, to_right = _precedence(node), isinstance(node, Implies)
            return (*operand(left, precedence + to_right), f" {symbol} ", *operand(right, precedence + (not to_right)))

        match node:
            case Atom(predicate, arguments):
                name = predicate if notation is _UNICODE else rf"\mathrm{{{_latex_name(predicate)}}}"
                return (f"{name}({', '.join(write_term(a) for a in arguments)})",)
            case Equality(left, right):
                return (f"{write_term(left)} {notation.equality} {write_term(right)}",)
            case Not(Equality(left, right)):
                return (f"{write_term(left)} {notation.inequality} {write_term(right)}",)
            case Not(inner):
                return (notation.negation, *operand(inner, _PREFIX))
            case ForAll(variable, body):
                return (notation.universal.format(write_term(variable)), *operand(body, _PREFIX))
            case Exists(variable, body):
                return (notation.existential.format(write_term(variable)), *operand(body, _PREFIX))
            case And(a, b):
                return infix(a, notation.conjunction, b)
            case Or(a, b):
                return infix(a, notation.disjunction, b)
            case ExclusiveOr(a, b):
                return infix(a, notation.exclusive, b)
            case Implies(a, b):
                return infix(a, notation.implication, b)
            case Iff(a, b):
                return infix(a, notation.equivalence, b)
            case _:
                assert_never(node)

    return _written(formula, pieces)


def to_tptp(formula: Formula) -> str:
    """The formula in TPTP's FOF syntax, fully parenthesised; free variables stay free (FOF closes them universally).

    Variables become upper-case words and other symbols lower-case ones; where two symbols would meet, a number is
    appended to the later one in alphabetical order.
    """
    spell = _tptp_names(formula)

    def pieces(node: Formula) -> _Pieces:
        match node:
            case Atom(predicate, arguments):
                return (f"{spell['P', predicate]}({', '.join(_tptp_term(a, spell) for a in arguments)})",)
            case Equality(left, right):
                return (f"({_tptp_term(left, spell)} = {_tptp_term(right, spell)})",)
            case Not(inner):
                return ("~ ", inner)
            case ForAll(variable, body):
                return (f"![{spell['V', variable.name]}]: ", body)
            case Exists(variable, body):
                return (f"?[{spell['V', variable.name]}]: ", body)
            case And(a, b):
                return ("(", a, " & ", b, ")")
            case Or(a, b):
                return ("(", a, " | ", b, ")")
            case ExclusiveOr(a, b):
                return ("(", a, " <~> ", b, ")")
            case Implies(a, b):
                return ("(", a, " => ", b, ")")
            case Iff(a, b):
                return ("(", a, " <=> ", b, ")")
            case _:
                assert_never(node)

    return _written(formula, pieces)


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
    return "\n".join([*lines, f"(assert {_written(formula, _smtlib_pieces)})"]) + "\n"


def _smtlib_pieces(node: Formula) -> _Pieces:
    match node:
        case Atom(predicate):
            return (f"(|p.{predicate}| {' '.join(_smtlib_term(t) for t in terms(node))})",)
        case Equality():
            return (f"(= {' '.join(_smtlib_term(t) for t in terms(node))})",)
        case Not(inner):
            return ("(not ", inner, ")")
        case ForAll(variable, body):
            return (f"(forall ((|v.{variable.name}| U)) ", body, ")")
        case Exists(variable, body):
            return (f"(exists ((|v.{variable.name}| U)) ", body, ")")
        case And(a, b):
            return ("(and ", a, " ", b, ")")
        case Or(a, b):
            return ("(or ", a, " ", b, ")")
        case ExclusiveOr(a, b):
            return ("(xor ", a, " ", b, ")")
        case Implies(a, b):
            return ("(=> ", a, " ", b, ")")
        case Iff(a, b):
            return ("(= ", a, " ", b, ")")
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
