"""Statements to lint: sentences with formulas, in stories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

from nlfol.logic import FormulaSyntaxError, SignatureError, entails, read_decided
from nlfol.logic.measuring import bound_variables, signature
from nlfol.logic.naming import words
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import QUANTIFIED, Formula, Not, Quantified, distinct_subformulas
from nlfol.logic.trees import Symbol

_LEAST = 4
"""Letters that two words must share from the first on, to be forms of one word."""

_SMALL = frozenset(words("And At By Can Do Does For From Get Has Have In Into No Not Of On Or Over Than To With"))
"""Words that say nothing by themselves; of a name that has others they are passed over."""

_IRREGULAR = (
    "man men gentleman gentlemen", "woman women", "person people human someone everyone one who", "child children kid",
    "go went", "fall fell fallen", "buy bought", "win won", "write wrote written", "lose lost", "bear born", "eat ate",
    "have had", "is was", "lead led", "mouse mice", "france french", "run ran", "sell sold", "teach taught",
)  # fmt: skip
_LEMMAS = {form: forms.split()[0] for forms in _IRREGULAR for form in forms.split()}

_SHIFTED = 1.0
"""Gain in fit above which no training story of FOLIO has a finding (``benchmarks/lint.py``)."""

_SIGNS = re.compile(r"\W+|_")
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a text; ``joined`` are its letters and digits, as symbols write names of several words."""

    stems: tuple[str, ...]
    joined: str

    @classmethod
    def of(cls, text: str) -> Spoken:
        """Split a text."""
        return cls(tuple(_LEMMAS.get(word, word) for word in words(text)), _SIGNS.sub("", text.lower()))

    def places(self, name: str) -> list[int]:
        """Return where the text has words of a symbol's name, counted in words."""
        firsts = (
            next((at for at, own in enumerate(self.stems) if _may_be(stem, own)), None) for stem in stems_of(name)
        )
        positions = [position for position in firsts if position is not None]
        if positions or len(name) < _LEAST:
            return positions
        flat = _SIGNS.sub("", name.lower())
        inside = [position for position, own in enumerate(self.stems) if len(own) >= _LEAST and own in flat]
        return inside or ([0] if flat in self.joined else [])

    def says(self, name: str) -> bool:
        """Return whether the text has a word of a symbol's name."""
        return bool(self.places(name))

    def has_all(self, name: str) -> bool:
        """Return whether the text has a form of each word of a symbol's name."""
        return all(any(_is_form(stem, own) for own in self.stems) for stem in stems_of(name))

    def spells(self, name: str) -> bool:
        """Return whether the text has the words of a symbol's name as they are."""
        return set(stems_of(name)) <= set(self.stems) or _SIGNS.sub("", name.lower()) in self.joined


def stems_of(name: str) -> tuple[str, ...]:
    """Return the words of a symbol's name that say something."""
    stems = [_LEMMAS.get(word, word) for word in words(name)]
    return tuple(word for word in stems if word not in _SMALL) or tuple(stems)


def _may_be(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return _is_form(one, other) or (len(short) >= 3 and long.startswith(short) and len(long) <= 2 * len(short))


def _is_form(one: str, other: str) -> bool:
    shared = len(commonprefix([one, other]))  # noqa: RUF071 (words are no paths)
    return one == other or (shared >= _LEAST and shared >= 0.6 * max(len(one), len(other)))


@dataclass(frozen=True)
class Statement:
    """A sentence and its formula as written; a conclusion is no part of what a story holds for true."""

    id: str
    text: str
    written: str
    line: int = 0
    is_conclusion: bool = False

    @cached_property
    def spoken(self) -> Spoken:
        """Return the words of the sentence."""
        return Spoken.of(self.text)

    @cached_property
    def lower(self) -> str:
        """Return the sentence in lower case with plain apostrophes."""
        return self.text.strip().lower().replace("’", "'")

    @cached_property
    def reading(self) -> Formula | str:
        """Return the formula, or why the text is none; names alone are letters where it is none otherwise."""
        problem = ""
        for propositions in (False, True):
            try:
                return read_decided(self.written, propositions=propositions).formula
            except FormulaSyntaxError as error:
                problem = problem or error.problem
        return problem

    @property
    def formula(self) -> Formula | None:
        """Return the formula; None if the text is none."""
        return None if isinstance(self.reading, str) else self.reading

    @cached_property
    def parts(self) -> tuple[Formula, ...]:
        """Return the distinct subformulas."""
        return () if self.formula is None else tuple(distinct_subformulas(self.formula))

    @cached_property
    def prefix(self) -> tuple[tuple[Quantified, ...], Formula | None]:
        """Return the quantifiers in front, and what they stand before."""
        return ((), None) if self.formula is None else stripped(self.formula)

    @cached_property
    def names_variables(self) -> bool:
        """Return whether the sentence names variables of the formula, and so says itself what they range over."""
        bound = {variable.name for variable in bound_variables(self.formula)} if self.formula is not None else set()
        return not bound.isdisjoint(_TOKEN.findall(self.text))

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Return the symbols of the formula."""
        return self.formula.profile.symbols if self.formula is not None else frozenset()


def stripped(formula: Formula) -> tuple[tuple[Quantified, ...], Formula]:
    """Return the quantifiers in front of a formula, and what they stand before."""
    quantifiers = []
    while isinstance(formula, QUANTIFIED):
        quantifiers.append(formula)
        formula = formula.body
    return tuple(quantifiers), formula


@dataclass(frozen=True)
class Story:
    """Statements that share their symbols, and these symbols' ontology, if there is one."""

    statements: Sequence[Statement]
    ontology: Ontology | None = None

    @cached_property
    def uses(self) -> Counter[Symbol]:
        """Return how many statements use each symbol."""
        return Counter(symbol for statement in self.statements for symbol in statement.symbols)

    @cached_property
    def spoken(self) -> dict[Symbol, int]:
        """Return how many statements use each symbol and have a word of it in their sentence."""
        users = {
            symbol: [statement for statement in self.statements if symbol in statement.symbols] for symbol in self.uses
        }
        return {symbol: sum(statement.spoken.says(symbol[1]) for statement in using) for symbol, using in users.items()}

    @cached_property
    def shifted(self) -> tuple[Sequence[Statement], int]:
        """Return neighbours whose sentences fit the formulas before (-1) or after (1) their own; none if unshifted.

        A formula fits a sentence by the share of its symbols that the sentence has words of; a symbol that few
        statements use counts more. What the neighbours gain together is at least ``_SHIFTED``, and two gain.
        """
        chosen: tuple[Sequence[Statement], int] = (), 0
        most = _SHIFTED
        stated = [statement for statement in self.statements if not statement.is_conclusion]
        for step in (-1, 1):
            start, gain, gaining = 0, 0.0, 0
            for place in range(max(0, -step), len(stated) - max(0, step)):
                own, beside = stated[place], stated[place + step]
                more = self._fit(own, beside) - self._fit(own, own)
                gain, gaining = gain + more, gaining + (more > 0)
                if gain <= 0:
                    start, gain, gaining = place + 1, 0.0, 0
                elif gain >= most and more > 0 and gaining > 1:
                    chosen, most = (stated[start : place + 1], step), gain
        return chosen

    def _fit(self, sentence: Statement, formula: Statement) -> float:
        weights = {symbol: 1 / self.uses[symbol] for symbol in formula.symbols}
        spoken = sum(weight for (_, name, _), weight in weights.items() if sentence.spoken.says(name))
        return spoken / sum(weights.values()) if weights else 0.0

    @cached_property
    def premises(self) -> dict[str, Formula]:
        """Return the closed formulas that the story holds for true, by id; none if they cannot be proven from."""
        stated = [statement for statement in self.statements if not statement.is_conclusion]
        formulas = {
            statement.id: statement.formula
            for statement in stated
            if statement.formula is not None and not statement.formula.profile.free
        }
        try:
            signature(*formulas.values())
        except SignatureError:
            return {}
        return formulas

    @cached_property
    def clash(self) -> str | None:
        """Return the id of the first premise that contradicts those before it; None if there is none."""
        formulas = list(self.premises.values())
        if not formulas or not _are_inconsistent(formulas):
            return None
        return next(name for count, name in enumerate(self.premises, 1) if _are_inconsistent(formulas[:count]))


def _are_inconsistent(formulas: list[Formula]) -> bool:
    return entails(formulas[:-1], Not(formulas[-1]), with_evidence=False).label == "true"
