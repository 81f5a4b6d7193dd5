"""Saying a problem in other words: which mentions, in which forms, and whether it is still the same problem."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from nlfol.diversification.certificate import certified, read_back
from nlfol.diversification.dealing import dealt
from nlfol.diversification.decoys import with_decoys
from nlfol.diversification.forms import Refused, usable
from nlfol.diversification.glossary import glossary
from nlfol.diversification.settings import Settings
from nlfol.problems.dialects.diversified import CONTROLLED, Dialect, Place, concepts_of, dialect_of
from nlfol.problems.dialects.diversified.order import Order
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import BASE, Lexicon, Word
from nlfol.problems.problem import Mention, Problem, Reason, Rewrite, Statement
from nlfol.randomness import generator

LEVELS = {"synonym": "word", "part_of_speech": "word", "phrase": "phrase", "voice": "sentence", "reference": "sentence"}
"""What a form of each kind rewrites."""


_At = tuple[int, int]
"""A place: that of the statement, and that in it."""


@dataclass(frozen=True, slots=True)
class Diversified:
    """A problem in other words.

    Attributes:
        problem: with its rewrites, certified; or refused with its reason.
        repeats: of each concept mentioned twice or more, how many mentions have a form that another has, too: mentions
            less forms. As few as there can be, given which forms fit where, unless ``at_most`` is set.
        refused: forms that were not used in it.
    """

    problem: Problem
    repeats: Mapping[str, int]
    refused: tuple[Refused, ...] = ()


def diversify(problem: Problem, lexicon: Lexicon, settings: Settings, *labels: str | int) -> Diversified:
    """The problem in other words.

    Args:
        problem: in the English of a family, with its gold program.
        lexicon: of ``nlfol.problems.forms.read_forms``.
        settings: what is rewritten, and which controls are added.
        labels: of the draws, usually the experiment's seed and the dataset; the problem's name is another.
    """
    if not problem.is_usable:
        return Diversified(problem, {})
    if problem.family not in CONTROLLED or problem.language is None:
        detail = f"the English of {problem.name} is of no family's, so other words could not be read back"
        return Diversified(problem.refused(Reason.NOT_CONTROLLED, detail), {})
    if settings.decoys:
        drawn = generator(*labels, problem.name, "decoys")
        problem = with_decoys(problem, settings.decoys, lexicon, drawn)
        if not problem.is_usable:
            return Diversified(problem, {})
    words = usable(concepts_of(problem, lexicon), lexicon)
    try:
        dialect = dialect_of(problem, words.lexicon)
        draft = _Draft(problem, dialect, words.lexicon, generator(*labels, problem.name, "diversified"))
        draft.deal(settings.types)
        statements = draft.statements(settings.intensity, settings.at_most)
    except DialectError as error:
        return Diversified(problem.refused(Reason.NOT_READ_BACK, str(error)), {}, words.refused)
    made = certified(problem, [statement.text for statement in statements], dialect)
    if not made.is_usable:
        return Diversified(made, {}, words.refused)
    made = replace(made, rewrites=tuple(_rewrites(problem, made)))
    if settings.glossary:
        mentions = [mention for each in sentences_of(made) for mention in each.mentions]
        said = [Word(mention.concept, mention.form) for mention in mentions]
        plural = isinstance(dialect, Order) and dialect.is_plural
        first = glossary(said, words.lexicon, plural=plural)
        rewrites = tuple(each._replace(statement=each.statement + len(first)) for each in made.rewrites)
        made = replace(made, statements=(*first, *made.statements), rewrites=rewrites)
    return Diversified(made, repeats(made), words.refused)


def sentences_of(problem: Problem) -> tuple[Statement, ...]:
    """All sentences that mentions are counted in."""
    return (*problem.statements, problem.question, *problem.options)


def repeats(problem: Problem) -> dict[str, int]:
    """Of each concept mentioned twice or more, its mentions less its forms."""
    found: dict[str, Counter[str]] = {}
    for sentence in sentences_of(problem):
        for mention in sentence.mentions:
            found.setdefault(mention.concept, Counter())[mention.form] += 1
    return {concept: forms.total() - len(forms) for concept, forms in found.items() if forms.total() > 1}


class _Draft:
    """The trees of a problem's statements, and which of their places have which forms."""

    def __init__(self, problem: Problem, dialect: Dialect, lexicon: Lexicon, random: Random) -> None:
        self._problem = problem
        self._dialect = dialect
        self._lexicon = lexicon
        self._trees = [
            None if statement.line is None else read_back(statement.text, statement, dialect, None)[0]
            for statement in problem.statements
        ]
        told = [number for number, tree in enumerate(self._trees) if tree is not None]
        self._order = random.sample(told, len(told))
        self._forms: dict[_At, str] = {}
        self._random = random

    def deal(self, types: Sequence[str]) -> None:
        """Give mentions of repeated concepts their forms: first of predicates, as verbs decide where references fit."""
        asked = Counter(
            mention.concept for each in (self._problem.question, *self._problem.options) for mention in each.mentions
        )
        for is_predicate in (True, False):
            mentions: dict[str, list[tuple[_At, Place]]] = {}
            for number in self._order:
                for place, found in enumerate(self._places(number)):
                    if self._lexicon.concepts[found.word.concept].category.is_predicate is is_predicate:
                        mentions.setdefault(found.word.concept, []).append(((number, place), found))
            for concept, places in mentions.items():
                if len(places) + asked[concept] > 1:
                    self._deal(concept, places, asked[concept], types)

    def statements(self, intensity: float, at_most: int | None) -> list[Statement]:
        """The statements, the first share of them in other words, with at most so many mentions rewritten."""
        share = set(self._order[: math.ceil(intensity * len(self._order) - 1e-9)])
        rank = {number: place for place, number in enumerate(self._order)}
        chosen = sorted((at for at in self._forms if at[0] in share), key=lambda at: (rank[at[0]], at[1]))
        forms = {at: self._forms[at] for at in chosen[:at_most]}
        return [
            statement if tree is None else self._dialect.write(self._said(number, forms))
            for number, (tree, statement) in enumerate(zip(self._trees, self._problem.statements, strict=True))
        ]

    def _deal(self, concept: str, places: list[tuple[_At, Place]], fixed: int, types: Sequence[str]) -> None:
        known = [form for form in self._lexicon.concepts[concept].forms.values() if form.kind in types]
        preferred = self._random.sample(known, len(known))
        fitting = [[form.key for form in preferred if form.slot in place.slots] for _, place in places]
        for (at, _), form in zip(places, dealt(fitting, fixed), strict=True):
            if form != BASE:
                self._forms[at] = form

    def _places(self, number: int) -> list[Place]:
        before = self._trees[number - 1] if number else None
        topic = None if before is None else self._dialect.topic(before)
        return self._dialect.places(self._said(number, self._forms), topic)

    def _said(self, number: int, forms: Mapping[_At, str]) -> Any:
        """The tree of a statement with the forms of its places."""
        tree = self._trees[number]
        words = [place.word for place in self._dialect.places(tree, None)]
        changed = [word._replace(form=forms.get((number, place), word.form)) for place, word in enumerate(words)]
        return self._dialect.saying(tree, changed)


def _rewrites(before: Problem, after: Problem) -> Iterator[Rewrite]:
    """What became of the mentions; those of one concept are in one order in a statement, however it is said."""
    for number, (old, new) in enumerate(zip(before.statements, after.statements, strict=True)):
        was: dict[str, list[Mention]] = {}
        for mention in old.mentions:
            was.setdefault(mention.concept, []).append(mention)
        for mention in new.mentions:
            earlier = was[mention.concept].pop(0)
            if earlier.form != mention.form:
                kind = mention.form.partition(".")[0]
                words = old.text[earlier.start : earlier.end], new.text[mention.start : mention.end]
                yield Rewrite(number, LEVELS[kind], kind, *words)
