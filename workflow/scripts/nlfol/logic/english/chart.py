"""A chart parser of literals, with the glosses and meanings of an ontology as templates.

The parser (Kay, *Algorithm Schemata and Data Structures in Syntactic Processing*, 1980; Earley's without
look-ahead): for every place where a term may begin it knows all ends of terms there. An agenda takes the place of
recursion, so neither nested terms nor meanings that begin with a slot ("{}'s mother") are a danger.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.logic.syntax import FREE_VARIABLE, NAME, Constant, Formula, Term, Variable

MAX_LITERAL = 500
"""Characters of the longest literal that is spelled in glosses alone."""

_SHORT = re.compile(r"[u-z][0-9]*")
_LONG = re.compile(rf"thing ({NAME.pattern})")


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A gloss or meaning, cut at its slots, and the builder of its literal or term."""

    segments: tuple[str, ...]
    build: Callable[[tuple[Term, ...]], Any]
    literal: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The templates of literals and functions, and the meanings of constants by their first character."""

    literals: tuple[Template, ...]
    functions: tuple[Template, ...]
    constants: dict[str, list[tuple[str, Constant]]]


# Not frozen: very many are made, and setting the fields of a frozen one takes most of the time.
@dataclass(slots=True, eq=False)
class _Item:
    """A template that begins at ``start`` and waits for the next of its terms; None among them is ambiguous."""

    template: Template
    start: int
    filled: tuple[Term | None, ...]


class Chart:
    """The literals and terms in one text."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._literals: dict[int, dict[int, Formula | None]] = {}
        self._terms: dict[int, dict[int, Term | None]] = {}
        self._waiting: dict[int, list[_Item]] = {}
        self._agenda: deque[tuple[_Item, int, Term | None]] = deque()
        self._predicted: deque[int] = deque()

    def literals(self, start: int) -> dict[int, Formula | None]:
        """Return the literals spelled from a place on, by their ends; None where one text spells several."""
        if start not in self._literals:
            self._literals[start] = {}
            self._begin(self._vocabulary.literals, start)
            self._run()
        return self._literals[start]

    def _run(self) -> None:
        while self._predicted or self._agenda:
            if self._agenda:
                self._advance(*self._agenda.popleft())
                continue
            start = self._predicted.popleft()
            for end, term in self._leaves(start):
                self._found(start, end, term)
            self._begin(self._vocabulary.functions, start)

    def _begin(self, templates: Sequence[Template], start: int) -> None:
        text = self._text
        for template in templates:
            segments = template.segments
            if not text.startswith(segments[0], start):
                continue
            stop = start + len(segments[0])
            if len(segments) > 1:
                self._await(_Item(template, start, ()), stop)
            elif len(segments[0]) <= MAX_LITERAL:
                self._literal(start, stop, template.build(()))

    def _await(self, item: _Item, position: int) -> None:
        if position in self._waiting:
            self._waiting[position].append(item)
            self._agenda.extend((item, end, term) for end, term in self._terms[position].items())
        else:
            self._waiting[position], self._terms[position] = [item], {}
            self._predicted.append(position)

    def _advance(self, item: _Item, end: int, term: Term | None) -> None:
        filled = (*item.filled, term)
        segments = item.template.segments
        segment = segments[len(filled)]
        stop = end + len(segment)
        if stop - item.start > MAX_LITERAL or not self._text.startswith(segment, end):
            return
        if len(filled) < len(segments) - 1:
            self._await(_Item(item.template, item.start, filled), stop)
            return
        terms = tuple(part for part in filled if part is not None)
        built = item.template.build(terms) if len(terms) == len(filled) else None
        if item.template.literal:
            self._literal(item.start, stop, built)
        else:
            self._found(item.start, stop, built)

    def _literal(self, start: int, end: int, literal: Formula | None) -> None:
        known = self._literals[start]
        known[end] = literal if known.get(end, literal) is literal else None

    def _found(self, start: int, end: int, term: Term | None) -> None:
        known = self._terms[start]
        if end in known:
            if known[end] is None or known[end] is term:
                return
            term = None
        known[end] = term
        self._agenda.extend((item, end, term) for item in self._waiting[start])

    def _leaves(self, start: int) -> Iterator[tuple[int, Term]]:
        text = self._text
        if match := _SHORT.match(text, start):
            for end in range(start + 1, match.end() + 1):
                yield end, Variable(text[start:end])
        if match := _LONG.match(text, start, start + MAX_LITERAL):
            for end in range(match.start(1) + 1, match.end() + 1):
                if not FREE_VARIABLE.fullmatch(text, match.start(1), end):
                    yield end, Variable(text[match.start(1) : end])
        for meaning, constant in self._vocabulary.constants.get(text[start : start + 1], ()):
            if text.startswith(meaning, start):
                yield start + len(meaning), constant
