"""Writing a tree in an infix notation, with no more parentheses than the strict reader needs.

``syntax`` writes its nodes here to show them, and so this module imports none of their classes: it goes by the sign of
the strict notation that each class stands for (``Node.sign``), and by the names of its fields.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PRECEDENCE: Mapping[str, int] = {"∧": 5, "∨": 4, "⊕": 3, "→": 2, "↔": 1}
"""Precedence of connectives of two operands; → groups to the right, all others to the left."""

_PREFIX, _ATOMIC = 6, 7


@dataclass(frozen=True, slots=True)
class Notation:
    """Spelling of an infix notation: its sign for each strict one (a quantifier's for a variable), and of names."""

    signs: Mapping[str, str]
    predicate: Callable[[str], str]
    term: Callable[[str], str]


UNICODE = Notation({sign: sign for sign in (*PRECEDENCE, "¬", "=", "≠")} | {"∀": "∀{} ", "∃": "∃{} "}, str, str)
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


def write(root: Any, pieces: Callable[[Any], Sequence[Any]]) -> str:
    """Return the text of a tree, top-down: each node gives texts and the nodes between them."""
    out: list[str] = []
    stack: list[Any] = [root]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(pieces(piece)))
    return "".join(out)


def write_formula(root: Any, notation: Notation, free: Collection[str]) -> str:
    """Return a formula's text; a quantified operand that has a variable free outside stands in parentheses."""
    return write(root, lambda node: _pieces(node, notation, free))


def write_term(root: Any, spell: Callable[[Any], str]) -> str:
    """Return f(a, g(b)) with the name of every node spelled by ``spell``."""

    def pieces(node: Any) -> list[Any]:
        parts = [spell(node)]
        for index, argument in enumerate(getattr(node, "arguments", ())):
            parts += [", " if index else "(", argument]
        return [*parts, ")"] if len(parts) > 1 else parts

    return write(root, pieces)


def _pieces(node: Any, notation: Notation, free: Collection[str]) -> list[Any]:
    signs, sign = notation.signs, node.sign

    def term(root: Any) -> str:
        return write_term(root, lambda inner: notation.term(inner.name))

    def operand(inner: Any, least: int) -> list[Any]:
        is_quantified = inner.sign in ("∀", "∃")
        captured = is_quantified and inner.variable.name in free
        is_prefixed = is_quantified or (inner.sign == "¬" and inner.operand.sign != "=")
        precedence = _PREFIX if is_prefixed else PRECEDENCE.get(inner.sign, _ATOMIC)
        return ["(", inner, ")"] if captured or precedence < least else [inner]

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
