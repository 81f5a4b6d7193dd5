"""Certified pairs for verification, in any of the languages, whose look does not tell whether they mean the same.

Laws make another sentence of the gold one. An exchange of two of its tokens, or tokens moved, makes a third of
that, which means something else, and laws a fourth of the third. So four sentences have two meanings, each said twice;
two pairs mean the same, two do not, and each sentence is in one of both: who sees one sentence of a pair knows nothing.

The second and the third have equal tokens in equal numbers. So, beside the first as beside the fourth, they differ by
equal counts of everything, length among them: counts alone tell no class. Formulas pass through drawn forms as well.
Of the couples that are drawn, the one is taken whose pairs differ most alike in edits, beginning, end and neighbours
of tokens (``benchmarks/verification_cues.py``).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import combinations, islice, pairwise, permutations
from random import Random
from typing import Any, NamedTuple

from nlfol.facts import Role
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import Comparison, Language, ReadingError, UnknownSymbolError
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.sets.audited import in_random_order
from nlfol.sets.drawn import rearranged
from nlfol.sets.sets import Candidate, CandidateError, Certificate

TOKEN = re.compile(r"[^\W\d]\w*|\d|[^\w\s]")
"""A word, or a sign; each digit is a letter of expressions."""

VARIABLE = re.compile(r"[u-z]\d*")

SIGNS = "¬∧∨⊕→↔∀∃=()*+?|"
"""Signs of formulas and expressions that are counted."""

EXCHANGED = ("∧∨→↔⊕", "∀∃", "*+?")
"""Signs that may take each other's place, as words do that begin alike: in capitals, or not."""

MOVED = "¬"
"""Sign of formulas that may go elsewhere."""

LONGEST = 3
"""Tokens of expressions that go elsewhere together, at most."""

COUPLES, RANKED, PROVEN = 10, 20, 6
"""Couples whose fourth sentence is sought, choices that are compared by neighbours, and those that are proven."""


class Width(NamedTuple):
    """Laws at one place, exchanges of one sentence, and exchanged sentences compared with gold, at most."""

    laws: int
    exchanges: int
    compared: int


WIDTHS = (Width(4, 4, 8), Width(16, 16, 32))
"""Tried in this order, until there is a set; for expressions, the last, whose laws look like few exchanges."""


class _Way(NamedTuple):
    """A sentence, its text, and what made it of the gold one, where."""

    sentence: Any
    text: str
    kinds: tuple[str, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()


class _Choice(NamedTuple):
    """Three sentences beside the gold one: ``same`` means the same, the other two mean something else."""

    unevenness: float
    drawn: float
    """Orders the equally even."""
    same: _Way
    other: _Way
    its_same: _Way


def certified_pairs(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """Draw the gold sentence, one that does not mean the same, one that does, and one that means what the second does.

    The second and the third have the same tokens; the last two do not mean the same. An exchange has as its path the
    places of two tokens, in the text as it then was.

    Raises ``CandidateError``: ``open`` if the sentence is; ``no_equivalent`` if no law makes another sentence of it;
    ``no_edit`` if none of the same tokens as such a sentence is proven to mean something else.
    """
    _check(gold, language, ontology)
    alike = [Outcome.NOT_EQUIVALENT, Outcome.EQUIVALENT, Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT]
    for width in WIDTHS if isinstance(gold, Formula) else WIDTHS[-1:]:
        for _, _, same, other, its_same in _Search(gold, language, ontology, draw, width).evenest_first():
            s, t, u = same.sentence, other.sentence, its_same.sentence
            compared = [language.compare(*pair) for pair in ((gold, t), (gold, s), (t, u), (s, u))]
            if [verdict.outcome for verdict in compared] == alike:
                different, equal, its_equal, its_different = compared
                corner = (_certified(its_equal, 1), _certified(its_different, 2))
                return [
                    Candidate(gold, "", Role.GOLD, certificates=()),
                    Candidate(t, "", Role.PERTURBATION, 1, other.kinds, other.paths, (_certified(different),)),
                    Candidate(s, "", Role.EQUIVALENT, 0, same.kinds, same.paths, (_certified(equal),)),
                    Candidate(u, "", Role.CORNER, 1, its_same.kinds, its_same.paths, corner),
                ]
    raise CandidateError("no_edit", "no sentence of the tokens of an equivalent one is proven to mean something else")


class _Search:
    """Draws choices of three sentences beside the gold one."""

    def __init__(self, gold: Any, language: Language[Any], ontology: Ontology, draw: Random, width: Width) -> None:
        self.language, self.ontology, self.draw, self.width = language, ontology, draw, width
        self.write = cache(language.write)
        self.forms = cache(self._forms)
        self.gold = _Way(gold, self.write(gold))

    def evenest_first(self) -> list[_Choice]:
        """Return choices, those first whose pairs of both classes look most alike.

        Raises ``CandidateError`` (``no_equivalent``) if no law makes another sentence of the gold one.
        """
        gold, choices = self.gold, list[_Choice]()
        made = cache(self._made_of)
        for already, _, same, other, exchanged in self._couples():
            beside_gold = already + _apart(traces, gold, same, other)
            choices += [
                _Choice(beside_gold + _apart(_looks, third, same, other), self.draw.random(), same, other, third)
                for third in made(exchanged)
                if third.sentence not in (gold.sentence, same.sentence, other.sentence)
            ]
        evenest = sorted(choices, key=lambda choice: choice[:2])[:RANKED]
        compared = [
            choice._replace(unevenness=choice.unevenness + _apart(traces, choice.its_same, choice.same, choice.other))
            for choice in evenest
        ]
        return sorted(compared, key=lambda choice: choice[:2])[:PROVEN]

    def _couples(self) -> Iterator[_Choice]:
        """Yield the most even sentences of equal tokens, and what the second is a form of; it is proven to differ."""
        couples = [
            _Choice(_apart(_looks, self.gold, same, other), self.draw.random(), same, other, exchanged)
            for first, exchanged in self._exchanged_of_equivalents()
            for same in self.forms(first)
            if same.sentence is not self.gold.sentence
            for other in self.forms(exchanged)
        ]
        differs: dict[Any, bool] = {}
        number = 0
        for couple in sorted(couples, key=lambda couple: couple[:2]):
            sentence = couple.its_same.sentence
            if sentence not in differs and len(differs) < self.width.compared:
                outcome = self.language.compare(self.gold.sentence, sentence).outcome
                differs[sentence] = outcome is Outcome.NOT_EQUIVALENT
            if differs.get(sentence):
                yield couple
                number += 1
            if number == COUPLES:
                return

    def _exchanged_of_equivalents(self) -> Iterator[tuple[_Way, _Way]]:
        firsts = list(self._by_laws(self.gold, self.width.laws))
        if not firsts:
            raise CandidateError("no_equivalent", "no law makes another sentence of it")
        firsts += [way for first in firsts[: self.width.laws // 2] for way in self._by_laws(first, 1)]
        for first in (*firsts, *self.forms(self.gold)):
            for exchanged in islice(self._exchanged(first), self.width.exchanges):
                yield first, exchanged

    def _made_of(self, way: _Way) -> list[_Way]:
        return [form for law in (way, *self._by_laws(way, self.width.laws)) for form in self.forms(law)]

    def _by_laws(self, way: _Way, number: int) -> Iterator[_Way]:
        """Yield what single laws make of a sentence, a law drawn first and then the place."""
        rewrites = list(self.language.rewrites(way.sentence, self.ontology))
        for rewrite in islice(in_random_order(rewrites, self.draw, lambda rewrite: rewrite.kind), number):
            if rewrite.sentence is not way.sentence and rewrite.sentence is not self.gold.sentence:
                yield self._way(way, rewrite.sentence, rewrite.kind, rewrite.path)

    def _forms(self, way: _Way) -> list[_Way]:
        """Return the sentence and, of a formula, a drawn form of the same tokens."""
        if not isinstance(way.sentence, Formula):
            return [way]
        form = self._way(way, rearranged(way.sentence, self.draw, regroups=False), "form", ())
        is_other = form.sentence is not way.sentence and _bag(form.text) == _bag(way.text)
        return [way, form] if is_other else [way]

    def _exchanged(self, way: _Way) -> Iterator[_Way]:
        """Yield sentences of the same tokens, in random order: two have changed places, or a sign has moved."""
        tokens = _tokens(way.text)
        alike = defaultdict[str, list[int]](list)
        for at, token in enumerate(tokens):
            alike[
                "digit" if token.isdigit() else next((signs for signs in EXCHANGED if token in signs), _case(token))
            ].append(at)
        longest = 1 if isinstance(way.sentence, Formula) else LONGEST
        moves = [
            ("moved", start, to, length)
            for length in range(1, longest + 1)
            for start, to in permutations(range(len(tokens) - length + 1), 2)
            if longest > 1 or tokens[start] in MOVED
        ]
        swaps = [
            ("exchange", *pair, 1)
            for ats in alike.values()
            for pair in combinations(ats, 2)
            if tokens[pair[0]] != tokens[pair[1]]
        ]
        tries = 3 * self.width.exchanges
        for kind, one, other, length in islice(
            in_random_order(moves + swaps, self.draw, lambda change: (change[0], change[3])), tries
        ):
            changed = list(tokens)
            if kind == "exchange":
                changed[one], changed[other] = changed[other], changed[one]
            else:
                del changed[one : one + length]
                changed[other:other] = tokens[one : one + length]
            try:
                sentence = self.language.parse((" " if " " in way.text else "").join(changed))
                self.language.check(sentence, self.ontology)
            except (ReadingError, UnknownSymbolError):
                continue
            if sentence is not way.sentence and _bag(self.write(sentence)) == _bag(way.text):
                yield self._way(way, sentence, kind, (one, other))

    def _way(self, before: _Way, sentence: Any, kind: str, path: tuple[int, ...]) -> _Way:
        return _Way(sentence, self.write(sentence), (*before.kinds, kind), (*before.paths, path))


def _apart(cue: Callable[[str, str], Mapping[Any, float]], beside: _Way, same: _Way, other: _Way) -> float:
    """Return the summed differences in a cue between a sentence's pairs with two others."""
    one, two = cue(beside.text, same.text), cue(beside.text, other.text)
    return sum(abs(one.get(key, 0) - two.get(key, 0)) for key in {*one, *two})


def _looks(first: str, second: str) -> dict[str, float]:
    """Return how a pair differs beside its counts."""
    cues = (edits_of_tokens, at_beginning, at_end, neighbours_in_common)
    return {cue.__name__: cue(first, second) for cue in cues}


def traces(first: str, second: str) -> Counter[tuple[str, ...]]:
    """Return by how much the numbers of neighbours differ, symbols of one kind being alike."""
    one, other = kinds_of_neighbours(first), kinds_of_neighbours(second)
    return Counter({run: abs(other[run] - one[run]) for run in one.keys() | other.keys()})


@lru_cache(10_000)
def kinds_of_neighbours(text: str) -> Counter[tuple[str, ...]]:
    """Return the runs of two and three tokens, words being replaced by their kinds."""
    return _runs([_case(token) for token in _tokens(text)])


def _runs(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter([*pairwise(tokens), *zip(tokens, tokens[1:], tokens[2:], strict=False)])


def _case(token: str) -> str:
    """Return the kind of a word, by how it begins; a digit or sign is its own."""
    if VARIABLE.fullmatch(token):
        return "variable"
    return ("capital" if token[0].isupper() else "small") if token[0].isalpha() else token


@lru_cache(10_000)
def _bag(text: str) -> Counter[str]:
    return Counter(_tokens(text))


def looks(first: str, second: str) -> list[float]:
    """Return how a pair looks to a reader that counts: lengths, edits, what is in common, and signs of each kind."""
    one, other = _tokens(first), _tokens(second)
    more = Counter(other)
    more.subtract(one)
    return [
        longer(first, second),
        abs(longer(first, second)),
        edits_of_tokens(first, second),
        in_common(first, second),
        at_beginning(first, second),
        at_end(first, second),
        at_beginning(first, second) / len(one),
        at_end(first, second) / len(one),
        sum(map(abs, more.values())) / len(one),
        neighbours_in_common(first, second),
        len({*one} ^ {*other}),
        len(one),
        len(other),
        *(more[sign] for sign in SIGNS),
    ]


def longer(first: str, second: str) -> float:
    """Return by how many characters the second of a pair is longer."""
    return len(second) - len(first)


def edits_of_tokens(first: str, second: str) -> float:
    """Return Levenshtein's distance of a pair, in tokens."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(_tokens(first), _tokens(second))


@lru_cache(1_000)
def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def in_common(first: str, second: str) -> float:
    """Return the share of characters that a pair has in common, in the same order."""
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def at_beginning(first: str, second: str) -> float:
    """Return how many tokens a pair has in common before the first that differs."""
    from rapidfuzz.distance import Prefix

    return Prefix.similarity(_tokens(first), _tokens(second))


def at_end(first: str, second: str) -> float:
    """Return how many tokens a pair has in common after the last that differs."""
    from rapidfuzz.distance import Postfix

    return Postfix.similarity(_tokens(first), _tokens(second))


def neighbours_in_common(first: str, second: str) -> float:
    """Return how many runs of two or three tokens a pair has in common."""
    return sum((_neighbours(first) & _neighbours(second)).values())


@lru_cache(10_000)
def _neighbours(text: str) -> Counter[tuple[str, ...]]:
    return _runs(_tokens(text))


def edited_sentence(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """Draw a single edit of the gold sentence that changes its meaning, with its English; and the sentence before.

    Raises ``CandidateError``: ``open`` if the sentence is; ``no_edit`` if no edit is proven to change the meaning;
    ``rendering_too_long`` if the edited sentence has no English of usable length.
    """
    _check(gold, language, ontology)
    others = [edit for edit in language.edits(gold, ontology) if edit.sentence is not gold]
    for edit in in_random_order(others, draw, lambda change: change.kind):
        comparison = language.compare(gold, edit.sentence)
        if comparison.outcome is Outcome.NOT_EQUIVALENT:
            break
    else:
        raise CandidateError("no_edit", "no sentence that is one change away is proven not_equivalent")
    try:
        english = language.render(edit.sentence, ontology)
    except ValueError as error:
        raise CandidateError("rendering_too_long", str(error)) from error
    before = Candidate(gold, "", Role.ORIGINAL, 0, (edit.kind,), (edit.path,), (_certified(comparison),))
    return [Candidate(edit.sentence, english, Role.GOLD, certificates=()), before]


def _check(gold: Any, language: Language[Any], ontology: Ontology) -> None:
    try:
        language.check(gold, ontology)
    except UnknownSymbolError as error:
        raise CandidateError("open" if error.kind == "open_formula" else error.kind, str(error)) from error


def _certified(comparison: Comparison, to: int = 0) -> Certificate:
    return Certificate(to, comparison.outcome, comparison.means, comparison.counter_model, comparison.word)
