"""The grammar of terms, formulas and checks, all of one form; which of them must stand where is decided by solving.

expression = { "not" } signed { operator { "not" } signed }       signed = [ "-" ] operand
operand    = integer | name [ arguments ] | "(" expression ")" | "[" expression { "," expression } "]"
arguments  = "(" [ scope "," ] expression { "," expression } ")"   scope = "[" name ":" sort { "," name ":" sort } "]"

A name may be a text in quotation marks. Operators bind as in Python, an arrow least.
"""

import re
from collections.abc import Sequence
from functools import cache, reduce
from typing import Any, NamedTuple

from nlfol.problems.programs.outcome import ProgramError
from nlfol.problems.programs.texts import quoted

MAX_NESTING = 20
"""Brackets within brackets."""

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "in", "not in"))
_SPELLINGS = {"||": "or", "&&": "and", **dict.fromkeys(("=>", "==>", "->"), "implies")}
_LEVELS = (
    *(frozenset((word,)) for word in ("implies", "or", "and")),
    COMPARISONS,
    *map(frozenset, ("|", "&", "+-", "*%")),
)
_COMPARED = _LEVELS.index(COMPARISONS)
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")


class Node(NamedTuple):
    """A number, name, list or call, the latter with its scope; operators are calls of their signs."""

    kind: str
    text: str
    parts: tuple["Node", ...] = ()
    scope: tuple[tuple[str, str], ...] = ()


def read_expression(text: str, line: int) -> Node:
    """Read an expression; raises ``ProgramError`` for any other text."""
    import pyparsing as pp

    depth = 0
    for sign in _QUOTED.sub("", text):
        depth += (sign in "([") - (sign in ")]")
        if depth > MAX_NESTING:
            raise ProgramError(f"more than {MAX_NESTING} brackets within one another", line)
    try:
        return _grammar().parse_string(text)[0]  # type: ignore[no-any-return]
    except pp.ParseBaseException as error:
        rest = text[error.loc :].lstrip()
        needed = error.msg.removeprefix("Expected ")
        raise ProgramError(f"{quoted(rest[:20]) if rest else 'the end'} where {needed} is needed", line) from None


@cache
def _grammar() -> Any:
    import pyparsing as pp

    def sign(text: str) -> Any:
        return pp.Suppress(pp.Literal(text).set_name(repr(text)))

    def listed(item: Any) -> Any:
        return item + (sign(",") - item)[...]

    expression = pp.Forward().set_name("a term or formula")
    number = pp.Regex(r"\d{1,9}(?!\w)").set_parse_action(lambda tokens: Node("number", tokens[0]))
    word = pp.Regex(r"(?!(?:and|or|not|in|for|if|else|lambda|\d+)\b)\w+'*|" + _QUOTED.pattern).set_name("a name")
    word.set_parse_action(lambda tokens: plain(tokens[0]))
    typed = (word + sign(":") + word).set_parse_action(tuple)
    scope = sign("[") + listed(typed) + sign("]") - sign(",")
    arguments = sign("(") - pp.Group(pp.Optional(scope)) + pp.Group(listed(expression)) - sign(")")
    call = (word + arguments).set_parse_action(
        lambda tokens: Node("call", tokens[0], tuple(tokens[2]), tuple(tokens[1]))
    )
    name = word.copy().add_parse_action(lambda tokens: Node("name", tokens[0]))
    items = (sign("[") + listed(expression) - sign("]")).set_parse_action(
        lambda tokens: Node("list", "", tuple(tokens))
    )
    bracket = sign("(") + expression - sign(")")
    operand = (number | call | name | items | bracket).set_name("a term or formula")
    signed = (sign("-") + operand).set_parse_action(lambda tokens: Node("call", "-", (tokens[0],))) | operand
    signed.set_name("a term or formula")
    nots = pp.Regex(r"(?:not\b\s*)*").set_parse_action(lambda tokens: tokens[0].count("not"))
    operator = pp.Regex(r"not\s+in\b|(?:and|or|in)\b|\|\||&&|={1,2}>|->|[=!<>]=|[<>+*%&|-]")
    operator.set_name("an operator or the end")
    operator.set_parse_action(lambda tokens: " ".join(_SPELLINGS.get(tokens[0], tokens[0]).split()))
    expression <<= (nots + signed + (operator - nots - signed)[...]).set_parse_action(_tree)
    return expression + pp.StringEnd().set_name("an operator or the end")


def _tree(text: str, position: int, tokens: Any) -> Node:
    from pyparsing import ParseFatalException

    operands = list(zip(tokens[::3], tokens[1::3], strict=True))
    operators = ["", *tokens[2::3]]
    if any(
        nots and operator not in ("", "and", "or", "implies")
        for (nots, _), operator in zip(operands, operators, strict=True)
    ):
        raise ParseFatalException(text, position, "Expected 'not' before a whole comparison")
    return _bound(operands, operators[1:], 0)


def _bound(operands: Sequence[tuple[int, Node]], operators: Sequence[str], level: int) -> Node:
    """Return what operands between operators make, those of the level and tighter ones."""
    if not operators and (level > _COMPARED or not operands[0][0]):
        return operands[0][1]
    ends = [index for index, operator in enumerate(operators) if operator in _LEVELS[level]]
    starts = [0, *(end + 1 for end in ends)]
    parts = [
        _bound(operands[start : end + 1], operators[start:end], level + 1)
        for start, end in zip(starts, [*ends, len(operators)], strict=True)
    ]
    signs = [operators[end] for end in ends]
    if level == _COMPARED:
        pairs = [Node("call", sign, (parts[index], parts[index + 1])) for index, sign in enumerate(signs)]
        made = parts[0] if not pairs else pairs[0] if len(pairs) == 1 else Node("call", "chain", tuple(pairs))
        for _ in range(operands[0][0]):
            made = Node("call", "not", (made,))
        return made
    if level == 0:
        return reduce(lambda right, left: Node("call", "implies", (left, right)), reversed(parts))
    made = parts[0]
    for sign, part in zip(signs, parts[1:], strict=True):
        made = Node("call", sign, (made, part))
    return made


def plain(name: str) -> str:
    """Return a name without quotation marks around it."""
    return name[1:-1] if name[:1] in "'\"" else name
