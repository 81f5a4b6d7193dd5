"""Audits of rewritten problems, whatever wrote them, as rows.

Each statement is read with all forms of the problem's concepts and compared with the gold line of the statement that it
stands for. Of the code that rewrites, only the grammars are used.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from nlfol.diversification.forms import clash
from nlfol.diversification.others import variants
from nlfol.problems.dialects import CONTROLLED, concepts_of, dialect_of
from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.references import REFERENCES
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import BASE, Concept, Lexicon, Word
from nlfol.problems.problem import Problem, Statement
from nlfol.programs.outcome import ProgramError

MAX_STATEMENTS = 500
"""Statements of the largest problem that is audited."""


class Check(StrEnum):
    """The checks.

    ``shared_form``: words that stand for one concept stand for another, too; ``clashing_form``: words describe another
    concept of the problem, too; ``changed_polarity``: an affirmed
    statement is denied, or the other way round; ``changed_meaning``: a statement says something else;
    ``lost_statement`` and ``added_statement``; ``second_reading``: a statement can be read in two ways; ``unread``: it
    cannot be read, so nothing is known; ``changed_question``, also of options; ``changed_answer``: another answer
    follows, or is given.
    """

    SHARED_FORM = "shared_form"
    CLASHING_FORM = "clashing_form"
    CHANGED_POLARITY = "changed_polarity"
    CHANGED_MEANING = "changed_meaning"
    LOST_STATEMENT = "lost_statement"
    ADDED_STATEMENT = "added_statement"
    SECOND_READING = "second_reading"
    UNREAD = "unread"
    CHANGED_QUESTION = "changed_question"
    CHANGED_ANSWER = "changed_answer"


class Finding(NamedTuple):
    """A fault of a statement, by its place among the rewritten ones, of a lost one among the original ones, from 0.

    The statement is None for a fault of the question or the answer.
    """

    check: Check
    statement: int | None
    detail: str


@dataclass(frozen=True, slots=True)
class _Read:
    """A rewritten statement with its readings by line, or why it cannot be read."""

    place: int
    text: str
    readings: dict[str, Statement]
    error: str = ""

    @property
    def line(self) -> str | None:
        return next(iter(self.readings)) if len(self.readings) == 1 else None


def audit(original: Problem, rewritten: Problem, lexicon: Lexicon) -> list[Finding]:
    """Return all faults of a rewritten problem, of which the texts count, not the lines and mentions.

    Raises ``DialectError`` if the original is not in the English of a family, ``ValueError`` for too many statements.
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
        if other.line == statement.line:
            findings += _clashing(other, [lexicon.concepts[symbol] for symbol in concepts_of(original, lexicon)])
    findings += _declared(original, rewritten)
    findings += _asked(original, rewritten, reader)
    if rewritten.answer != original.answer:
        detail = f"the answer is {rewritten.answer} in place of {original.answer}"
        findings.append(Finding(Check.CHANGED_ANSWER, None, detail))
    elif findings and all(each.line is not None for each in read):
        findings += _derived(original, read)
    return findings


class _Reader:
    def __init__(self, problem: Problem, lexicon: Lexicon) -> None:
        known = [lexicon.concepts[symbol] for symbol in concepts_of(problem, lexicon)]
        base = {words for each in known for words in (each.forms[BASE].singular, each.forms[BASE].plural)}
        kept = {}
        for concept in known:
            others = concept.forms.items()
            forms = {key: f for key, f in others if key == BASE or base.isdisjoint((f.singular, f.plural))}
            kept[concept.symbol] = replace(concept, forms=forms)
        self._dialect: Dialect = dialect_of(problem, Lexicon(kept, lexicon.scenes))
        self._referents = [
            each.symbol for each in known if any(form.slot in REFERENCES for form in each.forms.values())
        ]

    def all(self, texts: Sequence[str], aside: set[str]) -> list[_Read]:
        """Read statements, except for texts to leave aside and glossaries."""
        statements = []
        named: Sequence[str] = ()
        for place, text in enumerate(texts):
            if text in aside or _GLOSSARY.fullmatch(text):
                named = ()
                continue
            trees, error = self.readings(text, named)
            named = self._dialect.named(trees[0][0]) if len(trees) == 1 else ()
            readings = {statement.line or "": statement for _, statement in trees}
            statements.append(_Read(place, text, readings, error))
        return statements

    def readings(self, text: str, before: Sequence[str]) -> tuple[list[tuple[Any, Statement]], str]:
        """Return all readings, or the error; a reference that is not plain may mean any concept.

        A sentence that cannot be read is read in American spelling, and with the frame that the grammar has for it.
        """
        reason = ""
        for each in dict.fromkeys((text, *variants(text))):
            try:
                return self._dialect.readings(each, before), ""
            except DialectError as error:
                reason = reason or str(error)
        readings = []
        for concept in self._referents:
            try:
                readings += self._dialect.readings(text, (concept,))
            except DialectError:
                continue  # the reason is that of the reading without a reference
        return readings, reason


_GLOSSARY = re.compile(r'Here "[^"]+"(?:, "[^"]+")* and "[^"]+" mean the same\.')


def _aligned(gold: Sequence[str], read: Sequence[_Read]) -> list[tuple[int | None, int | None]]:
    """Align statements in order with the least differences (Needleman and Wunsch 1970)."""
    if len(gold) == len(read):
        return [(place, place) for place in range(len(gold))]
    costs = [[_GAP * other for other in range(len(read) + 1)]]
    for place, line in enumerate(gold, 1):
        row = [_GAP * place]
        for other, statement in enumerate(read, 1):
            same = costs[place - 1][other - 1] + _cost(line, statement)
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
    if any(_without_polarity(line) == _without_polarity(other) for other in read.readings):
        return 1
    return 8 if read.readings else 7


def _meant(matched: Sequence[tuple[Statement, _Read]], lexicon: Lexicon) -> dict[Word, int]:
    """Return the forms in statements that are rewritten correctly, each with the first of these.

    References are left out, as they stand for whoever was mentioned last.
    """
    first: dict[Word, int] = {}
    for statement, other in matched:
        if other.line == statement.line:
            for mention in other.readings[other.line or ""].mentions:
                word = Word(mention.concept, mention.form)
                if lexicon.form(word).slot not in REFERENCES:
                    first.setdefault(word, other.place)
    return first


def _compared(statement: Statement, other: _Read, meant: dict[Word, int], lexicon: Lexicon) -> list[Finding]:
    gold = statement.line or ""
    if not other.readings:
        return [Finding(Check.UNREAD, other.place, other.error)]
    if len(other.readings) > 1:
        findings = [Finding(Check.SECOND_READING, other.place, f"reads as {' and as '.join(other.readings)}")]
        for words, concepts in _shared(other, lexicon).items():
            detail = f"{words!r} stands for {' and '.join(concepts)}"
            findings.append(Finding(Check.SHARED_FORM, other.place, detail))
        return findings
    line, reading = next(iter(other.readings.items()))
    if line == gold:
        return []
    detail = f"says {line} in place of {gold}"
    if _without_polarity(line) == _without_polarity(gold):
        return [Finding(Check.CHANGED_POLARITY, other.place, detail)]
    lost = _symbols(gold)
    for mention in reading.mentions:
        words = reading.text[mention.start : mention.end]
        elsewhere = meant.get(Word(mention.concept, mention.form))
        if mention.concept not in lost and elsewhere is not None:
            missing = [symbol for symbol in lost if symbol not in _symbols(line)]
            shared = f"{words!r} stands for {mention.concept} in statement {elsewhere + 1}"
            return [Finding(Check.SHARED_FORM, other.place, f"{shared}, and here for {', '.join(missing)}; {detail}")]
    return [Finding(Check.CHANGED_MEANING, other.place, detail)]


def _clashing(other: _Read, known: Sequence[Concept]) -> Iterator[Finding]:
    """Yield the forms of a statement that describe another concept of the problem."""
    for mention in other.readings[other.line or ""].mentions:
        (concept,) = (each for each in known if each.symbol == mention.concept)
        others = [each for each in known if each is not concept]
        reason = None if mention.form == BASE else clash(concept, concept.forms[mention.form], others)
        if reason is not None:
            yield Finding(Check.CLASHING_FORM, other.place, f"{reason}, and here stands for {concept.symbol}")


def _shared(other: _Read, lexicon: Lexicon) -> dict[str, list[str]]:
    """Return words other than references that stand for different concepts in different readings."""
    concepts: dict[tuple[int, int], dict[str, None]] = defaultdict(dict)
    for statement in other.readings.values():
        for mention in statement.mentions:
            if lexicon.form(Word(mention.concept, mention.form)).slot not in REFERENCES:
                concepts[mention.start, mention.end][mention.concept] = None
    return {other.text[start:end]: list(shared) for (start, end), shared in concepts.items() if len(shared) > 1}


def _declared(original: Problem, rewritten: Problem) -> list[Finding]:
    """Return words that stand for several concepts by the rewritten problem's own rewrites."""
    mentions = [(each.text[m.start : m.end].lower(), m.concept) for each in original.statements for m in each.mentions]
    concepts = dict(mentions)
    declared: dict[str, dict[str, int]] = defaultdict(dict)
    for rewrite in rewritten.rewrites:
        if rewrite.type != "reference" and rewrite.before.lower() in concepts:
            declared[rewrite.after.lower()].setdefault(concepts[rewrite.before.lower()], rewrite.statement)
    return [
        Finding(Check.SHARED_FORM, max(places.values()), f"{words!r} is said to stand for {' and '.join(places)}")
        for words, places in declared.items()
        if len(places) > 1
    ]


def _asked(original: Problem, rewritten: Problem, reader: _Reader) -> list[Finding]:
    ours, theirs = (original.question, *original.options), (rewritten.question, *rewritten.options)
    if len(ours) != len(theirs):
        detail = f"{len(rewritten.options)} options in place of {len(original.options)}"
        return [Finding(Check.CHANGED_QUESTION, None, detail)]
    findings = []
    for old, new in zip(ours, theirs, strict=True):
        if old.text == new.text:
            continue
        trees, error = reader.readings(new.text.rpartition("? ")[2], ()) if old.line is not None else ([], "")
        lines = {each.line or "" for _, each in trees}
        if lines != {old.line}:
            said = f"says {' and '.join(sorted(lines)) or new.text!r}"
            reason = error if old.line is not None and not lines else said
            findings.append(Finding(Check.CHANGED_QUESTION, None, f"{new.text!r} in place of {old.text!r}: {reason}"))
    return findings


def _derived(original: Problem, read: Sequence[_Read]) -> list[Finding]:
    statements = tuple(Statement(each.text, each.line) for each in read)
    try:
        made = derived(replace(original, statements=statements, reason=None, detail=None))
    except ProgramError as error:
        return [Finding(Check.CHANGED_ANSWER, None, f"no program is left: {error}")]
    return [] if made.is_usable else [Finding(Check.CHANGED_ANSWER, None, made.detail or "")]


def _symbols(line: str) -> list[str]:
    return re.findall(r"[A-Za-z]\w*", line)


def _without_polarity(line: str) -> str:
    """Return a line without negations, and with one of two opposite relations for both."""
    return re.sub(r"[¬()]", "", line.replace("False", "True").replace(">", "<"))


_VERDICTS = {
    Check.UNREAD: "unread",
    Check.SECOND_READING: "unread",
    Check.CLASHING_FORM: "unread",
    Check.ADDED_STATEMENT: "added",
}
"""Verdicts of faults that do not change the meaning."""


def verdicts(original: Problem, problem: Problem, lexicon: Lexicon) -> Iterator[dict[str, Any]]:
    """Yield the rows of REWRITTEN for a rewritten problem: a verdict on each rewritten statement and on each fault."""
    rewritten = sorted({rewrite.statement for rewrite in problem.rewrites})
    if original.family not in CONTROLLED or original.language is None:
        detail = "its English is of no family"
        yield from (_verdict(problem, place, "unread", Check.UNREAD, detail) for place in rewritten)
        return
    faulty = set()
    for check, statement, detail in audit(original, problem, lexicon):
        faulty.add(statement)
        yield _verdict(problem, statement, _VERDICTS.get(check, "changed"), check, detail)
    yield from (_verdict(problem, place, "kept", None, None) for place in rewritten if place not in faulty)


def _verdict(
    problem: Problem, statement: int | None, verdict: str, check: Check | None, detail: str | None
) -> dict[str, Any]:
    return {
        "item": problem.name,
        "statement": statement,
        "verdict": verdict,
        "check": None if check is None else check.value,
        "detail": detail,
    }
