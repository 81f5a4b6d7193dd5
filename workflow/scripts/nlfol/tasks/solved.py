"""Problems that are shown solved before others: drawn ones, and those of ``resources/solved_examples.yaml``."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TypeVar

from nlfol.data.entries.block import shipped
from nlfol.data.entries.folio_questions import OPTIONS, QUESTION
from nlfol.mappings import JsonObject
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.families.drawing import QUESTION as OF_FAMILIES
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import TRUTHS, Mention, Problem, Statement, plain
from nlfol.problems.rewording import Settings, diversify
from nlfol.randomness import generator, label_digest, source_label
from nlfol.tasks.answers import REASONING
from nlfol.tasks.item import shown
from nlfol.tasks.task import Surroundings
from nlfol.validation import read_yaml

SOLVED = "resources/solved_examples.yaml"

T = TypeVar("T")


class Before:
    """Examples that can be shown before a problem; one in other words has the examples of its original.

    Of all tasks, ``draw`` is the same.
    """

    def __init__(self, problem: Problem, about: Surroundings) -> None:
        self.problem = about.originals.get(problem.name, problem)
        self.problems = list(about.originals.values()) or about.problems
        self.is_free = self.problem.family not in FAMILIES
        self.draw: Random = generator(about.seed, source_label(self.problem.name, shown(self.problem)), "exemplars")
        self._about = about

    def solved(
        self, count: int, solution: Callable[[Problem], T | None], *, varied: bool = False
    ) -> list[tuple[Problem, T]]:
        """Return so many problems with their solutions, or as many as there are; in several words if ``varied``.

        For a family's English they are drawn by the seed and the family alone, the same for all datasets; the second is
        the one in the file of solved examples that refines a concept. For free English they are those of the file.
        Those without a solution are left out; if none is left for free English, other problems of the dataset are
        drawn.
        """
        about, family = self._about, self.problem.family
        if not self.is_free:
            own_seed = int.from_bytes(label_digest(about.seed, family, "exemplars")[:8])
            drawn = _drawn(family, own_seed, count, about.lexicon(), about.forms() if varied else None)
            examples = _with((problem for problem in drawn if problem.statements != self.problem.statements), solution)
            examples[1:1] = _with(solved("controlled", varied=varied), solution)
            return examples[:count]
        if examples := _with(solved("free", varied=varied), solution):
            return examples[:count]
        # Of other statements, because the lines of the same ones would be those asked for.
        others = [problem for problem in self.problems if problem.context != self.problem.context]
        others = [problem for problem, _ in _with(others, solution)]
        return _with(self.draw.sample(others, min(count, len(others))), solution)


def _with(problems: Iterable[Problem], solution: Callable[[Problem], T | None]) -> list[tuple[Problem, T]]:
    return [(problem, result) for problem in problems if (result := solution(problem)) is not None]


@lru_cache(maxsize=64)
def _drawn(family: str, seed: int, count: int, lexicon: Lexicon, forms: Lexicon | None) -> Sequence[Problem]:
    """Draw problems of a family; with forms, in other words, or as they are if these cannot be read back."""
    drawn = generate(family, seed=seed, count=count, lexicon=lexicon)
    if forms is None:
        return drawn
    varied = [diversify(problem, forms, Settings(), seed).problem for problem in drawn]
    return [other if other.is_usable else problem for problem, other in zip(drawn, varied, strict=True)]


_MENTION = re.compile(r"\[([^|\[\]]+)\|([^\]]+)\]")


@lru_cache(maxsize=4)
def solved(kind: str, *, varied: bool) -> Sequence[Problem]:
    """Return the problems of a kind, ``free`` or ``controlled``, in their own words or in others.

    A mention's concept is a symbol, or for two that the words mean at once, both with a blank between them.
    """
    given: Sequence[JsonObject] = read_yaml(Path(shipped(SOLVED)))[kind]
    language, asked, options = _AS_ASKED[kind]
    return [
        Problem(
            entry["name"],
            "free",
            language,
            tuple(
                _statement(statement.get("varied", statement["text"]) if varied else statement["text"], statement)
                for statement in entry["statements"]
            ),
            _statement(entry["question"]["text"], entry["question"]).after(asked),
            options,
            entry["answer"],
        )
        for entry in given
    ]


@lru_cache(maxsize=1)
def reasonings() -> Mapping[str, str]:
    """Return what leads to the answers of the file's problems in free English, by their statements as one text."""
    problems, given = solved("free", varied=False), read_yaml(Path(shipped(SOLVED)))["free"]
    return {problem.context: about[REASONING] for problem, about in zip(problems, given, strict=True)}


_AS_ASKED = {"free": ("formulas", QUESTION, plain(OPTIONS)), "controlled": ("clauses", OF_FAMILIES, TRUTHS)}


def _statement(marked: str, given: Mapping[str, str]) -> Statement:
    text, mentions = "", []
    parts = _MENTION.split(marked)
    for before, words, symbol in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        text += before
        mentions.append(Mention(len(text), len(text) + len(words), symbol, "said"))
        text += words
    return Statement(text + parts[-1], given["line"], tuple(mentions))
