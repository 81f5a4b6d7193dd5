"""Rewriting of problems: forms are dealt to mentions, decoys added, and the rewritten problem is certified."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from nlfol.problems.dialects import CONTROLLED, concepts_of, dialect_of
from nlfol.problems.dialects.dialect import BACKWARDS, THERE, Dialect, Place
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.references import OF_TWO, REFERENCES
from nlfol.problems.dialects.words import TAILS, DialectError
from nlfol.problems.lexicon import BASE, FRAME, Lexicon, Slot, Word
from nlfol.problems.problem import Mention, Problem, Reason, Rewrite, Statement
from nlfol.problems.rewording.backwards import holds_backwards
from nlfol.problems.rewording.certificate import certified, read_back
from nlfol.problems.rewording.decoys import with_decoys
from nlfol.problems.rewording.forms import UNCOUNTED, Refused, glossary, usable
from nlfol.randomness import generator

SYNTAX = "syntax"
"""The type of sentences in other syntax, as "anyone who is kind" for "if someone is kind"."""

LEVELS = {
    "synonym": "word",
    "part_of_speech": "word",
    "phrase": "phrase",
    FRAME: "phrase",
    "voice": "sentence",
    "reference": "sentence",
    SYNTAX: "sentence",
}
"""The level of each type of rewrites: of each kind of form, and of other syntax."""

TYPES = tuple(kind for kind in LEVELS if kind != FRAME)
"""The types that are used by default."""

_At = tuple[int, int]
"""The place of a statement, and a place in it; of its syntax the one before all others."""

_SYNTAX = -1

_TURNED = 0.5
"""The probability of other syntax beside other types, for a statement that has some."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of rewriting, and its controls; raises `ValueError` if a number is out of range or a type unknown.

    ``intensity`` is the share of the statements that are rewritten; those of a smaller share are among those of a
    larger one and read the same there. ``at_most`` is the largest number of mentions to rewrite in a problem, None for
    all. ``forms`` is the largest number of forms of a concept, its base form among them, None for all; references and
    participles do not count. With ``glossary``, one of the synonyms used stands before the problem. ``decoys`` is the
    number to add.
    """

    intensity: float = 1.0
    types: tuple[str, ...] = TYPES
    forms: int | None = None
    at_most: int | None = None
    glossary: bool = False
    decoys: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.intensity <= 1:
            raise ValueError(f"intensity {self.intensity}; use a share from 0 to 1")
        if unknown := [kind for kind in self.types if kind not in LEVELS]:
            raise ValueError(f"type {unknown[0]!r}; use some of {', '.join(LEVELS)}")
        if (self.at_most is not None and self.at_most < 0) or self.decoys < 0:
            raise ValueError("at_most and decoys are numbers from 0")
        if self.forms is not None and self.forms < 1:
            raise ValueError(f"forms {self.forms}; use a number from 1")


@dataclass(frozen=True, slots=True)
class Diversified:
    """A problem with its rewrites, certified, or refused with its reason; and the forms that were not used in it.

    ``repeats`` has, for each concept mentioned twice or more, its mentions less its forms: the fewest possible, given
    which forms fit where, unless ``at_most`` is set.
    """

    problem: Problem
    repeats: Mapping[str, int]
    refused: tuple[Refused, ...] = ()


def diversify(problem: Problem, lexicon: Lexicon, settings: Settings, *labels: str | int) -> Diversified:
    """Rewrite a problem that has a gold program, with the lexicon of ``nlfol.problems.forms.read_forms``.

    Draws are labelled, usually by the experiment's seed and the dataset, and by the problem's name.
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
        if SYNTAX in settings.types:
            draft.turn(only=len(settings.types) == 1)
        draft.deal(settings.types, settings.forms)
        statements, turned = draft.statements(settings.intensity, settings.at_most)
    except DialectError as error:
        return Diversified(problem.refused(Reason.NOT_READ_BACK, str(error)), {}, words.refused)
    made = certified(problem, [statement.text for statement in statements], dialect)
    if not made.is_usable:
        return Diversified(made, {}, words.refused)
    made = replace(made, rewrites=tuple(_rewrites(problem, made, turned)))
    if not made.rewrites and settings.intensity and settings.at_most != 0 and not settings.decoys:
        detail = f"{problem.name}: no form of the types asked for fits a statement"
        return Diversified(made.refused(Reason.NOT_REWRITTEN, detail), repeats(made), words.refused)
    if settings.glossary:
        mentions = [mention for sentence in made.sentences for mention in sentence.mentions]
        words_used = [Word(mention.concept, mention.form) for mention in mentions]
        plural = isinstance(dialect, Order) and dialect.is_plural
        first = glossary(words_used, words.lexicon, plural=plural)
        rewrites = tuple(rewrite._replace(statement=rewrite.statement + len(first)) for rewrite in made.rewrites)
        made = replace(made, statements=(*first, *made.statements), rewrites=rewrites)
    return Diversified(made, repeats(made), words.refused)


def repeats(problem: Problem) -> dict[str, int]:
    """Return, for each concept mentioned twice or more, its mentions less its forms."""
    counts: dict[str, Counter[str]] = {}
    for sentence in problem.sentences:
        for mention in sentence.mentions:
            counts.setdefault(mention.concept, Counter())[mention.form] += 1
    return {concept: forms.total() - len(forms) for concept, forms in counts.items() if forms.total() > 1}


_EACH, _SELDOM = 3, frozenset({*TAILS, THERE})
"""One of three statements may have a syntax that is rarely used twice in a row ("too", "There is no ... that")."""


class _Draft:
    def __init__(self, problem: Problem, dialect: Dialect, lexicon: Lexicon, random: Random) -> None:
        self._problem = problem
        self._dialect = dialect
        self._lexicon = lexicon
        self._trees = [
            None if statement.line is None else read_back(statement.text, statement, dialect, ())[0]
            for statement in problem.statements
        ]
        self._turned: dict[int, Any] = {}
        parsed = [number for number, tree in enumerate(self._trees) if tree is not None]
        self._order = random.sample(parsed, len(parsed))
        self._forms: dict[_At, str] = {}
        self._random = random

    def turn(self, *, only: bool) -> None:
        """Choose other syntax for statements, for each that has some if it is the only type; before forms are dealt."""
        backwards: bool | None = None
        for number in self._order:
            tree = self._trees[number]
            turns = self._dialect.turns(tree, self._trees[number - 1] if number else None)
            if backwards is None and any(turn.turn in BACKWARDS for turn in turns):
                backwards = holds_backwards(self._problem)
            turns = [turn for turn in turns if backwards or turn.turn not in BACKWARDS]
            turns = [turn for turn in turns if number % _EACH == 1 or turn.turn not in _SELDOM]
            is_odd = any(not turn.turn for turn in turns)
            # Half of the others stay, so that references have something to refer to.
            if turns and (only or is_odd or self._random.random() < _TURNED):
                self._turned[number] = self._random.choice(turns)

    def deal(self, types: Sequence[str], most: int | None) -> None:
        """Deal forms to mentions of repeated concepts, first of predicates, as verbs decide where references fit."""
        asked = Counter(
            mention.concept
            for sentence in (self._problem.question, *self._problem.options)
            for mention in sentence.mentions
        )
        for is_predicate in (True, False):
            mentions: dict[str, list[tuple[_At, Place]]] = {}
            for number in self._order:
                for index, place in enumerate(self._places(number)):
                    if self._lexicon.concepts[place.word.concept].category.is_predicate is is_predicate:
                        mentions.setdefault(place.word.concept, []).append(((number, index), place))
            for concept, places in mentions.items():
                if len(places) + asked[concept] > 1:
                    self._deal(concept, places, asked[concept], types, most)

    def statements(self, intensity: float, at_most: int | None) -> tuple[list[Statement], frozenset[int]]:
        """Return the statements, and the places of those in other syntax.

        The first share of them is rewritten, with at most so many mentions and changes of syntax.
        """
        share = set(self._order[: math.ceil(intensity * len(self._order) - 1e-9)])
        rank = {number: index for index, number in enumerate(self._order)}
        rewritten = [*self._forms, *((number, _SYNTAX) for number in self._turned)]
        chosen = sorted((at for at in rewritten if at[0] in share), key=lambda at: (rank[at[0]], at[1]))[:at_most]
        forms = {at: self._forms[at] for at in chosen if at[1] != _SYNTAX}
        turned = frozenset(number for number, index in chosen if index == _SYNTAX)
        statements = []
        for number, statement in enumerate(self._problem.statements):
            tree = self._turned[number] if number in turned else self._trees[number]
            statements.append(statement if tree is None else self._dialect.write(self._said(tree, number, forms)))
        return statements, turned

    def _deal(
        self, concept: str, places: list[tuple[_At, Place]], fixed: int, types: Sequence[str], most: int | None
    ) -> None:
        known = [form for form in self._lexicon.concepts[concept].forms.values() if form.kind in types]
        slots = frozenset[Slot]().union(*(place.slots for _, place in places))
        preferred = [form for form in self._random.sample(known, len(known)) if form.slot in slots]
        counted = [form for form in preferred if form.slot not in UNCOUNTED]
        left = frozenset(form.key for form in counted[: None if most is None else most - 1])
        usable = [form for form in preferred if form.key in left or form.slot in UNCOUNTED]
        fitting = [[form.key for form in usable if form.slot in place.slots] for _, place in places]
        for (at, _), form in zip(places, dealt(fitting, fixed), strict=True):
            if form != BASE:
                self._forms[at] = form

    def _places(self, number: int) -> list[Place]:
        tree = self._rewritten(number)
        rare = seldom(number, len(self._dialect.named(tree)))
        places = self._dialect.places(tree, self._named_before(number))
        return [place._replace(slots=place.slots - rare) for place in places]

    def _named_before(self, number: int) -> tuple[str, ...]:
        """Return what the statement before names, if it is the same whether that is rewritten or not."""
        original = self._trees[number - 1] if number else None
        if original is None:
            return ()
        named = self._dialect.named(original)
        return named if named == self._dialect.named(self._rewritten(number - 1)) else ()

    def _rewritten(self, number: int) -> Any:
        return self._said(self._turned.get(number, self._trees[number]), number, self._forms)

    def _said(self, tree: Any, number: int, forms: Mapping[_At, str]) -> Any:
        words = [place.word for place in self._dialect.places(tree, ())]
        changed = [word._replace(form=forms.get((number, index), word.form)) for index, word in enumerate(words)]
        return self._dialect.saying(tree, changed)


def seldom(number: int, named: int) -> frozenset[Slot]:
    """Return the slots that a statement with this many individuals may not use: nobody writes so twice in a row.

    "The former" is one of two that the sentence before calls by their names, and said in one sentence of four.
    """
    if number % 2:
        return frozenset(REFERENCES) if named == len(OF_TWO) else OF_TWO
    return frozenset({Slot.PASSIVE} if number % 4 else {Slot.PASSIVE, *OF_TWO})


def dealt(fitting: Sequence[Sequence[str]], fixed: int) -> list[str]:
    """Deal a form to each mention so that as few as possible share one.

    Mentions and the forms that can stand there are a bipartite graph; a largest matching gives the most mentions a form
    of their own. Mentions are matched one after another by augmenting paths (Kuhn 1955), which never take a form away
    from one that has its own. So the mentions matched are a largest number among the first n, for every n: if only the
    first statements are rewritten, they have as few repeats, too. Of m mentions, of which at most one is fixed, that k
    forms fit each, exactly max(0, m - k) repeat another's form.

    ``fitting`` lists for each mention the forms that fit beside the base form, the preferred ones first; ``fixed``
    counts further mentions with the base form.
    """
    owner: dict[str, int] = {}
    for mention in range(len(fitting)):
        _augment(mention, fitting, owner)
    forms = {mention: form for form, mention in owner.items()}
    used = Counter({BASE: fixed} | dict.fromkeys(owner, 1))
    for mention, fits in enumerate(fitting):
        if mention not in forms:
            forms[mention] = min((BASE, *fits), key=lambda form: used[form])
            used[forms[mention]] += 1
    return [forms[mention] for mention in range(len(fitting))]


def _augment(mention: int, fitting: Sequence[Sequence[str]], owner: dict[str, int]) -> None:
    """Give a mention a form of its own along a shortest augmenting path, if there is one."""
    asked_by: dict[str, int] = {}
    queue = [mention]
    for asking in queue:
        for form in fitting[asking]:
            if form in asked_by:
                continue
            asked_by[form] = asking
            if form in owner:
                queue.append(owner[form])
            else:
                _hand_on(form, mention, asked_by, owner)
                return


def _hand_on(free: str, mention: int, asked_by: dict[str, int], owner: dict[str, int]) -> None:
    """Move forms along the path: the free one to the mention that asked for it, its form to the next one."""
    while True:
        taker = asked_by[free]
        left = next((form for form, has in owner.items() if has == taker), "")
        owner[free] = taker
        if taker == mention:
            return
        free = left


def _rewrites(before: Problem, after: Problem, turned: frozenset[int]) -> Iterator[Rewrite]:
    """Yield the sentences in other syntax, and the mentions that changed.

    Mentions of one concept keep their order in a statement.
    """
    for number, (old, new) in enumerate(zip(before.statements, after.statements, strict=True)):
        if number in turned:
            yield Rewrite(number, LEVELS[SYNTAX], SYNTAX, old.text, new.text)
        was: dict[str, list[Mention]] = {}
        for mention in old.mentions:
            was.setdefault(mention.concept, []).append(mention)
        for mention in new.mentions:
            earlier = was[mention.concept].pop(0)
            if earlier.form != mention.form:
                kind = mention.form.partition(".")[0]
                words = old.text[earlier.start : earlier.end], new.text[mention.start : mention.end]
                yield Rewrite(number, LEVELS[kind], kind, *words)
