"""The strict reader: the notation and nothing else.

    union  = chain { "|" chain }          full dialect alone
    chain  = times { times }
    times  = atom { "*" | "+" | "?" }     + and ? in the full dialect alone
    atom   = letter | "(" union ")" | "ε" ε in the full dialect alone

A postfix sign may follow another: ``0**`` is the star of a star. Spaces are not part of the notation. Letters are those
of ``syntax.LETTERS``, in an item's alphabet or not.
"""

from enum import StrEnum

from nlfol.logic.regular import syntax
from nlfol.logic.regular.errors import ExpressionSyntaxError

MAX_LENGTH = 20_000
"""Characters of the longest text that is read."""
MAX_DEPTH = 5_000
"""Open parentheses at most."""


class Dialect(StrEnum):
    """Signs that may be used besides letters and parentheses."""

    PUBLISHED = "published"
    """``*`` alone, as the regular expressions of AutoEval (Karia et al., 2024)."""
    FULL = "full"
    """``*``, ``+``, ``?``, ``|`` and ``ε``."""


_POSTFIX: dict[Dialect, dict[str, type[syntax.Postfix]]] = {
    Dialect.PUBLISHED: {"*": syntax.Star},
    Dialect.FULL: syntax.POSTFIX_OF,
}
_MARKS = frozenset(syntax.POSTFIX_OF)


def parse(text: str, dialect: Dialect = Dialect.PUBLISHED) -> syntax.Expression:
    """Read one expression; raises `ExpressionSyntaxError` unless it is one of the dialect, or if it is too large."""
    if len(text) > MAX_LENGTH:
        raise ExpressionSyntaxError(f"{len(text)} characters; at most {MAX_LENGTH} are read", text, MAX_LENGTH)
    postfix = _POSTFIX[dialect]
    full = dialect == Dialect.FULL
    outer: list[tuple[list[syntax.Expression], list[syntax.Expression], int]] = []
    chains: list[syntax.Expression] = []  # before the current chain in its union
    chain: list[syntax.Expression] = []
    for position, character in enumerate(text):
        if character in syntax.LETTER_OF:
            chain.append(syntax.LETTER_OF[character])
        elif character in postfix:
            if not chain:
                raise ExpressionSyntaxError(f"nothing before {character!r} that it could repeat", text, position)
            chain[-1] = postfix[character](chain[-1])
        elif character == "(":
            if len(outer) == MAX_DEPTH:
                raise ExpressionSyntaxError(f"more than {MAX_DEPTH} open parentheses", text, position)
            outer.append((chains, chain, position))
            chains, chain = [], []
        elif character == ")":
            if not outer:
                raise ExpressionSyntaxError("')' without its '('", text, position)
            if not chain:
                raise ExpressionSyntaxError(_nothing(chains, "')'", full), text, position)
            inner_chains, inner = chains, chain
            chains, chain, _ = outer.pop()
            if inner_chains:
                inner_chains.append(_one(inner))
                chain.append(syntax.union(inner_chains))
            elif text[position + 1 : position + 2] in _MARKS:
                chain.append(_one(inner))
            elif chain:
                chain += inner
            else:
                chain = inner
        elif character == "|" and full:
            if not chain:
                raise ExpressionSyntaxError(_nothing(chains, "'|'", full), text, position)
            chains.append(_one(chain))
            chain = []
        elif character == "ε" and full:
            chain.append(syntax.EPSILON)
        else:
            raise ExpressionSyntaxError(_refusal(character), text, position)
    if outer:
        raise ExpressionSyntaxError("'(' without its ')'", text, outer[-1][2])
    if not chain:
        raise ExpressionSyntaxError(_nothing(chains, "the end", full), text, len(text))
    if not chains:
        return _one(chain)
    chains.append(_one(chain))
    return syntax.union(chains)


def _one(chain: list[syntax.Expression]) -> syntax.Expression:
    return chain[0] if len(chain) == 1 else syntax.Concatenation(tuple(chain))


def _nothing(chains: list[syntax.Expression], end: str, full: bool) -> str:
    problem = f"nothing between '|' and {end}" if chains else f"nothing before {end}"
    return f"{problem}; write the empty word as 'ε'" if full else f"{problem}; an expression has at least one letter"


def _refusal(character: str) -> str:
    if character in ("+", "?", "|", "ε"):
        return f"{character!r} is not in this dialect, which has letters, parentheses and '*'"
    if character.isspace():
        return "a space or line break inside an expression"
    return f"{character!r} is neither a letter (0 to 9, a to z) nor a sign of the notation"


def in_dialect(expression: syntax.Expression, dialect: Dialect) -> bool:
    """Return whether the expression can be written in the dialect."""
    if dialect == Dialect.FULL:
        return True
    return not any(
        isinstance(node, syntax.Plus | syntax.Option | syntax.Union) or node is syntax.EPSILON
        for node in syntax.distinct_subexpressions(expression)
    )
