"""Texts of prompts that know which component each piece of them belongs to.

A comparison is only as good as what its arms share, so a prompt remembers what it was filled with: the sentence, the
candidates, the examples, the glossary and what the model said before. What is left is the prompt itself. Templates say
nothing of that where a value is printed as it is; blocks are marked by ``{% filter component("glossary") %}``, each
example in a block of its own.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import jinja2

PROMPT, EXAMPLES, GLOSSARY, TEXT, CANDIDATES, REPLIES = (
    *("prompt", "examples", "glossary"),
    *("text", "candidates", "replies"),
)
"""Components of what a model reads."""

_REPEATED = "repeated"
"""A part of the text that the prompt holds once more, in no component."""

_OF_VALUES = {
    **dict.fromkeys(("text", "formula", "first", "second"), TEXT),
    "sentence": _REPEATED,
    "candidates": CANDIDATES,
    **dict.fromkeys(("english", "lines", "rows", "refused", "units", "message", "programs"), REPLIES),
}
"""The component of the values that templates print; those of any other name belong to the prompt."""

# No text that a dataset holds or a model writes can guess it. It is taken out before anything is sent.
_MARK = secrets.token_hex(8)
_MARKED = re.compile(f"<{_MARK}:(\\d+)>")
_PIECES = "_pieces"

Piece = tuple[str, str]
"""A component and a text of it."""


class Shown(str):
    """A text with its pieces, in their order; what is made of it by ``+`` or ``format`` is a plain text again."""

    __slots__ = ("pieces",)
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Self:
        """Return the text of some pieces, without white space at its ends."""
        left = list(pieces)
        while left and not left[0][1].lstrip():
            del left[0]
        while left and not left[-1][1].rstrip():
            del left[-1]
        if left:
            left[0] = left[0][0], left[0][1].lstrip()
            left[-1] = left[-1][0], left[-1][1].rstrip()
        text = cls("".join(content for _, content in left))
        text.pieces = tuple(left)
        return text


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the pieces of a text; one of the prompt where nothing is known of it."""
    return text.pieces if isinstance(text, Shown) else ((PROMPT, text),)


class _Value(str):
    """A value of a template, with its component."""

    __slots__ = ("component",)
    component: str


def _marked(value: Any, component: str) -> Any:
    """Return a value whose texts know their component."""
    if isinstance(value, str):
        text = _Value(value)
        text.component = component
        return text
    if isinstance(value, Mapping):
        return {key: _marked(part, component) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_marked(part, component) for part in value)
    return value


def _printed(context: jinja2.runtime.Context, value: Any) -> Any:
    """Return what stands for a value in the text: a mark, where it belongs to a component."""
    return _kept(context, value.component, value) if isinstance(value, _Value) else value


def _component(context: jinja2.runtime.Context, text: str, name: str) -> str:
    """Return what stands for a block of a template that belongs to a component as a whole."""
    return _kept(context, name, "".join(content for _, content in _split(text, context[_PIECES])))


def _kept(context: jinja2.runtime.Context, component: str, text: str) -> str:
    pieces: list[Piece] = context[_PIECES]
    pieces.append((component, str(text)))
    return f"<{_MARK}:{len(pieces) - 1}>"


def _split(text: str, pieces: list[Piece]) -> list[Piece]:
    plain_and_marks = _MARKED.split(text)
    return [
        pieces[int(part)] if index % 2 else (PROMPT, part)
        for index, part in enumerate(plain_and_marks)
        if index % 2 or part
    ]


def mark(environment: jinja2.Environment) -> None:
    """Let an environment's templates say what belongs to which component."""
    from jinja2 import pass_context

    environment.finalize = pass_context(_printed)
    environment.filters["component"] = pass_context(_component)


def render(template: jinja2.Template, values: Mapping[str, object]) -> Shown:
    """Return the text of a template in a marked environment."""
    pieces: list[Piece] = []
    known = {name: _marked(value, _OF_VALUES[name]) if name in _OF_VALUES else value for name, value in values.items()}
    return Shown.of(_split(template.render({**known, _PIECES: pieces}), pieces))
