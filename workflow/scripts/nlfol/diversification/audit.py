"""What is wrong with a problem in other words, whoever wrote them.

Each statement is read with all forms of the problem's concepts, compared with the gold line of the statement that it
stands for, and what differs is named. Of the code that rewrites, nothing is used but the grammars.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from nlfol.problems.deriving import derived
from nlfol.problems.dialects.diversified import Dialect, concepts_of, dialect_of
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import BASE, Lexicon, Slot, Word
from nlfol.problems.problem import Problem, Statement
from nlfol.programs.outcome import ProgramError

MAX_STATEMENTS = 500
"""Statements of a problem that is audited."""


class Check(StrEnum):
    """What can be wrong.

    ``shared_form``: words that stand for one concept stand for another, too; ``changed_polarity``: what was affirmed is
    denied, or the other way round; ``changed_meaning``: a statement says something else; ``lost_statement`` and
    ``added_statement``; ``second_reading``: a statement can be read in two ways; ``unread``: it cannot be read, so
    nothing is known; ``changed_question``, also of options; ``changed_answer``: another answer follows, or is given.
    """

    SHARED_FORM = "shared_form"
    CHANGED_POLARITY = "changed_polarity"
    CHANGED_MEANING = "changed_meaning"
    LOST_STATEMENT = "lost_statement"
    ADDED_STATEMENT = "added_statement"
    SECOND_READING = "second_reading"
    UNREAD = "unread"
    CHANGED_QUESTION = "changed_question"
    CHANGED_ANSWER = "changed_answer"


class Finding(NamedTuple):
    """A fault.

    Attributes:
        check: what is wrong.
        statement: place of the statement among the rewritten ones, of a lost one among the original ones, from 0; none
            where it is not in a statement.
        detail: a sentence.
    """

    check: Check
    statement: int | None
    detail: str


@dataclass(frozen=True, slots=True)
class _Read:
    """What a rewritten statement says.

    Attributes:
        place: among the rewritten statements.
        text: the statement.
        readings: all that it may say, by line.
        error: why it is not read.
    """

    place: int
    text: str
    readings: dict[str, Statement]
    error: str = ""

    @property
    def line(self) -> str | None:
        """The one line that it says."""
        return next(iter(self.readings)) if len(self.readings) == 1 else None


def audit(original: Problem, rewritten: Problem, lexicon: Lexicon) -> list[Finding]:
    """All faults of a problem in other words.

    Args:
        original: in the English of a family, with its gold program.
        rewritten: its texts count; what it says of its lines and mentions is not believed.
        lexicon: has the forms.

    Raises:
        DialectError: if the original is not in the English of a family.
        ValueError: if a problem has too many statements.
    """
    if max(len(original.statements), len(rewritten.statements)) > MAX_STATEMENTS:
        raise ValueError(f"{original.name}: more than {MAX_STATEMENTS} statements")
    reader = _Reader(original, lexicon)
    aside = {statement.text for statement in original.statements if statement.line is None}
    read = reader.all([statement.text for statement in rewritten.statements], aside)
    gold = [(place, each) for place, each in enumerate(original.statements) if each.line is not None]
    findings: list[Finding] = []
    pairs = _aligned([statement.line or "" for _, statement in gold], read)
    for ours, theirs in pairs:
        if theirs is None and ours is not None:
            place, statement = gold[ours]
            findings.append(Finding(Check.LOST_STATEMENT, place, f"{statement.text!r} is said nowhere"))
        elif ours is None and theirs is not None:
            other = read[theirs]
            findings.append(Finding(Check.ADDED_STATEMENT, other.place, f"{other.text!r} was not said"))
    matched = [(gold[ours][1], read[theirs]) for ours, theirs in pairs if ours is not None and theirs is not None]
    meant = _meant(matched, lexicon)
    for statement, other in matched:
        findings += _compared(statement, other, meant, lexicon)
    findings += _declared(original, rewritten)
    findings += _asked(original, rewritten, reader)
    if rewritten.answer != original.answer:
        detail = f"the answer is {rewritten.answer} in place of {original.answer}"
        findings.append(Finding(Check.CHANGED_ANSWER, None, detail))
    elif findings and all(each.line is not None for each in read):
        findings += _derived(original, read)
    return findings


class _Reader:
    """Reads rewritten texts with every form of the problem's concepts."""

    def __init__(self, problem: Problem, lexicon: Lexicon) -> None:
        known = [lexicon.concepts[symbol] for symbol in concepts_of(problem, lexicon)]
        base = {words for each in known for words in (each.forms[BASE].singular, each.forms[BASE].plural)}
        kept = {
            each.symbol: replace(
                each,
                forms={
                    key: form
                    for key, form in each.forms.items()
                    if key == BASE or base.isdisjoint((form.singular, form.plural))
                },
            )
            for each in known
        }
        self._dialect: Dialect = dialect_of(problem, Lexicon(kept, lexicon.scenes))
        self._individuals = [each.symbol for each in known if not each.category.is_predicate]

    def all(self, texts: Sequence[str], aside: set[str]) -> list[_Read]:
        """What statements say, but for those that say nothing: of the original, or of a glossary."""
        found = []
        topic: str | None = None
        for place, text in enumerate(texts):
            if text in aside or _GLOSSARY.fullmatch(text):
                topic = None
                continue
            trees, error = self.readings(text, topic)
            topic = self._dialect.topic(trees[0][0]) if len(trees) == 1 else None
            found.append(_Read(place, text, {each.line or "": each for _, each in trees}, error))
        return found

    def readings(self, text: str, topic: str | None) -> tuple[list[tuple[Any, Statement]], str]:
        """All readings; where a reference is not plain, those of all to whom it may refer. None, and why."""
        try:
            return self._dialect.readings(text, topic), ""
        except DialectError as error:
            reason = str(error)
        found = []
        for individual in self._individuals:
            try:
                found += self._dialect.readings(text, individual)
            except DialectError:
                continue  # the reason is that of the reading without a reference
        return found, reason


_GLOSSARY = re.compile(r'Here "[^"]+"(?:, "[^"]+")* and "[^"]+" mean the same\.')


def _aligned(gold: Sequence[str], read: Sequence[_Read]) -> list[tuple[int | None, int | None]]:
    """Which statement stands for which, in order, with the least that differs (Needleman and Wunsch 1970)."""
    if len(gold) == len(read):
        return [(place, place) for place in range(len(gold))]
    costs = [[_GAP * other for other in range(len(read) + 1)]]
    for place, line in enumerate(gold, 1):
        row = [_GAP * place]
        for other, said in enumerate(read, 1):
            same = costs[place - 1][other - 1] + _cost(line, said)
            row.append(min(same, costs[place - 1][other] + _GAP, row[-1] + _GAP))
        costs.append(row)
    pairs: list[tuple[int | None, int | None]] = []
    place, other = len(gold), len(read)
    while place or other:
        here = costs[place][other]
        if place and other and here == costs[place - 1][other - 1] + _cost(gold[place - 1], read[other - 1]):
            place, other = place - 1, other - 1
            pairs.append((place, other))
        elif place and here == costs[place - 1][other] + _GAP:
            place -= 1
            pairs.append((place, None))
        else:
            other -= 1
            pairs.append((None, other))
    return pairs[::-1]


_GAP = 5


def _cost(line: str, read: _Read) -> int:
    if line in read.readings:
        return 0
    if any(_without_polarity(line) == _without_polarity(said) for said in read.readings):
        return 1
    return 8 if read.readings else 7


def _meant(matched: Sequence[tuple[Statement, _Read]], lexicon: Lexicon) -> dict[Word, int]:
    """The forms that stand in statements that say what they should, and in which first.

    References are left out, as they stand for whoever was spoken of.
    """
    found: dict[Word, int] = {}
    for statement, other in matched:
        if other.line == statement.line:
            for mention in other.readings[other.line or ""].mentions:
                word = Word(mention.concept, mention.form)
                if lexicon.form(word).slot is not Slot.REFERENCE:
                    found.setdefault(word, other.place)
    return found


def _compared(statement: Statement, other: _Read, meant: dict[Word, int], lexicon: Lexicon) -> list[Finding]:
    """What a rewritten statement says otherwise."""
    gold = statement.line or ""
    if not other.readings:
        return [Finding(Check.UNREAD, other.place, other.error)]
    found = []
    if len(other.readings) > 1:
        found.append(Finding(Check.SECOND_READING, other.place, f"reads as {' and as '.join(other.readings)}"))
        for words, concepts in _shared(other, lexicon).items():
            detail = f"{words!r} stands for {' and '.join(concepts)}"
            found.append(Finding(Check.SHARED_FORM, other.place, detail))
        return found
    line, said = next(iter(other.readings.items()))
    if line == gold:
        return found
    detail = f"says {line} in place of {gold}"
    if _without_polarity(line) == _without_polarity(gold):
        return [Finding(Check.CHANGED_POLARITY, other.place, detail)]
    lost = _symbols(gold)
    for mention in said.mentions:
        words = said.text[mention.start : mention.end]
        elsewhere = meant.get(Word(mention.concept, mention.form))
        if mention.concept not in lost and elsewhere is not None:
            missing = [symbol for symbol in lost if symbol not in _symbols(line)]
            shared = f"{words!r} stands for {mention.concept} in statement {elsewhere + 1}"
            return [Finding(Check.SHARED_FORM, other.place, f"{shared}, and here for {', '.join(missing)}; {detail}")]
    return [Finding(Check.CHANGED_MEANING, other.place, detail)]


def _shared(other: _Read, lexicon: Lexicon) -> dict[str, list[str]]:
    """Words that stand for one concept in one reading and for another in the next, other than references."""
    found: dict[tuple[int, int], dict[str, None]] = defaultdict(dict)
    for statement in other.readings.values():
        for mention in statement.mentions:
            if lexicon.form(Word(mention.concept, mention.form)).slot is not Slot.REFERENCE:
                found[mention.start, mention.end][mention.concept] = None
    return {other.text[start:end]: list(each) for (start, end), each in found.items() if len(each) > 1}


def _declared(original: Problem, rewritten: Problem) -> list[Finding]:
    """Words that the rewritten problem itself says to stand for several concepts."""
    mentions = [(each.text[m.start : m.end].lower(), m.concept) for each in original.statements for m in each.mentions]
    concepts = dict(mentions)
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for rewrite in rewritten.rewrites:
        if rewrite.type != "reference" and rewrite.before.lower() in concepts:
            found[rewrite.after.lower()].setdefault(concepts[rewrite.before.lower()], rewrite.statement)
    return [
        Finding(Check.SHARED_FORM, max(places.values()), f"{words!r} is said to stand for {' and '.join(places)}")
        for words, places in found.items()
        if len(places) > 1
    ]


def _asked(original: Problem, rewritten: Problem, reader: _Reader) -> list[Finding]:
    """What the question and the options say otherwise."""
    ours, theirs = (original.question, *original.options), (rewritten.question, *rewritten.options)
    if len(ours) != len(theirs):
        detail = f"{len(rewritten.options)} options in place of {len(original.options)}"
        return [Finding(Check.CHANGED_QUESTION, None, detail)]
    found = []
    for old, new in zip(ours, theirs, strict=True):
        if old.text == new.text:
            continue
        trees, error = reader.readings(new.text.rpartition("? ")[2], None) if old.line is not None else ([], "")
        lines = {each.line or "" for _, each in trees}
        if lines != {old.line}:
            reason = (
                error if old.line is not None and not lines else f"says {' and '.join(sorted(lines)) or new.text!r}"
            )
            found.append(Finding(Check.CHANGED_QUESTION, None, f"{new.text!r} in place of {old.text!r}: {reason}"))
    return found


def _derived(original: Problem, read: Sequence[_Read]) -> list[Finding]:
    """Whether the answer is another by what was read."""
    statements = tuple(Statement(each.text, each.line) for each in read)
    try:
        made = derived(replace(original, statements=statements, reason=None, detail=None))
    except ProgramError as error:
        return [Finding(Check.CHANGED_ANSWER, None, f"no program is left: {error}")]
    return [] if made.is_usable else [Finding(Check.CHANGED_ANSWER, None, made.detail or "")]


def _symbols(line: str) -> list[str]:
    return re.findall(r"[A-Za-z]\w*", line)


def _without_polarity(line: str) -> str:
    """A line with all that negates left out, and with one of two opposite relations for both."""
    return re.sub(r"[¬()]", "", line.replace("False", "True").replace(">", "<"))
