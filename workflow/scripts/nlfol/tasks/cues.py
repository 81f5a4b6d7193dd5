"""Scores of candidates by the words of the sentence and their order, without logic: what a reader has to exceed.

Nothing is parsed. A candidate is a sequence of signs and words, of an atom ``Larger(x, a)`` "x larger a"; words of the
sentence such as *not*, *if*, *every*, *some*, *and* and *or* stand for signs. ``WORDS`` are five counts, ``ORDER``
fourteen scores for which the order of words matters.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations, pairwise
from statistics import fmean, pstdev
from typing import NamedTuple

from nlfol.tasks.reference import Shown, learnt_grades

SIGNS = frozenset("¬∧∨→↔⊕∀∃")

_CUES = {
    "¬": "not no none never neither nor nothing nobody without cannot isn't aren't doesn't don't unless false",
    "∧": "and but both also while",
    "∨": "or either",
    "→": "if when whenever then only unless must implies",
    "↔": "iff exactly precisely",
    "∀": "every each all any everything everyone anyone no nothing only",
    "∃": "some a an something someone there exists exist least",
}
_SIGNS_OF: dict[str, list[str]] = {}
for _sign, _words in _CUES.items():
    for _word in _words.split():
        _SIGNS_OF.setdefault(_word, []).append(_sign)

_IDLE = frozenset(
    re.findall(
        r"\w+",
        "of the is are be been was were it that than to in on by for with as at from has have had does do who which "
        "whose they them their he she his her its there same thing",
    )
).union(_SIGNS_OF)
"""Words that name nothing."""

_ARTICLE = re.compile(
    r"\b[Aa](?= (?!(?:is|are|and|or|nor|then|if|only|but|in|between|has|does|isn't|unless|while)\b)[a-z]{2})"
)
_CLAUSE = r"\s+([^,;.]*?)(?=[,;.]|\bthen\b|$)"
_CLAUSES = {
    "if": re.compile(rf"(?<!only )\b(?:if|when|whenever){_CLAUSE}"),
    "only": re.compile(rf"\bonly(?: if)?{_CLAUSE}"),
    "unless": re.compile(rf"\bunless{_CLAUSE}"),
}
_ATOM = re.compile(r"(?<!\w)([A-Za-z]\w*)\(([^()]*)\)")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_VARIABLE = re.compile(r"[u-z]\d*")
_TOKEN = re.compile(r"[¬∧∨→↔⊕∀∃|]|[\w']+")
_CHAIN = re.compile(r"\b(all|any) of \w+ hold:")
_INFIX = (
    ("it is false that", "¬"),
    *(("for each", "∀"), ("for some", "∃"), ("exactly one holds:", "")),
    *((", and ", " ∧ "), (", or ", " ⊕ "), (", then ", " ↔ "), (" then ", " → "), (" or ", " ∨ "), (", ", " | ")),
    *((word, "") for word in ("both ", "either ", "when ", "iff ")),
)
"""Words of the style ``even`` and the signs that stand for them, where they stand in formulas."""


class Sequenced(NamedTuple):
    """A text as signs and words in order; of a candidate its atoms, of a sentence the words of its clauses by cue."""

    tokens: list[str]
    atoms: list[list[str]]
    clauses: Mapping[str, list[str]]

    @property
    def names(self) -> list[str]:
        """Return the words alone."""
        return [token for token in self.tokens if _is_name(token)]

    @property
    def signs(self) -> list[str]:
        """Return the signs alone."""
        return [token for token in self.tokens if token in SIGNS]


def _is_name(token: str) -> bool:
    return token not in SIGNS and not _VARIABLE.fullmatch(token)


@cache
def of_sentence(text: str) -> Sequenced:
    """Return the words of a sentence; a cue stands for its signs."""
    text = _ARTICLE.sub("an", text)
    tokens: list[str] = []
    for word in re.findall(r"[\w']+", text):
        tokens += () if word in "aA" else _SIGNS_OF.get(word.lower(), ())
        tokens += _stems(word)
    clauses = {
        cue: [stem for clause in pattern.findall(text.lower()) for word in clause.split() for stem in _stems(word)]
        for cue, pattern in _CLAUSES.items()
    }
    return Sequenced(tokens, [], clauses)


@cache
def of_candidate(text: str) -> Sequenced:
    """Return the signs and words of a candidate: a formula, or its English of the style ``even``."""
    if _ATOM.search(text):
        text = _ATOM.sub(lambda atom: " ".join((*(parts := atom[2].split(","))[:1], atom[1], *parts[1:])), text)
    else:
        text = text[:1].lower() + text[1:]
        text = _CHAIN.sub(lambda opener: "∧ " if opener[1] == "all" else "∨ ", text)
        for words, sign in _INFIX:
            text = text.replace(words, sign)
    tokens: list[str] = []
    atoms: list[list[str]] = [[]]
    for token in _TOKEN.findall(text):
        if token in SIGNS or token == "|":
            atoms.append([])
            tokens += token.replace("|", "")
        elif tokens and tokens[-1] in "∀∃":
            tokens.append(token)
        else:
            stems = (token,) if _VARIABLE.fullmatch(token) else _stems(token)
            tokens += stems
            atoms[-1] += stems
    return Sequenced(tokens, [atom for atom in atoms if len(atom) > 1], {})


@cache
def _stems(word: str) -> tuple[str, ...]:
    if len(word) == 1:
        return (word.lower(),)
    pieces = [piece.lower() for piece in _PIECE.findall(word)]
    return tuple(re.sub(r"(?:ies|es|s|ing|ed|y|e)$", "", piece)[:5] or piece for piece in pieces if piece not in _IDLE)


Score = Callable[[Sequenced, Sequenced], float]


def _common(sentence: Sequenced, candidate: Sequenced) -> int:
    return _shared(sentence.names, candidate.names)


def _operators(sentence: Sequenced, candidate: Sequenced) -> int:
    told, shown = Counter(sentence.signs), Counter(candidate.signs)
    return -sum(abs(told[sign] - shown[sign]) for sign in SIGNS)


def _negations(sentence: Sequenced, candidate: Sequenced) -> int:
    return -abs(sentence.tokens.count("¬") - candidate.tokens.count("¬"))


def _quantifier(sentence: Sequenced, candidate: Sequenced) -> bool:
    return _first(sentence, "∀∃") == _first(candidate, "∀∃")


def _inversions(sentence: Sequenced, candidate: Sequenced) -> int:
    places = [sentence.tokens.index(name) for name in dict.fromkeys(candidate.names) if name in sentence.tokens]
    return -sum(a > b for a, b in combinations(places, 2))


WORDS: tuple[Score, ...] = (_common, _operators, _negations, _quantifier, _inversions)


def _subsequence(sentence: Sequenced, candidate: Sequenced) -> int:
    return _longest(sentence.tokens, candidate.tokens)


def _edits(sentence: Sequenced, candidate: Sequenced) -> int:
    from rapidfuzz.distance import Levenshtein

    return -Levenshtein.distance(sentence.tokens, candidate.tokens)


def _bigrams(sentence: Sequenced, candidate: Sequenced) -> int:
    return _shared(pairwise(sentence.tokens), pairwise(candidate.tokens))


def _skip_bigrams(sentence: Sequenced, candidate: Sequenced) -> int:
    return _shared(_skipping(sentence.names), _skipping(candidate.names))


def _names_in_order(sentence: Sequenced, candidate: Sequenced) -> int:
    return _longest(sentence.names, candidate.names)


def _arguments(sentence: Sequenced, candidate: Sequenced) -> int:
    """Count the neighbours in atoms that the sentence mentions in this order, less those in the other."""
    nouns = {atom[0]: atom[1] for atom in candidate.atoms if len(atom) == 2 and _VARIABLE.fullmatch(atom[0])}
    places = [_places(sentence, [nouns.get(token, token) for token in atom]) for atom in candidate.atoms]
    return sum((a < b) - (a > b) for of_atom in places for a, b in pairwise(of_atom))


def _together(sentence: Sequenced, candidate: Sequenced) -> int:
    """Return how far apart the words of atoms are in the sentence, less than nothing."""
    places = [_places(sentence, atom) for atom in candidate.atoms]
    return -sum(max(of_atom) - min(of_atom) for of_atom in places if of_atom)


def _signs_in_order(sentence: Sequenced, candidate: Sequenced) -> int:
    return _longest(sentence.signs, candidate.signs)


def _before(cue: str) -> Score:
    """Return the score of who wants the words of a clause before → rather than behind."""

    def score(sentence: Sequenced, candidate: Sequenced) -> int:
        tokens, clause = candidate.tokens, sentence.clauses[cue]
        place = tokens.index("→") if "→" in tokens else 0
        before, behind = set(tokens[:place]), set(tokens[place:])
        return sum((stem in before) - (stem in behind) for stem in clause)

    return score


def _denials(sentence: Sequenced, candidate: Sequenced) -> int:
    """Count the words behind a ¬ that the sentence denies as well, less those that it does not."""
    denied = _denied(sentence)
    return sum(1 if name in denied else -1 for name in _denied(candidate))


def _leading(sentence: Sequenced, candidate: Sequenced) -> bool:
    return sentence.signs[:1] == candidate.signs[:1]


ORDER: tuple[Score, ...] = (
    *(_subsequence, _edits, _bigrams, _skip_bigrams, _inversions, _names_in_order, _arguments, _together),
    *(_signs_in_order, *map(_before, _CLAUSES), _denials, _leading),
)


def scored(sentence: str, candidates: Sequence[str], scores: Sequence[Score]) -> list[list[float]]:
    """Return for each candidate its scores, each less the mean in the set and over its deviation; of no text, zero."""
    if not sentence:
        return [[0.0] * len(scores) for _ in candidates]
    told, shown = of_sentence(sentence), [of_candidate(text) for text in candidates]
    columns = [[float(score(told, candidate)) for candidate in shown] for score in scores]
    scaled = [[(value - fmean(column)) / (pstdev(column) or 1.0) for value in column] for column in columns]
    return [list(row) for row in zip(*scaled, strict=True)]


def expected_grades(items: Sequence[Shown]) -> list[list[float]]:
    """Return grades by ``features``, learnt from other stories; raises ``ValueError`` if there is only one."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = [row for item in items for row in features(item.sentence, item.texts)]
    stories = [item.story for item in items for _ in item.texts]
    grades = [grade for item in items for grade in item.grades]
    learner = partial(LogisticRegression, C=0.3, max_iter=300)
    expected = iter(learnt_grades(stories, DictVectorizer().fit_transform(rows), grades, learner))
    return [[next(expected) for _ in item.texts] for item in items]


def features(sentence: str, candidates: Sequence[str]) -> list[dict[str, float]]:
    """Return what a learner sees of each candidate: n-grams of signs, each with each cue, and the scores; by name.

    Counts are less their means in the set. Without a sentence, there are n-grams alone.
    """
    bags = [Counter(_grams(text)) for text in candidates]
    mean = {gram: fmean(bag[gram] for bag in bags) for gram in set[str]().union(*bags)}
    cues = {word for word in re.findall(r"[\w']+", sentence.lower()) if word in _SIGNS_OF}
    scores = scored(sentence, candidates, (*WORDS, *ORDER))
    rows = []
    for bag, values in zip(bags, scores, strict=True):
        less = {gram: bag[gram] - usual for gram, usual in sorted(mean.items()) if bag[gram] != usual}
        crossed = {
            f"{cue} {gram}": value for cue in sorted(cues) for gram, value in less.items() if gram.count(" ") < 2
        }
        rows.append(less | crossed | {str(number): value for number, value in enumerate(values)})
    return rows


def _grams(text: str) -> Iterator[str]:
    """Yield the text with its words forgotten, and all that stand together in it up to four."""
    text = _ATOM.sub(lambda atom: f"P ({atom[2]})", text[:1].lower() + text[1:])
    tokens = [
        token if token in _SAID or _VARIABLE.fullmatch(token) else "c" for token in re.findall(r"[\w']+|[^\w\s,]", text)
    ]
    yield " ".join(tokens)
    for size in range(1, 5):
        yield from (" ".join(tokens[at : at + size]) for at in range(len(tokens) - size + 1))


_SAID = SIGNS.union("()P", *(words.split() for words, _ in _INFIX))
"""Signs, brackets and words that are not forgotten."""


def _first(of: Sequenced, signs: str) -> str | None:
    return next((token for token in of.tokens if token in signs), None)


def _places(sentence: Sequenced, tokens: Iterable[str]) -> list[int]:
    return [sentence.tokens.index(token) for token in tokens if token in sentence.tokens]


def _denied(of: Sequenced) -> set[str]:
    return {next(filter(_is_name, of.tokens[at:]), "") for at, token in enumerate(of.tokens) if token == "¬"}


def _shared(some: Iterable[object], others: Iterable[object]) -> int:
    return (Counter(some) & Counter(others)).total()


def _skipping(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((name, later) for at, name in enumerate(names) for later in names[at + 1 : at + 4])


def _longest(some: Sequence[str], others: Sequence[str]) -> int:
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(some, others))
