"""Writing a tree in an infix notation, with no more parentheses than the strict reader needs.

``syntax`` writes its nodes here to show them, and so this module imports none of their classes: it goes by the sign of
the strict notation that each class stands for (``Node.sign``), and by the names of its fields.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

PRECEDENCE: Mapping[str, int] = {"∧": 5, "∨": 4, "⊕": 3, "→": 2, "↔": 1}
"""How tightly the connectives of two operands bind; → groups to the right, all others to the left."""

_PREFIX, _ATOMIC = 6, 7


@dataclass(frozen=True, slots=True)
class Notation:
    """Spelling of an infix notation.

    Attributes:
        signs: for each sign of the strict notation what stands for it; of a quantifier, a format with its variable.
        predicate: how the name of a predicate is spelled.
        term: how the name of a variable, constant or function is spelled.
    """

    signs: Mapping[str, str]
    predicate: Callable[[str], str]
    term: Callable[[str], str]


UNICODE = Notation(
    {**{sign: sign for sign in (*PRECEDENCE, "¬", "=", "≠")}, "∀": "∀{} ", "∃": "∃{} "},
    str,
    str,
)
"""The strict notation."""


def upright(name: str) -> str:
    """Return a name in LaTeX's mathematics mode."""
    escaped = name.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}"


LATEX = Notation(
    {
        "∧": r"\land",
        "∨": r"\lor",
        "⊕": r"\oplus",
        "→": r"\rightarrow",
        "↔": r"\leftrightarrow",
        "¬": r"\lnot ",
        "∀": r"\forall {}\, ",
        "∃": r"\exists {}\, ",
        "=": "=",
        "≠": r"\neq",
    },
    upright,
    lambda name: name if len(name) == 1 else upright(name),
)
"""LaTeX's mathematics mode."""


def write_formula(root: Any, notation: Notation, free: Collection[str]) -> str:
    """Return the text of a formula, top-down: each node gives texts and the subformulas between them.

    Args:
        root: the formula.
        notation: how to write.
        free: names of its free variables. A quantified operand with such a variable has parentheses, because the reader
            might widen its scope.
    """
    out: list[str] = []
    stack: list[Any] = [root]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(_pieces(piece, notation, free)))
    return "".join(out)


def write_term(root: Any, spell: Callable[[Any], str]) -> str:
    """Return f(a, g(b)) with the name of every node spelled by ``spell``, iteratively."""
    out: list[str] = []
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        out.append(spell(node))
        arguments = getattr(node, "arguments", ())
        if arguments:
            stack.append(")")
            for index, argument in enumerate(reversed(arguments)):
                if index:
                    stack.append(", ")
                stack.append(argument)
            stack.append("(")
    return "".join(out)


def _pieces(node: Any, notation: Notation, free: Collection[str]) -> list[Any]:
    signs, sign = notation.signs, node.sign

    def term(root: Any) -> str:
        return write_term(root, lambda inner: notation.term(inner.name))

    def operand(inner: Any, least: int) -> list[Any]:
        captured = inner.sign in ("∀", "∃") and inner.variable.name in free
        return ["(", inner, ")"] if captured or _precedence(inner) < least else [inner]

    if sign in PRECEDENCE:
        precedence, to_right = PRECEDENCE[sign], sign == "→"
        left, right = operand(node.left, precedence + to_right), operand(node.right, precedence + (not to_right))
        return [*left, f" {signs[sign]} ", *right]
    if sign in ("∀", "∃"):
        return [signs[sign].format(term(node.variable)), *operand(node.body, _PREFIX)]
    if sign == "¬" and node.operand.sign != "=":
        return [signs[sign], *operand(node.operand, _PREFIX)]
    if sign in ("=", "¬"):
        equation, relation = (node, "=") if sign == "=" else (node.operand, "≠")
        return [f"{term(equation.left)} {signs[relation]} {term(equation.right)}"]
    name = notation.predicate(node.predicate)
    return [f"{name}({', '.join(map(term, node.arguments))})" if node.arguments else name]


def _precedence(node: Any) -> int:
    sign = node.sign
    if sign in ("∀", "∃") or (sign == "¬" and node.operand.sign != "="):
        return _PREFIX
    return PRECEDENCE.get(sign, _ATOMIC)
