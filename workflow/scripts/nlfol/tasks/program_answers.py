"""Programs as answers: an object with a line for each sentence, which is put together and executed.

The answer is ``{"lines": [{"sentence": 3, "line": "..."}], "query": "..."}``; of constraints, which ask about each
option, it is ``{"variables": [{"name", "values"}], "lines": [...], "options": [{"option", "line"}]}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from pydantic import StrictInt, StrictStr

from nlfol.problems.gold import QUERY, asks_of_the_unsaid, declarations
from nlfol.problems.problem import Problem
from nlfol.programs import Execution, Outcome, ProgramError, RepairKind, execute
from nlfol.programs.clauses.reading import HEADINGS as OF_CLAUSES
from nlfol.programs.constraints.reading import HEADINGS as OF_CONSTRAINTS
from nlfol.programs.formulas import HEADINGS as OF_FORMULAS
from nlfol.programs.texts import check_line
from nlfol.tasks.answers import AnswerError, Form, object_schema, read_form

LanguageName = Literal["formulas", "clauses", "constraints"]

LINES_A_SENTENCE = 2
"""Lines that a schema allows for each sentence, on average."""

_HEADINGS: Mapping[LanguageName, Mapping[str, str]] = {
    "formulas": OF_FORMULAS,
    "clauses": OF_CLAUSES,
    "constraints": OF_CONSTRAINTS,
}

_OURS = frozenset((RepairKind.SECTION, RepairKind.MISPLACED))
"""Repairs of what is put together here, and was not written by a model."""

_REMEMBERED = 2_000
"""Executions kept: a dialogue's are asked for at each of its steps."""


class _Line(Form):
    sentence: StrictInt
    line: StrictStr


class _Variable(Form):
    name: StrictStr
    values: StrictStr


class _Option(Form):
    option: StrictStr
    line: StrictStr


class _Asked(Form):
    reasoning: StrictStr = ""
    lines: list[_Line]
    query: StrictStr


class _Arranged(Form):
    reasoning: StrictStr = ""
    variables: list[_Variable]
    lines: list[_Line]
    options: list[_Option]


@dataclass(frozen=True, slots=True)
class Written:
    """A program put together from an answer.

    Attributes:
        text: the program.
        places: of its lines from 1, what each was written for, such as "sentence 3".
        lines: by the number of the sentence, as text, what was written for it.
        asked: the query, by ``query``; of constraints, what is asked by letter.
        variables: of constraints, the lines that give variables their values.
        table: rows of the model's table of concepts: a symbol and the expressions that it stands for.
    """

    text: str
    places: Mapping[int, str]
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked: Mapping[str, str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    table: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an answer.

    Attributes:
        problem: why there is no program to execute; None where there is one.
        written: the program; None where the answer is not of the agreed form.
        execution: what became of it.
    """

    problem: str | None = None
    written: Written | None = None
    execution: Execution | None = None

    @property
    def message(self) -> str | None:
        """What the solver says against it; None where it gives an answer."""
        return self.problem if self.execution is None else self.execution.error

    @property
    def outcome(self) -> str:
        """``answered``, ``unparsable``, ``no_answer``, or the kind of failure."""
        found = self.execution
        if found is None:
            return Outcome.UNPARSABLE.value
        return (found.failure or found.outcome).value

    @property
    def repairs(self) -> tuple[str, ...]:
        """The liberties that the reader took with what was written."""
        found = self.execution.repairs if self.execution else ()
        return tuple(str(repair) for repair in found if repair.kind not in _OURS)


def program_schema(language: LanguageName, problem: Problem, line: int, reasoning: int | None) -> dict[str, Any]:
    """JSON schema of an answer.

    Args:
        language: of the program.
        problem: what it is about.
        line: characters of a line, at most.
        reasoning: characters of the reasoning; None for none.
    """
    count = max(1, len(problem.statements))
    text = {"type": "string", "maxLength": line}
    sentences = {"type": "integer", "enum": list(range(1, count + 1))}
    lines = _array({"sentence": sentences, "line": text}, LINES_A_SENTENCE * count)
    if language != "constraints":
        return object_schema({"lines": lines, "query": text}, reasoning)
    letters = list(problem.by_letter)
    options = _array({"option": {"type": "string", "enum": letters}, "line": text}, len(letters))
    variables = _array({"name": text, "values": text}, LINES_A_SENTENCE * count + len(letters))
    return object_schema({"variables": variables, "lines": lines, "options": options}, reasoning)


def _array(fields: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": object_schema(fields, None), "minItems": 1, "maxItems": most}


def read_program(language: LanguageName, problem: Problem, text: str) -> Written:
    """The program that an answer writes.

    Raises:
        AnswerError: if the answer is not of the agreed form.
    """
    if language == "constraints":
        arranged = read_form(text, _Arranged)
        declared = [(f"variable {each.name[:20]}", f"{each.name} [IN] {each.values}") for each in arranged.variables]
        asked = [(f"option {each.option[:20]}", f"{each.option}) {each.line}") for each in arranged.options]
        lines = _lines(arranged.lines, problem)
        found = _written(language, {"Variables": declared, "Constraints": lines, "Query": asked})
        of_letters = {each.option: each.line for each in arranged.options}
        variables = tuple(line for _, line in declared)
        return replace(found, lines=_by_sentence(arranged.lines), asked=of_letters, variables=variables)
    answer = read_form(text, _Asked)
    lines, query = _lines(answer.lines, problem), [("query", answer.query)]
    return replace(
        _of_query(language, problem, lines, query), lines=_by_sentence(answer.lines), asked={QUERY: answer.query}
    )


def _of_query(
    language: LanguageName, problem: Problem, lines: Sequence[tuple[str, str]], query: Sequence[tuple[str, str]]
) -> Written:
    if language == "formulas":
        return _written(language, {"Premises": lines, "Conclusion": query})
    rules = [_ARROW.search(line) is not None for _, line in lines]
    facts = [each for each, is_rule in zip(lines, rules, strict=True) if not is_rule]
    said = [each for each, is_rule in zip(lines, rules, strict=True) if is_rule]
    # Only a declaration tells what is unknown from a name that is misspelt.
    used = [line for _, line in (*lines, *query)] if asks_of_the_unsaid(problem) else []
    declared = [("", line) for line in declarations(used)]
    return _written(language, {"Predicates": declared, "Facts": facts, "Rules": said, "Query": query})


_ARROW = re.compile(r">>|[-=]>|[→⇒⟶]|:-")


def attempt(language: LanguageName, problem: Problem, text: str) -> Attempt:
    """Put an answer together and execute it."""
    try:
        written = read_program(language, problem, text)
    except AnswerError as error:
        return Attempt(f"the answer is not of the agreed form: {error}")
    found = _execute(language, written.text, tuple(problem.lettered))
    return Attempt(None, written, found)


@lru_cache(maxsize=_REMEMBERED)
def _execute(language: LanguageName, text: str, options: Sequence[str]) -> Execution:
    return execute(language, text, options)


def _by_sentence(lines: Iterable[_Line]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for each in lines:
        found[str(each.sentence)] = (*found.get(str(each.sentence), ()), each.line)
    return found


def _lines(lines: Iterable[_Line], problem: Problem) -> list[tuple[str, str]]:
    count = len(problem.statements)
    found = []
    for each in lines:
        if not 1 <= each.sentence <= count:
            raise AnswerError(f"sentence {each.sentence} is not a number from 1 to {count}")
        found.append((f"sentence {each.sentence}", each.line))
    return found


def _written(language: LanguageName, parts: Mapping[str, Sequence[tuple[str, str]]]) -> Written:
    lines: list[str] = []
    places: dict[int, str] = {}
    for heading, said in parts.items():
        if not said and heading == "Predicates":
            continue
        lines.append(f"{heading}:")
        for place, line in said:
            try:
                check_line(line, _HEADINGS[language])
            except ProgramError as error:
                raise AnswerError(f"{place}: {error}") from error
            lines.append(line.strip())
            places[len(lines)] = place
    return Written("\n".join(lines), places)
