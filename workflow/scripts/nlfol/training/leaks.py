"""Leaks: tested problems among training examples, also reworded or with other symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nlfol.languages.language import LanguageName
from nlfol.problems.problem import Problem
from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.schemas import TRIPLES
from nlfol.tasks.item import Item
from nlfol.tasks.problem_texts import shown
from nlfol.training.trees import formula_tree, program_tree


class Likeness(StrEnum):
    """How an example gives a tested item away.

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
    """Which tested item an example gives away, and how."""

    place: Place
    likeness: Likeness


@dataclass(frozen=True, slots=True)
class Exam:
    """A dataset that is tested.

    Attributes:
        dataset: its name in the configuration.
        file: its PROBLEMS or TRIPLES file.
        holds_problems: which of the two.
    """

    dataset: str
    file: Path
    holds_problems: bool


@dataclass(slots=True)
class LeakFinder:
    """Knows the items of tested datasets, refused ones left out: these are asked of no model.

    Attributes:
        originals: of datasets in other words, the dataset of which they have the items.
    """

    originals: Mapping[str, str]
    _known: dict[tuple[Likeness, object], Place] = field(default_factory=dict)

    @classmethod
    def read(cls, tested: Iterable[Exam], originals: Mapping[str, str]) -> LeakFinder:
        """Read tested datasets.

        Raises:
            StoreError: if a file is missing or of another schema.
        """
        finder = cls(originals)
        for each in tested:
            for row in files.rows(each.file, PROBLEMS if each.holds_problems else TRIPLES):
                if row["status"] != "usable":
                    continue
                place = Place(each.dataset, row["item"])
                if each.holds_problems:
                    finder.add_problem(place, Problem.from_row(row))
                else:
                    finder.add_sentence(place, row["text"], row["language"], row["formula"])
        return finder

    def add_problem(self, place: Place, problem: Problem) -> None:
        """Take in a tested problem."""
        self._add(place, self._keys_of_problem(place, problem))
        self._add(place, [(Likeness.TEXT, _words(shown(problem)))])

    def add_sentence(self, place: Place, text: str, language: LanguageName, formula: str) -> None:
        """Take in a tested sentence."""
        self._add(place, self._keys_of_sentence(place, text, language, formula))

    def leak(self, place: Place, item: Item) -> Leak | None:
        """The tested item that an item gives away, or None.

        Args:
            place: where the item is from.
            item: it, with the solved examples that are shown before it.
        """
        if item.problem is not None:
            keys = self._keys_of_problem(place, item.problem)
        else:
            keys = self._keys_of_sentence(place, item.text, item.language, item.formula)
        shown_before = ((Likeness.TEXT, _words(exemplar.text)) for exemplar in item.exemplars)
        for key in [*keys, *shown_before]:
            if (found := self._known.get(key)) is not None:
                return Leak(found, key[0])
        return None

    def _add(self, place: Place, keys: Iterable[tuple[Likeness, object]]) -> None:
        for key in keys:
            self._known.setdefault(key, place)

    def _keys_of_problem(self, place: Place, problem: Problem) -> Iterator[tuple[Likeness, object]]:
        yield self._own(place)
        # The statements alone, where there are any: another question about them asks for the same program.
        said = problem.statements or (problem.question,)
        yield Likeness.TEXT, tuple(sorted(_words(statement.text) for statement in said))
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
        return Likeness.PROBLEM, Place(self.originals.get(place.dataset, place.dataset), place.item)


def _words(text: str) -> str:
    """A text but for capitals, punctuation and spaces; the signs of one that has no words."""
    found = re.findall(r"\w+", text.casefold())
    return " ".join(found) if found else "".join(text.split())
