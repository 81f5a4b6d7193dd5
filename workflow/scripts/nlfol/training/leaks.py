"""Leaks: tested problems among training examples, also reworded or with other symbols.

Formulas and programs are compared without their vocabulary, so that renamed symbols and reworded sentences change
nothing. A line is its shape, which has numbers in place of names (``programs.symbols``). The lines of a program share
symbols, so each symbol is identified by where it occurs, in rounds, as the vertices of a graph are in colour refinement
(Weisfeiler and Leman): programs that differ in names or in the order of their lines have one digest. Different programs
may rarely have one, too; that costs no more than an example.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from nlfol.logic.languages.language import LanguageName, ReadingError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.problems.gold import gold_lines
from nlfol.problems.problem import Problem
from nlfol.problems.programs.formulas import maps
from nlfol.problems.programs.language import QUERY
from nlfol.problems.programs.symbols import LineError, Numbered, Symbol
from nlfol.store import files
from nlfol.store.canonical import canonical, sha256
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.schemas import TRIPLES
from nlfol.tasks.item import Item, shown

_REMEMBERED = 5_000
"""Trees that are kept: each step of a dialogue, under each seed, is about the same."""


class Likeness(StrEnum):
    """The kind of likeness by which an example gives a tested item away.

    ``problem``: it is that item, or one that it was made from, or in other words; ``text``: it has its words, whatever
    their order of sentences, or shows it as a solved example; ``tree``: its formula or gold program is that of the item
    but for names.
    """

    PROBLEM = "problem"
    TEXT = "text"
    TREE = "tree"


class Place(NamedTuple):
    """An item of a dataset."""

    dataset: str
    item: str


class Leak(NamedTuple):
    """A tested item that an example gives away, with the likeness of the two."""

    place: Place
    likeness: Likeness


@dataclass(frozen=True, slots=True)
class Exam:
    """A dataset that is tested, with its PROBLEMS or TRIPLES file."""

    dataset: str
    file: Path
    holds_problems: bool


@dataclass(slots=True)
class LeakFinder:
    """The usable items of tested datasets, by their likenesses.

    ``originals`` names, of datasets that are made of others, the one from which all comes. The items of ``asked`` are
    further questions about its stories: their names have a number behind that of the item.
    """

    originals: Mapping[str, str]
    asked: frozenset[str] = frozenset()
    _known: dict[tuple[Likeness, object], Place] = field(default_factory=dict)

    @classmethod
    def read(
        cls, tested: Iterable[Exam], originals: Mapping[str, str], asked: frozenset[str] = frozenset()
    ) -> LeakFinder:
        """Read tested datasets; raises ``StoreError`` if a file is missing or of another schema."""
        finder = cls(originals, asked)
        for exam in tested:
            for row in files.rows(exam.file, PROBLEMS if exam.holds_problems else TRIPLES):
                if row["status"] != "usable":
                    continue
                place = Place(exam.dataset, row["item"])
                if exam.holds_problems:
                    finder.add_problem(place, Problem.from_row(row))
                else:
                    finder.add_sentence(place, row["text"], row["language"], row["formula"])
        return finder

    def add_problem(self, place: Place, problem: Problem) -> None:
        """Add a tested problem."""
        self._add(place, self._keys_of_problem(place, problem))
        self._add(place, [(Likeness.TEXT, _words(shown(problem)))])

    def add_sentence(self, place: Place, text: str, language: LanguageName, formula: str) -> None:
        """Add a tested sentence."""
        self._add(place, self._keys_of_sentence(place, text, language, formula))

    def leak(self, place: Place, item: Item) -> Leak | None:
        """Return the tested item that an item, or a solved example before it, gives away; None if there is none."""
        if item.problem is not None:
            keys = self._keys_of_problem(place, item.problem)
        else:
            keys = self._keys_of_sentence(place, item.text, item.language, item.formula)
        shown_before = ((Likeness.TEXT, _words(exemplar.text)) for exemplar in item.exemplars)
        for key in [*keys, *shown_before]:
            if (tested := self._known.get(key)) is not None:
                return Leak(tested, key[0])
        return None

    def _add(self, place: Place, keys: Iterable[tuple[Likeness, object]]) -> None:
        for key in keys:
            self._known.setdefault(key, place)

    def _keys_of_problem(self, place: Place, problem: Problem) -> Iterator[tuple[Likeness, object]]:
        yield self._own(place)
        # The statements alone, where there are any: another question about them asks for the same program.
        sentences = problem.statements or (problem.question,)
        yield Likeness.TEXT, tuple(sorted(_words(sentence.text) for sentence in sentences))
        if (tree := program_tree(problem)) is not None:
            yield Likeness.TREE, tree

    def _keys_of_sentence(
        self, place: Place, text: str, language: LanguageName, formula: str
    ) -> Iterator[tuple[Likeness, object]]:
        yield self._own(place)
        yield Likeness.TEXT, _words(text)
        if (tree := formula_tree(language, formula)) is not None:
            yield Likeness.TREE, tree

    def _own(self, place: Place) -> tuple[Likeness, object]:
        item = place.item.rpartition("-")[0] if place.dataset in self.asked else place.item
        return Likeness.PROBLEM, Place(self.originals.get(place.dataset, place.dataset), item)


def _words(text: str) -> str:
    """Return a text without capitals, punctuation and spaces; of one without words, its signs."""
    words = re.findall(r"\w+", text.casefold())
    return " ".join(words) if words else "".join(text.split())


@lru_cache(maxsize=_REMEMBERED)
def formula_tree(language: LanguageName, text: str) -> str | None:
    """Return the SHA-256 of a canonical formula or expression without its vocabulary; None if it cannot be read."""
    try:
        sentence = LANGUAGES[language].parse(text)
    except ReadingError:
        return None
    if language == "regular":
        return sha256(f"regular {_without_letters(text)}")
    return sha256(f"formula {_shape(maps.numbered(sentence))}")


@lru_cache(maxsize=_REMEMBERED)
def program_tree(problem: Problem) -> str | None:
    """Return the SHA-256 of a gold program without its vocabulary; None if it is missing or cannot be read."""
    placed = [("statement", statement.line) for statement in problem.statements]
    placed.append((QUERY, problem.question.line))
    placed += [("option", option.line) for option in problem.options]
    lines = [(place, line) for place, line in placed if line is not None]
    if problem.language is None or not lines:
        return None
    gold = gold_lines(problem)
    language = gold.language.within(gold)
    try:
        numbered = [(place, language.numbered((line,))) for place, line in lines]
    except LineError:
        return None
    return sha256(canonical([problem.language, *_signatures(numbered)]))


def _signatures(lines: Sequence[tuple[str, Numbered]]) -> list[str]:
    """Return digests of the lines with their places and symbols, which no name or order of lines changes."""
    colours = {symbol: f"{symbol.kind} {symbol.arity}" for _, numbered in lines for symbol in numbered.symbols}
    while True:
        signatures = [
            sha256(canonical([place, _shape(numbered), *(colours[symbol] for symbol in numbered.symbols)]))
            for place, numbered in lines
        ]
        occurrences = defaultdict[Symbol, list[str]](list)
        for signature, (_, numbered) in zip(signatures, lines, strict=True):
            for number, symbol in enumerate(numbered.symbols):
                occurrences[symbol].append(f"{signature} {number}")
        finer = {
            symbol: sha256(canonical([colour, *sorted(occurrences[symbol])])) for symbol, colour in colours.items()
        }
        if len(set(finer.values())) == len(set(colours.values())):
            return sorted(signatures)
        colours = finer


def _shape(numbered: Numbered) -> str:
    # The names of variables begin with as many z as none of the formula's own does.
    return re.sub(r"\bz+(?=\d)", "z", repr(numbered.shape))


def _without_letters(expression: str) -> str:
    """Return a regular expression with numbers for its letters, by their first places."""
    numbers = {letter: str(number) for number, letter in enumerate(dict.fromkeys(filter(str.isalnum, expression)))}
    return "".join(f"<{numbers[sign]}>" if sign in numbers else sign for sign in expression)
