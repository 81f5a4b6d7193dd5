"""Formulas in a vocabulary of their own, judged by definitions of the gold concepts in it, for a whole story.

A gold concept may be another symbol; a predicate with a constant filled into its last argument, on either side
(``Drinks(x)`` is ``Drink(x, coffee)``); the negation of a symbol, if words say so; two symbols together (split); or it
may share a symbol with another concept (joined). A line is proven if some definitions make gold equivalent to it. Those
of a story agree: one definition a concept, one form a predicate.

Up to names, "all cats are dogs" is its converse. So a line is *anchored* only if words tell each definition that it
needs: its name shares a word with the concept's, and tells the order of arguments, and no exchange with another symbol
of the story is as near. An invented name stays *unanchored*, also if it is the only one left.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice
from typing import NamedTuple, Self

from nlfol.logic import Formula
from nlfol.logic.syntax import And, Atom, Constant, Not, fold, subformulas, with_children
from nlfol.problems.alignment.one_map import Assignment, agreeing, agrees
from nlfol.problems.alignment.renamings import Search, one_to_one, reduced
from nlfol.problems.alignment.wording import LEAST, Nearness, Said, agree_on_digits, digits, said, stems
from nlfol.problems.programs.formulas.maps import remembered as numbered
from nlfol.problems.programs.images import TooManyError
from nlfol.problems.programs.symbols import Conjunct, Symbol, SymbolKind

MAX_FORMS = 24
"""Choices of forms of a line's predicates that are tried."""

MAX_FILLED = 4
"""Predicates of a line with constants filled in."""

MAX_MAPS = 8
"""Proven maps of a line that are kept."""

MAX_OCCURRENCES = 400
"""Subformulas of a formula that is judged."""

MAX_CHECKS = 2_000
MAX_PROOFS = 80
"""Maps of a line that are tried, and of these proofs that are asked for."""

Glosses = Mapping[Symbol, str]


class Known(StrEnum):
    """Verdicts on a line: proven by definitions that words tell, by others, or not proven."""

    ANCHORED = "anchored"
    UNANCHORED = "unanchored"
    NO = "no"


@dataclass(frozen=True, slots=True)
class StoryVerdict:
    """The verdict on each line, and whether it needs more than other symbols; the anchored definitions in words."""

    lines: tuple[Known, ...]
    defined: tuple[bool, ...]
    definitions: tuple[str, ...]


class _Form(NamedTuple):
    """A symbol as it counts in a line: as it is, with a constant filled in, or as one of two parts of a predicate."""

    symbol: Symbol
    constant: str = ""
    part: int = 0

    @property
    def placed(self) -> Symbol:
        """Return the symbol that stands for it in formulas."""
        if not self.constant and not self.part:
            return self.symbol
        name = f"{self.symbol.name}__{self.constant}__{self.part}"
        return Symbol(self.symbol.kind, name, self.symbol.arity - bool(self.constant))


class _Link(NamedTuple):
    """A concept's form, the form that it is defined by, and which of the concept's arguments stand there."""

    gold: _Form
    other: _Form
    places: tuple[int, ...]

    @property
    def forms(self) -> tuple[_Form, _Form]:
        """Return both forms, gold's first."""
        return self.gold, self.other

    @property
    def assignment(self) -> Assignment:
        """Return what no other link of the story may contradict."""
        assignment: dict[tuple[object, ...], object] = {
            self.gold.placed: (self.other, self.places),
            ("image", self.other): self.gold,
        }
        for number, form in enumerate(self.forms):
            assignment["form", number, form.symbol] = bool(form.constant), bool(form.part)
            if form.constant:
                assignment["filled", form.symbol.arity] = number
        return assignment


@dataclass(frozen=True, slots=True)
class _Side:
    """The symbols of one side of a story, with what they say.

    ``denials`` are predicates named by a negation. ``fillings`` are the last arguments of predicates that have a
    constant there wherever they occur.
    """

    said: Mapping[Symbol, Said]
    denials: frozenset[Symbol]
    fillings: Mapping[Symbol, frozenset[str]]

    @classmethod
    def of(cls, own: Glosses, others: Iterable[Symbol], formulas: Iterable[Formula]) -> Self:
        last: dict[Symbol, set[str]] = {}
        for node in (node for formula in formulas for _, node in subformulas(formula)):
            if isinstance(node, Atom) and len(node.arguments) > 1:
                end = node.arguments[-1]
                last.setdefault(_predicate(node), set()).add(end.name if isinstance(end, Constant) else "")
        spoken, denials = said(own, others)
        return cls(spoken, denials, {symbol: frozenset(ends) for symbol, ends in last.items() if "" not in ends})

    def says(self, form: _Form) -> Said:
        own = self.said[form.symbol]
        return own.filled_with(self.said[Symbol(SymbolKind.CONSTANT, form.constant, 0)]) if form.constant else own

    def forms(self) -> Iterator[_Form]:
        for symbol in self.said:
            yield _Form(symbol)
            yield from (_Form(symbol, name) for name in sorted(self.fillings.get(symbol, ())))

    def written(self, formula: Formula, chosen: Mapping[Symbol, bool]) -> tuple[Formula, dict[Symbol, _Form]]:
        """Return a formula with predicates filled (true) or in parts (false), and the forms that stand in it."""
        placed: dict[Symbol, _Form] = {}

        def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
            if not isinstance(node, Atom):
                return with_children(node, parts)
            symbol, arguments = _predicate(node), node.arguments
            forms = [_Form(symbol)]
            if symbol in chosen and chosen[symbol] and isinstance(end := arguments[-1], Constant):
                forms, arguments = [_Form(symbol, end.name)], arguments[:-1]
            elif symbol in chosen:
                forms = [_Form(symbol, part=1), _Form(symbol, part=2)]
            placed.update((form.placed, form) for form in forms)
            atoms = [Atom(form.placed.name, arguments) for form in forms]
            joined = atoms[0] if len(atoms) == 1 else And(*atoms)
            return Not(joined) if symbol in self.denials else joined

        return fold(formula, step), placed


def judge_story(
    gold: Sequence[Sequence[Formula]],
    other: Sequence[Formula | None],
    sentences: Sequence[str],
    concepts: Glosses,
    declared: Glosses,
) -> StoryVerdict:
    """Judge the closed formulas of a story's lines, None where there is none, each against the readings of gold.

    ``concepts`` and ``declared`` have the glosses of gold's and of the other's symbols, as far as there are any. Raises
    ``ValueError`` if there are not as many readings as formulas and sentences.
    """
    story = _Story(gold, other, concepts, declared)
    lines = list(zip(gold, other, sentences, strict=True))
    options = [[*story.maps(*line, told=True)] for line in lines]
    strict = story.chosen(options)
    links = Counter(link for of_line in strict for link in of_line)
    # Lines that no map of the story fits speak for other definitions of their concepts.
    lost = [given[0] for given, of_line in zip(options, strict, strict=True) if given and not of_line]
    rivals = Counter(link.gold.symbol for of_line in lost for link in of_line if link not in links)
    anchored = [
        bool(of_line) and all(links[link] > rivals[link.gold.symbol] and story.stands(link, links) for link in of_line)
        for of_line in strict
    ]
    anchors = [of_line if known else () for of_line, known in zip(strict, anchored, strict=True)]
    needed = dict.fromkeys(link for of_line in anchors for link in of_line)
    free = [[] if known else [*story.maps(*line, told=False)] for line, known in zip(lines, anchored, strict=True)]
    loose = story.chosen(free, needed)
    verdicts = [
        Known.ANCHORED if known else Known.UNANCHORED if of_line else Known.NO
        for known, of_line in zip(anchored, loose, strict=True)
    ]
    defined = [any(map(story.is_defined, of_line or other)) for of_line, other in zip(anchors, loose, strict=True)]
    return StoryVerdict(tuple(verdicts), tuple(defined), tuple(map(story.shown, needed)))


class _Story:
    def __init__(
        self, gold: Sequence[Sequence[Formula]], other: Sequence[Formula | None], concepts: Glosses, declared: Glosses
    ) -> None:
        formulas = (
            [reading for readings in gold for reading in readings],
            [formula for formula in other if formula is not None],
        )
        ours, theirs = (
            {symbol: "" for formula in side for symbol in numbered(formula).symbols} | dict(glosses)
            for side, glosses in zip(formulas, (concepts, declared), strict=True)
        )
        self.sides = _Side.of(ours, theirs, formulas[0]), _Side.of(theirs, ours, formulas[1])
        self.near = Nearness(words for side in self.sides for words in side.said.values())

    def says(self, link: _Link) -> tuple[Said, Said]:
        return self.sides[0].says(link.gold), self.sides[1].says(link.other)

    def nearness(self, link: _Link) -> float:
        return self.near(*self.says(link))

    def maps(
        self, readings: Sequence[Formula], formula: Formula | None, sentence: str, *, told: bool
    ) -> Iterator[tuple[_Link, ...]]:
        """Yield proven maps of a line, of plain symbols first; with ``told``, those of which words tell each link."""
        if formula is None or any(each.profile.occurrences > MAX_OCCURRENCES for each in (*readings, formula)):
            return
        pairs = (
            (reading, chosen) for reading in readings for chosen in islice(self._forms(reading, formula), MAX_FORMS)
        )
        proven = (
            links
            for reading, chosen in pairs
            for links in self._proven(reading, formula, chosen, sentence if told else None)
        )
        yield from islice(proven, MAX_MAPS)

    def _forms(self, reading: Formula, formula: Formula) -> Iterator[list[dict[Symbol, bool]]]:
        """Yield choices of forms by side: symbols as they are, then with constants filled in, or one in parts."""
        predicates = [
            [symbol for symbol in numbered(each).symbols if symbol.kind is SymbolKind.PREDICATE]
            for each in (reading, formula)
        ]
        fillable, parted = [], []
        for number, (side, there) in enumerate(zip(self.sides, reversed(predicates), strict=True)):
            for symbol in predicates[number]:
                if symbol in side.fillings and any(other.arity == symbol.arity - 1 for other in there):
                    fillable.append((number, symbol))
                words = side.said[symbol].all
                near = [
                    other
                    for other in there
                    if other.arity == symbol.arity and words & self.sides[1 - number].said[other].head
                ]
                if len(near) > 1:
                    parted.append((number, symbol))
        for size in range(min(len(fillable), MAX_FILLED) + 1):
            for subset in combinations(fillable, size):
                ours, theirs = ({symbol for side, symbol in subset if side == number} for number in (0, 1))
                if {symbol.arity for symbol in ours}.isdisjoint(symbol.arity for symbol in theirs):
                    yield [dict.fromkeys(ours, True), dict.fromkeys(theirs, True)]
        for number, symbol in parted:
            yield [{symbol: False} if number == side else {} for side in (0, 1)]

    def _proven(
        self, reading: Formula, formula: Formula, chosen: Sequence[Mapping[Symbol, bool]], sentence: str | None
    ) -> Iterator[tuple[_Link, ...]]:
        (gold, ours), (other, theirs) = (
            side.written(formula, forms)
            for side, formula, forms in zip(self.sides, (reading, formula), chosen, strict=True)
        )

        def link(concept: Symbol, part: Conjunct) -> _Link:
            forms = ours.get(concept, _Form(concept)), theirs.get(part.symbol, _Form(part.symbol))
            return _Link(*forms, part.places)

        def allowed(concept: Symbol, part: Conjunct) -> bool:
            return sentence is None or self._is_told(link(concept, part), sentence)

        search = Search(checks=MAX_CHECKS, proofs=MAX_PROOFS)
        try:
            for images in one_to_one(reduced(gold), reduced(other), search, None, allowed):
                links = tuple(link(concept, image[0]) for concept, image in images.items())
                if links and self._is_covered(links):
                    yield links
        except TooManyError:
            return

    def _is_told(self, link: _Link, sentence: str) -> bool:
        """Return whether words tell that a form stands for a concept's, with its arguments in this order."""
        ours, theirs = self.says(link)
        if self.near(ours, theirs) <= LEAST or not agree_on_digits(ours, theirs):
            return False
        if link.gold.symbol.kind is SymbolKind.CONSTANT:
            return True
        is_named = bool(ours.head & theirs.head) or "" != ours.spelled == theirs.spelled
        if not is_named and not (ours.head <= theirs.gloss or theirs.head <= ours.gloss):
            return False
        if not is_named and ours.gloss and theirs.gloss and digits(ours.gloss) != digits(theirs.gloss):
            return False
        if link.gold.constant or link.other.constant:
            is_said = ours.filled <= theirs.all and theirs.filled <= ours.all | set(stems(sentence))
            if not is_said or ours.by is not theirs.by or not ours.head <= theirs.all:
                return False
        if link.gold.part or link.other.part:
            parts = (theirs.head, ours.all) if link.gold.part else (ours.head, theirs.all)
            if not parts[0] <= parts[1] or any(
                form.symbol in side.denials for form, side in zip(link.forms, self.sides, strict=True)
            ):
                return False
        if len(link.places) < 2:
            return True
        plain = tuple(range(len(link.places)))
        return is_named and link.places == (plain if ours.by is theirs.by else plain[::-1] if len(plain) == 2 else ())

    def _is_covered(self, links: Sequence[_Link]) -> bool:
        """Return whether the counterparts of a predicate's two parts, in order, say all that its name says."""
        for number in (0, 1):
            parts = sorted(
                (link for link in links if link.forms[number].part), key=lambda link: link.forms[number].part
            )
            if parts:
                whole = self.sides[number].said[parts[0].forms[number].symbol]
                heads = [self.sides[1 - number].said[link.forms[1 - number].symbol].head for link in parts]
                if (
                    len(parts) != 2
                    or parts[0].forms[1 - number] > parts[1].forms[1 - number]
                    or not whole.head <= heads[0] | heads[1]
                ):
                    return False
        return True

    def chosen(
        self, options: Sequence[Sequence[tuple[_Link, ...]]], known: Iterable[_Link] = ()
    ) -> list[tuple[_Link, ...]]:
        """Return maps for as many lines as can agree with one another and with links that are known; else nothing."""
        base = _assigned(known)
        by_line = []
        for ways in options:
            ranked = sorted(ways, key=lambda links: -sum(map(self.nearness, links)) / len(links))
            given = [(links, _assigned(links)) for links in ranked]
            by_line.append([(links, assignment) for links, assignment in given if agrees(assignment, base)])
        _, best, _ = agreeing([[assignment for _, assignment in of_line] for of_line in by_line])
        return [
            next((links for links, assignment in of_line if assignment.items() <= best.items()), ())
            for of_line in by_line
        ]

    def stands(self, link: _Link, links: Iterable[_Link]) -> bool:
        """Return whether no exchange with another link of the story, or with a symbol that has none, is as near."""
        nearness = self.nearness(link)
        ours, theirs = self.says(link)
        taken: tuple[set[Symbol], set[Symbol]] = set(), set()
        for rival in links:
            gold, other = self.says(rival)
            for number in (0, 1):
                taken[number].add(rival.forms[number].symbol)
            is_alike = rival.gold.placed.kind is link.gold.placed.kind and len(rival.places) == len(link.places)
            is_other = rival.gold.symbol != link.gold.symbol and rival.other.symbol != link.other.symbol
            if is_alike and is_other:
                crossed = self.near(ours, other) + self.near(gold, theirs)
                if crossed >= nearness + self.near(gold, other):
                    return False
            implied = not theirs.filled <= ours.all
            if implied and rival != link and link.other.constant in (rival.other.symbol.name, rival.other.constant):
                return False
        for number, side in enumerate(self.sides):
            for form in side.forms():
                if form.symbol.kind is link.gold.symbol.kind and (
                    form.symbol not in taken[number]
                    or (
                        form.symbol == link.forms[number].symbol
                        and form.constant
                        and link.forms[number].constant
                        and form != link.forms[number]
                    )
                ):
                    spoken = side.says(form)
                    if self.near(*((spoken, theirs) if number == 0 else (ours, spoken))) >= nearness:
                        return False
        return True

    def is_defined(self, link: _Link) -> bool:
        """Return whether a link is more than another symbol."""
        denied = [form.symbol in side.denials for form, side in zip(link.forms, self.sides, strict=True)]
        return any(form.constant or form.part for form in link.forms) or denied[0] is not denied[1]

    def shown(self, link: _Link) -> str:
        """Return a definition in words: ``Drinks(x) is Drink(x, coffee)``."""
        letters = "xyzuvw"[: len(link.places)] if len(link.places) < 7 else [f"x{n}" for n in range(len(link.places))]
        shown = []
        for form, side, order in zip(link.forms, self.sides, (range(len(letters)), link.places), strict=True):
            arguments = [*(letters[index] for index in order), *filter(None, [form.constant])]
            atom = form.symbol.name + (f"({', '.join(arguments)})" if arguments else "")
            shown.append(f"¬{atom}" if form.symbol in side.denials else atom)
        return " is ".join(shown) if not link.gold.part else f"{shown[0]} is part {link.gold.part}: {shown[1]}"


def _assigned(links: Iterable[_Link]) -> Assignment:
    return {name: value for link in links for name, value in link.assignment.items()}


def _predicate(atom: Atom) -> Symbol:
    return Symbol(SymbolKind.PREDICATE, atom.predicate, len(atom.arguments))
