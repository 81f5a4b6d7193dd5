"""Problems whose gold program is published as formulas; they are read tolerantly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlfol.logic import Formula, FormulaSyntaxError, read_tolerantly, to_unicode
from nlfol.logic.measuring import free_variables
from nlfol.problems.deriving import by_formulas
from nlfol.problems.problem import Problem, Reason, Statement

OPTIONS = ("True", "False", "Uncertain")


def with_formulas(problem: Problem, formulas: Sequence[str], conclusion: str) -> Problem:
    """The problem with the formulas of its statements and question as gold lines, and the evidence of its answer.

    Args:
        problem: with sentences alone.
        formulas: one for each statement, as published.
        conclusion: that of the question.
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
        formula = reading.formula
        if free := sorted(variable.name for variable in free_variables(formula)):
            detail = f"{name}: {text!r}: no quantifier binds {', '.join(free)}; bind it"
            return problem.refused(Reason.OPEN_FORMULA, detail)
        found.append(formula)
        if not sentence.text:
            return problem.refused(Reason.EMPTY, f"{name} has no text")
    lines = [Statement(sentence.text, to_unicode(formula)) for sentence, formula in zip(sentences, found, strict=True)]
    changed = replace(problem, language="formulas", statements=tuple(lines[:-1]), question=lines[-1])
    return by_formulas(changed, found[:-1], found[-1])
