"""Texts, options and formulas of published problems."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlfol.datasets.repairing import name_numbered, quantifies_numbered
from nlfol.logic import Formula, FormulaSyntaxError, read_tolerantly, to_unicode
from nlfol.problems.gold import answered
from nlfol.problems.problem import Problem, Reason, Statement
from nlfol.programs.formulas import derived
from nlfol.programs.outcome import OptionsError, by_letter
from nlfol.store.records import SourceError

Record = Mapping[str, Any]

_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"'“])")


def sentences(text: str) -> list[str]:
    """Split free English into sentences, by full stop and capital."""
    return _END.split(text.strip())


def text_of(place: str, record: Record, key: str) -> str:
    """Return the text of a key, stripped, or a whole number as text; raises ``SourceError`` if there is none."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise SourceError(f"{place}: {key!r} holds no text; its keys are {', '.join(map(str, record))}")
    return value.strip()


def options_of(place: str, record: Record, answer: str) -> tuple[Statement, ...]:
    """Return the options without letters; raises ``SourceError`` unless these are A, B, … and include the answer."""
    texts = record.get("options")
    if not isinstance(texts, Sequence) or isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise SourceError(f"{place}: 'options' is not a list of texts; write them as 'A) …'")
    try:
        found = by_letter(texts)
    except OptionsError as error:
        raise SourceError(f"{place}: {error}") from error
    expected = [chr(ord("A") + number) for number in range(len(found))]
    if list(found) != expected or answer not in found:
        letters = ", ".join(found)
        raise SourceError(f"{place}: options {letters} and answer {answer!r}; expected A, B, … with the answer")
    return tuple(map(Statement, found.values()))


def letter_of(place: str, answer: str, options: Sequence[str]) -> str:
    """Return the letter of an answer, whatever its case; raises ``SourceError`` if it is not one of the options."""
    for number, option in enumerate(options):
        if option.lower() == answer.lower():
            return chr(ord("A") + number)
    raise SourceError(f"{place}: the answer {answer!r} is not one of {', '.join(options)}")


def with_formulas(problem: Problem, formulas: Sequence[str], conclusion: str) -> Problem:
    """Return the problem with published formulas as gold lines, one for each statement, and evidence of its answer.

    The formulas are read tolerantly. A problem with an unusable formula, or with another answer, is refused.
    """
    if len(formulas) != len(problem.statements):
        counts = f"{len(problem.statements)} statements and {len(formulas)} formulas"
        return problem.refused(Reason.UNREAD, f"{counts}; one is needed for each")
    sentences = (*problem.statements, problem.question)
    found: list[Formula] = []
    for number, (sentence, text) in enumerate(zip(sentences, (*formulas, conclusion), strict=True), 1):
        name = f"statement {number}" if number < len(sentences) else "the question"
        if not text.strip():
            return problem.refused(Reason.UNREAD, f"{name} has no formula; write one")
        try:
            reading = read_tolerantly(text)
        except FormulaSyntaxError as error:
            return problem.refused(Reason.UNREAD, f"{name}: {error}")
        if reading.dialect == "mathematics" or any(each.kind == "comma" for each in reading.ambiguities):
            detail = f"{name}: {text!r}: comparisons, arithmetic or commas between formulas; write predicates and ∧"
            return problem.refused(Reason.UNREAD, detail)
        found.append(reading.formula)
        if not sentence.text:
            return problem.refused(Reason.EMPTY, f"{name} has no text")
    if not any(map(quantifies_numbered, found)):
        found = [name_numbered(formula)[0] for formula in found]
    for number, (formula, text) in enumerate(zip(found, (*formulas, conclusion), strict=True), 1):
        if free := sorted(formula.profile.free):
            name = f"statement {number}" if number < len(sentences) else "the question"
            detail = f"{name}: {text!r}: no quantifier binds {', '.join(free)}; bind it"
            return problem.refused(Reason.OPEN_FORMULA, detail)
    lines = [Statement(sentence.text, to_unicode(formula)) for sentence, formula in zip(sentences, found, strict=True)]
    changed = replace(problem, language="formulas", statements=tuple(lines[:-1]), question=lines[-1])
    return answered(changed, lambda: derived(found[:-1], found[-1]))
