"""Expressions in English that says one thing only, and back.

Every group that is repeated, and every group inside a longer one, is a numbered part with a sentence of its own, in
front of the sentence that uses it. So a sentence has one operator and no nesting:

    Part 1 is the letter '0' zero or more times, then the letter '1'.
    A matching text is part 1 zero or more times, then the letter '0' at most once.

Each time that a part is repeated, it may be another text of those it describes. The grammar:

    text   = { "Part N is " what ". " } "A matching text is " what "."
    what   = times { ", then " times } | "either " times { " or " times }
    times  = item [ " zero or more times" | " one or more times" | " at most once" ]
    item   = "the letter 'c'" | "the empty text" | "part N"

Parts are numbered in the order in which they are needed, and each is used once.
"""

import re

from nlfol.logic.regular import syntax
from nlfol.logic.regular.errors import ExpressionError, ExpressionSyntaxError

MAX_ENGLISH = 1_000_000
"""Characters of the longest English that is written or read: that of the longest expression that is read fits."""

_TIMES: dict[type[syntax.Postfix], str] = {
    syntax.Star: " zero or more times",
    syntax.Plus: " one or more times",
    syntax.Option: " at most once",
}
_KIND = {words: kind for kind, words in _TIMES.items()}
_THEN, _OR, _EITHER = ", then ", " or ", "either "
_EMPTY = "the empty text"
_WHOLE = "A matching text is "
_PART = re.compile(r"Part ([1-9][0-9]{0,6}) is ")
_ITEM = re.compile(rf"(?:the letter '([{syntax.LETTERS}])'|{_EMPTY}|part ([1-9][0-9]{{0,6}}))({'|'.join(_KIND)})?")


def render(expression: syntax.Expression) -> str:
    """Return the English of an expression; raises `ExpressionError` if it is longer than ``MAX_ENGLISH``."""
    sentences: list[str] = []
    length = 0
    # A group to be described, and the same once its own groups are; these leave their names in ``names``.
    stack: list[tuple[syntax.Expression, bool]] = [(expression, False)]
    names: list[str] = []
    while stack:
        node, ready = stack.pop()
        groups = [group for group in map(_group, _members(node)) if group is not None]
        if not ready and groups:
            stack.append((node, True))
            stack.extend((group, False) for group in reversed(groups))
            continue
        used = names[len(names) - len(groups) :]
        del names[len(names) - len(groups) :]
        sentences.append(_described(node, used))
        names.append(f"part {len(sentences)}")
        length += len(sentences[-1]) + len("Part  is . ") + 7
        if length > MAX_ENGLISH:
            raise ExpressionError(f"its English has more than {MAX_ENGLISH} characters; the expression is too large")
    parts = (f"Part {number} is {sentence}. " for number, sentence in enumerate(sentences[:-1], 1))
    return "".join((*parts, f"{_WHOLE}{sentences[-1]}."))


def _members(node: syntax.Expression) -> tuple[syntax.Expression, ...]:
    """Return the parts that a sentence about the node names: operands of a chain, any other node itself."""
    return syntax.children(node) if isinstance(node, syntax.Chain) else (node,)


def _group(member: syntax.Expression) -> syntax.Expression | None:
    """Return the part of a sentence's member that is described before it: neither a leaf nor one repeated."""
    bare = member.operand if isinstance(member, syntax.Postfix) else member
    return None if isinstance(bare, syntax.Leaf) else bare


def _described(node: syntax.Expression, names: list[str]) -> str:
    remaining = iter(names)
    phrases = []
    for member in _members(node):
        bare = member.operand if isinstance(member, syntax.Postfix) else member
        leaf = f"the letter '{bare.symbol}'" if isinstance(bare, syntax.Letter) else _EMPTY
        item = leaf if isinstance(bare, syntax.Leaf) else next(remaining)
        phrases.append(item + _TIMES[type(member)] if isinstance(member, syntax.Postfix) else item)
    return _EITHER + _OR.join(phrases) if isinstance(node, syntax.Union) else _THEN.join(phrases)


def read_english(text: str) -> syntax.Expression:
    """Return the expression for which ``render`` writes exactly this; raises `ExpressionSyntaxError` if none."""
    if len(text) > MAX_ENGLISH:
        raise ExpressionSyntaxError(f"{len(text)} characters; at most {MAX_ENGLISH} are read", text, MAX_ENGLISH)
    parts: dict[str, syntax.Expression] = {}
    position = 0
    number = 0
    while True:
        number += 1
        opening = _PART.match(text, position)
        if opening is None and not text.startswith(_WHOLE, position):
            raise ExpressionSyntaxError(f"expected 'Part {number} is' or {_WHOLE.strip()!r}", text, position)
        if opening is not None and opening[1] != str(number):
            raise ExpressionSyntaxError(f"part {opening[1]} where part {number} is expected", text, position)
        position = opening.end() if opening else position + len(_WHOLE)
        expression, position = _read_sentence(text, position, parts)
        if opening is None:
            break
        if not text.startswith(". ", position):
            raise ExpressionSyntaxError("expected '. ' and another sentence", text, position)
        parts[opening[1]] = expression
        position += 2
    if text[position:] != ".":
        raise ExpressionSyntaxError("expected '.' and the end", text, position)
    if parts:
        raise ExpressionSyntaxError(f"part {next(iter(parts))} is not used", text, position)
    written = render(expression)
    if written != text:
        error_at = next((i for i, (a, b) in enumerate(zip(written, text, strict=False)) if a != b), len(text))
        raise ExpressionSyntaxError("parts are divided or numbered in another way than here", text, error_at)
    return expression


def _read_sentence(text: str, position: int, parts: dict[str, syntax.Expression]) -> tuple[syntax.Expression, int]:
    """Read the expression of a sentence, and where it ends; the parts that it uses are taken out."""
    either = text.startswith(_EITHER, position)
    if either:
        position += len(_EITHER)
    joint = _OR if either else _THEN
    members: list[syntax.Expression] = []
    while True:
        match = _ITEM.match(text, position)
        if match is None:
            raise ExpressionSyntaxError(f"expected \"the letter '…'\", {_EMPTY!r} or 'part …'", text, position)
        letter, part, times = match.groups()
        if part is not None and part not in parts:
            raise ExpressionSyntaxError(f"part {part} is not described before, or used already", text, position)
        item = syntax.LETTER_OF[letter] if letter else parts.pop(part) if part else syntax.EPSILON
        members.append(_KIND[times](item) if times else item)
        position = match.end()
        if not text.startswith(joint, position):
            return (syntax.union if either else syntax.concatenation)(members), position
        position += len(joint)
