"""Readings of what models write, and their ambiguities: places that can be grouped in another way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nlfol.logic.decision.normal_form import same_normal_form
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.reading.tolerant.strict_tokens import Token, read_tokens
from nlfol.logic.syntax import CONNECTIVES, And, ExclusiveOr, Exists, ForAll, Formula, Or, fold, with_children

MAX_TOKENS = 2_000  # tokens of a formula whose other readings are built

_SWAPPED = {"∧": "∨", "∨": "∧"}
_TIGHTEST_EXCLUSIVE = {"⊕": "∧", "∧": "∨", "∨": "⊕"}


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A place where the text could mean something else.

    The kind is ``caret``, ``mixed_and_or``, ``mixed_exclusive_or``, ``implication_chain``, ``quantifier_scope``,
    ``word_operator``, ``leading_dash``, ``sort``, ``prefix_application``, ``equality``, ``typeface`` or ``comma``.
    ``other`` is the other reading where nothing decides between the two; None where a convention does (precedence,
    grouping to the right, scope), or where the other one is no formula.
    """

    kind: str
    detail: str
    other: Formula | None = None


@dataclass(frozen=True, slots=True)
class TolerantReading:
    """A formula with the account of how it was read: a sentence for each repair, and the other readings, if built.

    The dialect is ``unicode``, ``latex``, ``ascii``, ``prover9``, ``nltk``, ``tptp``, ``lean``, or
    ``mathematics``: any of these with infix comparisons, membership or arithmetic.
    """

    formula: Formula
    dialect: str
    repairs: tuple[str, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = ()
    alternatives: tuple[Formula, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Return whether the text could mean something else."""
        return bool(self.ambiguities)


@dataclass(slots=True)
class _Level:
    """The connectives between two parentheses: those since the last → or ↔, and where its → stand."""

    signs: set[str]
    arrows: list[int]
    start: int


def is_settled(text: str) -> bool:
    """Return whether in a strict text no connective follows a quantifier within the same parentheses.

    Then quantifiers bind the same, whether they reach as far as they can or as little.
    """
    binds = [False]
    for sign in re.findall("[()∀∃∧∨⊕→↔]", text):
        match sign:
            case "(":
                binds.append(False)
            case ")":
                binds.pop()
            case "∀" | "∃":
                binds[-1] = True
            case _ if binds[-1]:
                return False
            case _:
                pass
    return True


def groupings(text: str, tokens: list[Token], letters: Letters) -> Iterator[tuple[str, str, Formula | None]]:
    """Yield kind, detail and, where it can be built, the other reading of signs side by side without parentheses."""
    mixed: set[str] = set()
    chains: list[tuple[int, list[int], int]] = []  # where a chain of → begins, its arrows, where it ends
    levels = [_Level(set(), [], 0)]

    def finish_run(level: _Level) -> None:
        if {"∧", "∨"} <= level.signs:
            mixed.add("mixed_and_or")
        if "⊕" in level.signs and len(level.signs) > 1:
            mixed.add("mixed_exclusive_or")
        level.signs = set()

    def finish_chain(level: _Level, end: int) -> None:
        finish_run(level)
        if len(level.arrows) > 1:
            chains.append((level.start, level.arrows, end))
        level.arrows = []
        level.start = end + 1

    for index, token in enumerate(tokens):
        match token.text:
            case "(":
                levels.append(_Level(set(), [], index + 1))
            case ")" if len(levels) > 1:
                finish_chain(levels.pop(), index)
            case "∧" | "∨" | "⊕":
                levels[-1].signs.add(token.text)
            case "→":
                finish_run(levels[-1])
                levels[-1].arrows.append(index)
            case "↔":
                finish_chain(levels[-1], index)
            case _:
                pass
    while levels:
        finish_chain(levels.pop(), len(tokens))
    if "mixed_and_or" in mixed:
        detail = "∧ and ∨ side by side without parentheses: ∧ taken as the tighter"
        yield "mixed_and_or", detail, _permuted(text, tokens, letters, _SWAPPED)
    if "mixed_exclusive_or" in mixed:
        detail = "⊕ beside ∧ or ∨ without parentheses: ⊕ taken as the looser"
        yield "mixed_exclusive_or", detail, _permuted(text, tokens, letters, _TIGHTEST_EXCLUSIVE)
    if chains:
        detail = "→ after → without parentheses: grouped to the right"
        yield "implication_chain", detail, _to_the_left(text, tokens, letters, chains)


def _read(text: str, tokens: list[Token], letters: Letters) -> Formula | None:
    if len(tokens) > MAX_TOKENS:
        return None
    try:
        return read_tokens(text, tokens, letters).formula
    except FormulaSyntaxError:
        return None


def _permuted(text: str, tokens: list[Token], letters: Letters, signs: dict[str, str]) -> Formula | None:
    """Return the reading with other precedences: read with the signs exchanged, then exchange the connectives back."""
    exchanged = [Token(signs.get(token.text, token.text), token.position) for token in tokens]
    read = _read(text, exchanged, letters)
    if read is None:
        return None
    back = {CONNECTIVES[after]: CONNECTIVES[before] for before, after in signs.items()}

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, And | Or | ExclusiveOr) and type(node) in back:
            return back[type(node)](parts[0], parts[1])
        return with_children(node, parts)

    return fold(read, step)


def _to_the_left(
    text: str, tokens: list[Token], letters: Letters, chains: list[tuple[int, list[int], int]]
) -> Formula | None:
    before: dict[int, str] = {}
    for start, arrows, _ in chains:
        before[start] = before.get(start, "") + "(" * (len(arrows) - 1)
        for arrow in arrows[1:]:
            before[arrow] = ")"
    grouped: list[Token] = []
    for index, token in enumerate(tokens):
        grouped += [Token(sign, token.position) for sign in before.get(index, "")]
        grouped.append(token)
    return _read(text, grouped, letters)


def differ_in_scope(first: Formula, second: Formula) -> bool:
    """Return whether two readings that differ in how far quantifiers reach are not plainly equivalent."""
    if first is second:
        return False
    return not same_normal_form(_narrowed(first), _narrowed(second))


def _narrowed(formula: Formula) -> Formula:
    """Move quantifiers inwards past operands of ∧ and ∨ without their variables."""

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if not isinstance(node, ForAll | Exists):
            return with_children(node, parts)
        name, inner = node.variable.name, parts[0]
        around: list[tuple[Formula, Formula, bool]] = []
        while isinstance(inner, And | Or):
            on_left, on_right = (name in operand.profile.free for operand in (inner.left, inner.right))
            if on_left is on_right:
                break
            around.append((inner, inner.right if on_left else inner.left, on_left))
            inner = inner.left if on_left else inner.right
        result: Formula = type(node)(node.variable, inner)
        for outer, other, on_left in reversed(around):
            result = with_children(outer, (result, other) if on_left else (other, result))
        return result

    return fold(formula, step)
