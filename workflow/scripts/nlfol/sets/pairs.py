"""Certified pairs for verification, in any of the languages, whose look does not tell whether they mean the same.

An edit makes another sentence of the gold one, and one or two laws, at the same places, another of either. So four
sentences have two meanings, each said twice; two pairs mean the same, two do not, and each sentence is in one of
both: who sees one sentence of a pair knows nothing. Laws and edit are chosen so that the pairs of both classes differ
alike in length, in edits of tokens and in characters in common; else an edit shows as a further difference
(``benchmarks/verification_cues.py``).

The first law is drawn uniformly among those that apply, then the place; edits likewise by their kind.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import islice, pairwise
from math import inf
from random import Random
from typing import Any, NamedTuple

from nlfol.facts import Role
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import Comparison, Edited, Language, UnknownSymbolError
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.sets.audited import in_random_order
from nlfol.sets.dimensions import apply, dimensions
from nlfol.sets.distances import TOKEN
from nlfol.sets.sets import Candidate, CandidateError, Certificate

LAWS, EDITS = 6, 6
"""First laws, and edits, that are tried at most."""

EVEN = 0.03
"""Difference in characters in common, of pairs else alike, below which no other first law is tried."""

SIGNS = "¬∧∨⊕→↔∀∃=()*+?|"
"""Signs of formulas and expressions that are counted."""

COMPARED = 12
"""Choices of edit and second law, else alike, whose characters in common are compared."""


class _Four(NamedTuple):
    """A sentence, its edit, and what the same laws make of both."""

    gold: Any
    edit: Edited[Any]
    same: Any
    its_same: Any
    laws: tuple["_Law", ...]


class _Law(NamedTuple):
    kind: str
    path: tuple[int, ...]
    number: int
    """Number of the result among those that the law makes there."""


def certified_pairs(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """Draw the gold sentence, one that does not mean the same, one that does, and the edited gold sentence.

    The second and the last mean the same, the last two do not.

    Raises ``CandidateError``: ``open`` if the sentence is; ``no_equivalent`` if no law makes another sentence of it;
    ``no_edit`` if no edit that such a law leaves alone is proven to change the meaning.
    """
    _check(gold, language, ontology)
    if not (laws := _made_by_laws(gold, language, ontology)):
        raise CandidateError("no_equivalent", "no law makes another sentence of it")
    for four in _evenest_first(_fours(gold, laws, language, ontology, draw), language, draw):
        edited, change = four.edit.sentence, (four.edit.kind,)
        kinds, paths = tuple(law.kind for law in four.laws), tuple(law.path for law in four.laws)
        compared = [
            language.compare(*pair)
            for pair in ((gold, four.its_same), (gold, four.same), (four.its_same, edited), (four.same, edited))
        ]
        same, other = Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT
        if [verdict.outcome for verdict in compared] == [other, same, same, other]:
            different, equal, its_equal, its_different = compared
            path = (four.edit.path,)
            return [
                Candidate(gold, "", Role.GOLD, certificates=()),
                Candidate(
                    four.its_same, "", Role.PERTURBATION, 1, kinds + change, paths + path, (_certified(different),)
                ),
                Candidate(four.same, "", Role.EQUIVALENT, 0, kinds, paths, (_certified(equal),)),
                Candidate(
                    edited, "", Role.CORNER, 1, change, path, (_certified(its_equal, 1), _certified(its_different, 2))
                ),
            ]
    raise CandidateError("no_edit", "no edit that a law leaves alone is proven to change the meaning")


def _fours(
    gold: Any, laws: Mapping[_Law, Any], language: Language[Any], ontology: Ontology, draw: Random
) -> Iterator[list[_Four]]:
    """Yield for some first laws all choices of an edit and of a second law, or none."""
    proven = (
        edit
        for edit in _edited(gold, language, ontology, draw)
        if language.compare(gold, edit.sentence).outcome is Outcome.NOT_EQUIVALENT
    )
    edits = list(islice(proven, EDITS))
    of_edited = [_made_by_laws(edit.sentence, language, ontology) for edit in edits]
    for first in islice(in_random_order(list(laws), draw, lambda law: law.kind), LAWS):
        fours, then = [], _made_by_laws(laws[first], language, ontology)
        for edit, made in zip(edits, of_edited, strict=True):
            if (its_same := made.get(first)) is None:
                continue
            fours.append(_Four(gold, edit, laws[first], its_same, (first,)))
            its_then = _made_by_laws(its_same, language, ontology)
            fours += [
                _Four(gold, edit, then[second], its_then[second], (first, second))
                for second in then
                if second in its_then
            ]
        yield [four for four in fours if len({four.gold, four.edit.sentence, four.same, four.its_same}) == 4]


def _edited(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> Iterator[Edited[Any]]:
    """Yield edits in random order, a kind drawn first: of formulas, the dimensions of fair sets."""
    if not isinstance(gold, Formula):
        yield from in_random_order(list(language.edits(gold, ontology)), draw, lambda change: change.kind)
        return
    for dimension in in_random_order(list(dimensions(gold, ontology)), draw, lambda change: change.kind):
        yield Edited(dimension.kind.value, apply(gold, (dimension,)), dimension.path)


def _made_by_laws(sentence: Any, language: Language[Any], ontology: Ontology) -> dict[_Law, Any]:
    made, numbers = {}, Counter[tuple[str, tuple[int, ...]]]()
    for rewrite in language.rewrites(sentence, ontology):
        key = rewrite.kind, rewrite.path
        if rewrite.sentence is not sentence:
            made[_Law(*key, numbers[key])] = rewrite.sentence
        numbers[key] += 1
    return made


def _evenest_first(by_law: Iterable[list[_Four]], language: Language[Any], draw: Random) -> list[_Four]:
    """Return the best choices for each first law, up to the first that has an even one; the most even first."""
    write: Callable[[Any], str] = cache(language.write)
    ranked: list[tuple[float, int, _Four]] = []
    for fours in by_law:
        least, best = inf, list[_Four]()
        for four in fours:
            much = _unevenness(four, write, (longer,))
            if much <= least:  # most are not, and lengths cost nothing
                much += _unevenness(four, write, (edits_of_tokens,))
            if much < least:
                least, best = much, []
            if much == least:
                best.append(four)
        for four in draw.sample(best, min(len(best), COMPARED)):
            ranked.append((least + _unevenness(four, write, (in_common,)), len(ranked), four))
        if ranked and min(ranked)[0] < EVEN:
            break
    return [four for _, _, four in sorted(ranked)]


def _unevenness(four: _Four, write: Callable[[Any], str], cues: Iterable[Callable[[str, str], float]]) -> float:
    """Return the summed differences in some cues between equivalent and inequivalent pairs."""
    texts = (four.gold, four.edit.sentence, four.same, four.its_same)
    gold, edited, same, its_same = map(write, texts)
    total = 0.0
    for cue in cues:
        alike = sorted((cue(gold, same), cue(edited, its_same)))
        unlike = sorted((cue(gold, its_same), cue(edited, same)))
        total += sum(abs(a - b) for a, b in zip(alike, unlike, strict=True))
    return total


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
    tokens = _tokens(text)
    return Counter([*pairwise(tokens), *zip(tokens, tokens[1:], tokens[2:], strict=False)])


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
