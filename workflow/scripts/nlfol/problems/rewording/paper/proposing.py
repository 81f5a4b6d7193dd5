"""Proposals of lexica: statements with one expression replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nlfol.problems.dialects.words import article
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Mention, Statement
from nlfol.problems.rewording.paper.expressions import Expression
from nlfol.problems.rewording.paper.lexica import (
    PART_OF_CATEGORY,
    PARTS,
    Inflected,
    Senses,
    WordNet,
    inflected,
    is_installed,
    read_ppdb,
    read_wordnet,
    readings,
)
from nlfol.problems.rewording.paper.phrases import PLURAL

Source = Literal["wordnet", "ppdb", "rewriter"]

MOST = 5
"""Largest number of words from a lexicon for one expression."""

NEEDS_INFLECTION, UNGRAMMATICAL = "needs_inflection", "ungrammatical"

_ARTICLE = re.compile(r"\b([Aa])n?( +)$")
_DETERMINED = re.compile(
    r"\b(?:an?|the|each|every|some|no|this|these|those|his|her|its|their)(?: +\w+)? +$", re.IGNORECASE
)
_OF_ONE = re.compile(r"\b(?:an?|each|every|this|that)(?: +\w+)? +$", re.IGNORECASE)
_DETERMINING = re.compile(
    r"(?:an?|the|each|every|this|that|these|those|his|her|its|their|\w+(?:one|body|thing))\b", re.IGNORECASE
)
"""Words before a noun, and words that have none before them."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement with an expression replaced by other words, or the reason why it is not used.

    Its type is a key of ``diversifying.LEVELS``; ``fallback`` says that a model was asked as the lexica have nothing.
    """

    expression: Expression
    type: str
    source: Source
    after: str | None = None
    text: str | None = None
    fallback: bool = False
    reason: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Lexica:
    """The entries of lexica for some expressions: WordNet's by lemma, PPDB's by phrase, None for a missing lexicon."""

    wordnet: WordNet | None = None
    ppdb: Mapping[str, Sequence[str]] | None = None

    @classmethod
    def read(cls, expressions: Iterable[Expression], wordnet: Path | None, ppdb: Path | None) -> Lexica:
        """Read the entries for some expressions from WordNet's folder and a file of PPDB; raises `LexiconError`."""
        words = {expression.words.lower() for expression in expressions if not expression.is_name}
        lemmas = {reading.lemma for phrase in words for reading in readings(phrase)} if wordnet else set()
        return cls(read_wordnet(wordnet, lemmas) if wordnet else None, read_ppdb(ppdb, words, MOST) if ppdb else None)


def proposed(statement: Statement, expression: Expression, lexica: Lexica, words: Lexicon | None) -> Iterator[Proposal]:
    """Yield proposals for an expression of a statement: synonyms of its likeliest part of speech, and paraphrases.

    WordNet's senses are not disambiguated: the synonyms of the more frequent ones come first, and the filter by
    similarity sorts them out, as in the paper. One proposal is refused where only inflection is missing. ``words`` has
    the parts of speech of concepts; None for free English.
    """
    if expression.is_name:
        return
    used = {expression.words.lower()}
    if lexica.wordnet is not None:
        reading, senses = _read(expression, lexica.wordnet, words)
        if reading is not None and senses is not None:
            # A capital makes it a name, such as a person called Wolf.
            for synonym in [word for word in senses.ranked if word.islower()][:MOST]:
                after = inflected(synonym, reading)
                if after is not None and after not in used:
                    used.add(after)
                    yield _substituted(statement, expression, "synonym", "wordnet", after)
        elif " " not in expression.words and not is_installed():
            detail = f"{expression.words!r} is no lemma of WordNet; install lemminflect to have its synonyms inflected"
            yield Proposal(expression, "synonym", "wordnet", reason=NEEDS_INFLECTION, detail=detail)
    for after in (lexica.ppdb or {}).get(expression.words.lower(), ()):
        if after.lower() not in used:
            used.add(after.lower())
            yield _substituted(statement, expression, "phrase", "ppdb", after)


def _read(expression: Expression, wordnet: WordNet, words: Lexicon | None) -> tuple[Inflected | None, Senses | None]:
    """Return the likeliest reading: a lemma as it stands first, then the one most frequent in tagged texts."""
    concept = words.concepts.get(expression.concept) if words is not None else None
    known = [
        (reading, wordnet[reading.lemma][reading.part])
        for reading in readings(expression.words)
        if reading.part in wordnet.get(reading.lemma, {})
        and (concept is None or PART_OF_CATEGORY.get(concept.category) == reading.part)
    ]
    if not known:
        return None, None
    return min(known, key=lambda option: (option[0].tag is not None, -option[1].tagged, PARTS.index(option[0].part)))


def _substituted(statement: Statement, expression: Expression, kind: str, source: Source, after: str) -> Proposal:
    if fault := _fault(statement.text[: expression.start], expression.words, after):
        return Proposal(expression, kind, source, after, reason=UNGRAMMATICAL, detail=fault)
    made = substituted(statement, expression, after)
    (mention,) = made.mentions
    return Proposal(expression, kind, source, made.text[mention.start : mention.end], made.text)


def _fault(before: str, words: str, after: str) -> str | None:
    """Return why words cannot stand behind others in place of an expression: two determiners, or another number."""
    if _DETERMINED.search(before) and _DETERMINING.match(after):
        return f"{after!r} stands without {before.rsplit(maxsplit=1)[-1]!r}"
    is_plural = bool(PLURAL.search(words))
    has_plural = any(map(PLURAL.fullmatch, after.split()))
    if is_plural and not has_plural:
        return f"{words!r} is plural, or a verb in the third person; {after!r} is not"
    if not is_plural and _OF_ONE.search(before) and PLURAL.search(after):
        return f"{words!r} is singular; {after!r} is not"
    return None


def together(text: str, proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """Yield proposals that change several expressions of a statement at once: one for each expression, of one sentence.

    ``proposals`` change one expression each. The first sentence takes the first of each expression, and so on; where
    one has fewer than others, it begins again.
    """
    by_start: dict[int, list[Proposal]] = {}
    for proposal in proposals:
        if proposal.reason is None and proposal.after is not None and proposal.type in ("synonym", "phrase"):
            by_start.setdefault(proposal.expression.start, []).append(proposal)
    if len(by_start) < 2:
        return
    for number in range(min(MOST, max(map(len, by_start.values())))):
        chosen = [by_start[start][number % len(by_start[start])] for start in sorted(by_start)]
        sentence = text
        for proposal in reversed(chosen):
            sentence = substituted(Statement(sentence), proposal.expression, proposal.after or "").text
        yield from (replace(proposal, text=sentence) for proposal in chosen)


def substituted(statement: Statement, expression: Expression, after: str) -> Statement:
    """Put other words in place of an expression, with a fitting article; the statement mentions nothing else.

    A word that the statement goes on with is not said twice: "is kin to the cat" with "related to" for "kin".
    """
    before, behind = statement.text[: expression.start], statement.text[expression.end :]
    *others, last = after.split()
    if others and re.match(rf" +{re.escape(last)}\b", behind):
        after = " ".join(others)
    before = _ARTICLE.sub(lambda match: match[1] + article(after)[1:] + match[2], before)
    words = after[:1].upper() + after[1:] if not before and expression.words[:1].isupper() else after
    mention = Mention(len(before), len(before) + len(words), expression.concept, "")
    return Statement(before + words + behind, statement.line, (mention,))
