"""Statements with one expression in other words, as lexica have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nlfol.diversification.diversifying import LEVELS
from nlfol.diversification.paper.expressions import Expression
from nlfol.diversification.paper.inflection import Inflected, inflected, is_installed, readings
from nlfol.diversification.paper.ppdb import read_ppdb
from nlfol.diversification.paper.wordnet import PARTS, PartOfSpeech, Senses, WordNet, read_wordnet
from nlfol.problems.dialects.words import article
from nlfol.problems.lexicon import Category, Lexicon
from nlfol.problems.problem import Mention, Statement

Source = Literal["wordnet", "ppdb", "rewriter"]

MOST = 5
"""Words of a lexicon for one expression."""

NEEDS_INFLECTION, UNCHANGED = "needs_inflection", "unchanged"

_PARTS: Mapping[Category, PartOfSpeech] = {
    Category.ADJECTIVE: "adj",
    Category.VERB: "verb",
    Category.NOUN: "noun",
    Category.ANIMAL: "noun",
    Category.OBJECT: "noun",
}
_ARTICLE = re.compile(r"\b([Aa])n?( +)$")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement in other words, or why there is none.

    Attributes:
        expression: that is rewritten.
        type: kind of the rewrite, a key of ``diversifying.LEVELS``.
        source: ``wordnet``, ``ppdb``, or ``rewriter``.
        after: the words that stand there now.
        text: the whole statement.
        fallback: whether a model was asked because the lexica have nothing.
        reason: why it is not used; none where it is.
        detail: a sentence.
    """

    expression: Expression
    type: str
    source: Source
    after: str | None = None
    text: str | None = None
    fallback: bool = False
    reason: str | None = None
    detail: str | None = None

    @property
    def level(self) -> str:
        """``word``, ``phrase`` or ``sentence``."""
        return LEVELS[self.type]


@dataclass(frozen=True, slots=True)
class Lexica:
    """What lexica have for some expressions.

    Attributes:
        wordnet: by lemma; none without it.
        ppdb: by phrase; none without it.
    """

    wordnet: WordNet | None = None
    ppdb: Mapping[str, Sequence[str]] | None = None

    @classmethod
    def read(cls, expressions: Iterable[Expression], wordnet: Path | None, ppdb: Path | None) -> Lexica:
        """Read what is needed for some expressions.

        Args:
            expressions: whose words are looked up.
            wordnet: folder of WordNet's files.
            ppdb: a file of PPDB.

        Raises:
            LexiconError: if one of them cannot be read or used.
        """
        words = {each.words.lower() for each in expressions if not each.is_name}
        lemmas = {reading.lemma for said in words for reading in readings(said)} if wordnet else set()
        return cls(read_wordnet(wordnet, lemmas) if wordnet else None, read_ppdb(ppdb, words, MOST) if ppdb else None)


def proposed(statement: Statement, expression: Expression, lexica: Lexica, words: Lexicon | None) -> Iterator[Proposal]:
    """What lexica propose for an expression of a statement: synonyms of its likeliest part of speech, and paraphrases.

    The senses that WordNet has are not told apart: the synonyms of the more frequent ones come first, and the filter by
    similarity is to sort them out, as in the paper.

    Args:
        statement: the statement.
        expression: of it; a name has no other words.
        lexica: read for it.
        words: say which part of speech a concept is; none for free English.

    Yields:
        proposals, and one that is refused where only inflection is missing.
    """
    if expression.is_name:
        return
    said = {expression.words.lower()}
    if lexica.wordnet is not None:
        reading, senses = _read(expression, lexica.wordnet, words)
        if reading is not None and senses is not None:
            # With a capital it is a name, as of somebody called Wolf.
            for synonym in [each for each in senses.ranked if each.islower()][:MOST]:
                after = inflected(synonym, reading)
                if after is not None and after not in said:
                    said.add(after)
                    yield _substituted(statement, expression, "synonym", "wordnet", after)
        elif " " not in expression.words and not is_installed():
            detail = f"{expression.words!r} is no lemma of WordNet; install lemminflect to have its synonyms inflected"
            yield Proposal(expression, "synonym", "wordnet", reason=NEEDS_INFLECTION, detail=detail)
    for after in (lexica.ppdb or {}).get(expression.words.lower(), ()):
        if after.lower() not in said:
            said.add(after.lower())
            yield _substituted(statement, expression, "phrase", "ppdb", after)


def _read(expression: Expression, wordnet: WordNet, words: Lexicon | None) -> tuple[Inflected | None, Senses | None]:
    """What stands there: of several readings a lemma as it stands first, then the one met in tagged texts most."""
    concept = words.concepts.get(expression.concept) if words is not None else None
    known = [
        (reading, wordnet[reading.lemma][reading.part])
        for reading in readings(expression.words)
        if reading.part in wordnet.get(reading.lemma, {})
        and (concept is None or _PARTS.get(concept.category) == reading.part)
    ]
    if not known:
        return None, None
    return min(known, key=lambda each: (each[0].tag is not None, -each[1].tagged, PARTS.index(each[0].part)))


def _substituted(statement: Statement, expression: Expression, kind: str, source: Source, after: str) -> Proposal:
    made = substituted(statement, expression, after)
    words = made.text[made.mentions[0].start : made.mentions[0].end]
    return Proposal(expression, kind, source, words, made.text)


def substituted(statement: Statement, expression: Expression, after: str) -> Statement:
    """A statement with other words for an expression, of which the one mention is told; articles fit the words."""
    before, behind = statement.text[: expression.start], statement.text[expression.end :]
    before = _ARTICLE.sub(lambda found: found[1] + article(after)[1:] + found[2], before)
    words = after[:1].upper() + after[1:] if not before and expression.words[:1].isupper() else after
    mention = Mention(len(before), len(before) + len(words), expression.concept, "")
    return Statement(before + words + behind, statement.line, (mention,))
