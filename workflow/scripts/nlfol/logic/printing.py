"""Printed formulas: Unicode (read back by ``reading.read`` to the same tree), LaTeX, TPTP and SMT-LIB.

TPTP is the FOF syntax (Sutcliffe, *The TPTP Problem Library and Associated Infrastructure*); SMT-LIB is version 2.6
with one uninterpreted sort.
"""

from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaError
from nlfol.logic.infix import LATEX, write, write_formula, write_term
from nlfol.logic.measuring import bound_variables, constants, free_variables, functions, letters, predicates

_Pieces = list[str | fol.Node]
_TPTP = {"¬": "~", "∧": "&", "∨": "|", "⊕": "<~>", "→": "=>", "↔": "<=>", "∀": "!", "∃": "?"}
_SMTLIB = {"¬": "not", "∧": "and", "∨": "or", "⊕": "xor", "→": "=>", "↔": "=", "=": "=", "∀": "forall", "∃": "exists"}


def to_unicode(node: fol.Node, *, checked: bool = True) -> str:
    """Return the canonical text: minimal parentheses, ``≠`` for a negated equation, letters as bare names.

    A quantified operand always has parentheses where the quantified name is also free in the formula.

    Raises ``FormulaError`` if checked, and a constant or a propositional letter has the name of a variable bound in the
    formula, or a free variable is not bound anywhere in it and is not one of u to z: no text stands for such a tree,
    and what is written would be read back as another.
    """
    if checked and isinstance(node, fol.Formula):
        _check_names(node)
    return str(node)


def to_bracketed(formula: fol.Formula, done: dict[fol.Formula, str] | None = None) -> str:
    """Return the text with parentheses around all that has a connective of two places, and around equations.

    So ∧ and → make texts of one length. ``done`` has texts of parts, and is added to.
    """

    def step(node: fol.Formula, parts: tuple[str, ...]) -> str:
        match node:
            case fol.Atom():
                return str(node)
            case fol.Equality():
                return f"({node})"
            case fol.Not():
                return f"¬{parts[0]}"
            case fol.ForAll() | fol.Exists():
                return f"{node.sign}{node.variable.name} {parts[0]}"
            case _:
                return f"({parts[0]} {node.sign} {parts[1]})"

    return fol.fold(formula, step, done)


def to_latex(formula: fol.Formula) -> str:
    """Return the formula for LaTeX's mathematics mode, names upright, with the parentheses of ``to_unicode``."""
    _check_names(formula)
    return write_formula(formula, LATEX, formula.profile.free)


def _check_names(formula: fol.Formula) -> None:
    bound = bound_variables(formula)
    clashing = constants(formula) & {v.name for v in bound}
    if clashing:
        raise FormulaError(f"{min(clashing)!r} names a constant and a variable of one formula; rename the variable")
    quantified = letters(formula) & {v.name for v in bound}
    if quantified:
        raise FormulaError(f"{min(quantified)!r} names a letter and a variable of one formula; rename the variable")
    for variable in sorted(v.name for v in free_variables(formula) - bound):
        if not fol.FREE_VARIABLE.fullmatch(variable):
            raise FormulaError(f"free variable {variable!r} would be read as a constant; call it u to z")


def to_tptp(formula: fol.Formula) -> str:
    """Return the formula in TPTP's FOF syntax, fully parenthesised; FOF closes free variables universally.

    Variables are upper-case words and other symbols lower-case ones; where two meet, the later one gets a number.
    """
    spell = _tptp_names(formula)

    def pieces(node: fol.Formula) -> _Pieces:
        match node:
            case fol.Atom(predicate, arguments):
                name = spell["P", predicate]
                return [f"{name}({', '.join(_tptp_term(a, spell) for a in arguments)})" if arguments else name]
            case fol.Equality(left, right):
                return [f"({_tptp_term(left, spell)} = {_tptp_term(right, spell)})"]
            case fol.Not(inner):
                return [f"{_TPTP[node.sign]} ", inner]
            case fol.ForAll(variable, body) | fol.Exists(variable, body):
                return [f"{_TPTP[node.sign]}[{spell['V', variable.name]}]: ", body]
            case _:
                return ["(", node.left, f" {_TPTP[node.sign]} ", node.right, ")"]

    return write(formula, pieces)


def _tptp_names(formula: fol.Formula) -> dict[tuple[str, str], str]:
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


def _tptp_term(term: fol.Term, spell: dict[tuple[str, str], str]) -> str:
    def of(node: fol.Term) -> str:
        kind = "V" if isinstance(node, fol.Variable) else "C" if isinstance(node, fol.Constant) else "F"
        return spell[kind, node.name]

    return write_term(term, of)


def to_smtlib(formula: fol.Formula) -> str:
    """Return an SMT-LIB 2.6 script over one sort ``U``; ``FormulaError`` for free variables, which it cannot say."""
    open_names = sorted(v.name for v in free_variables(formula))
    if open_names:
        raise FormulaError(f"free variables {', '.join(open_names)}: close the formula before writing SMT-LIB")
    lines = ["(set-logic UF)", "(declare-sort U 0)"]
    lines += [f"(declare-fun |c.{name}| () U)" for name in sorted(constants(formula))]
    lines += [f"(declare-fun |f.{n}| ({' '.join(['U'] * k)}) U)" for n, k in sorted(functions(formula).items())]
    lines += [f"(declare-fun |p.{n}| ({' '.join(['U'] * k)}) Bool)" for n, k in sorted(predicates(formula).items())]
    return "\n".join([*lines, f"(assert {write(formula, _smtlib_pieces)})"]) + "\n"


def _smtlib_pieces(node: fol.Formula | fol.Term) -> _Pieces:
    parts: tuple[fol.Node, ...]
    match node:
        case fol.Variable(name):
            return [f"|v.{name}|"]
        case fol.Constant(name):
            return [f"|c.{name}|"]
        case fol.Atom(predicate, ()):
            return [f"|p.{predicate}|"]
        case fol.Function(name, arguments):
            head, parts = f"|f.{name}|", arguments
        case fol.Atom(predicate, arguments):
            head, parts = f"|p.{predicate}|", arguments
        case fol.Not(inner):
            head, parts = _SMTLIB[node.sign], (inner,)
        case fol.ForAll(variable, body) | fol.Exists(variable, body):
            head, parts = f"{_SMTLIB[node.sign]} ((|v.{variable.name}| U))", (body,)
        case _:
            head, parts = _SMTLIB[node.sign], (node.left, node.right)
    pieces: _Pieces = [f"({head}"]
    for part in parts:
        pieces += [" ", part]
    return [*pieces, ")"]
