"""Programs as answers: an object with a line for each sentence, which is put together and executed.

The answer is ``{"lines": [{"sentence": 3, "line": "..."}], "query": "..."}``; of constraints, which ask about each
option, it is ``{"variables": [{"name", "values"}], "lines": [...], "options": [{"option", "line"}]}``. A table of
concepts stands before both: ``{"table": [{"symbol", "arity", "expressions"}], "lines": ...}``.

Files of answers may also hold whole programs in Logic-LM's text form, ``{"program": "Predicates: ..."}``, which are
executed as they stand. There a line states the sentence of its gloss or, without one that is known, of its place.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import StrictInt, StrictStr

from nlfol.mappings import JsonDict
from nlfol.problems.gold import asks_of_the_unsaid
from nlfol.problems.problem import Problem
from nlfol.problems.programs import execute
from nlfol.problems.programs.language import QUERY, Lines, Placed, Policy, SolverLanguage
from nlfol.problems.programs.outcome import Execution, Outcome, ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import check_line, sections
from nlfol.tasks.answers import REASONING, AnswerError, JsonAnswer, object_schema, read_form
from nlfol.tasks.cpu_limit import limited_cpu
from nlfol.tasks.item import ASKED, Exemplar
from nlfol.tasks.program_gold import gold_answer

_OURS = frozenset((RepairKind.SECTION, RepairKind.MISPLACED))
"""Repairs of what is put together here, and was not written by a model."""

_REMEMBERED = 2_000
"""Executions kept: a dialogue's are asked for at each of its steps."""


class _Line(JsonAnswer):
    sentence: StrictInt
    line: StrictStr


class Variable(JsonAnswer):
    """The declaration of a variable."""

    name: StrictStr
    values: StrictStr


class Option(JsonAnswer):
    """The line of an option."""

    option: StrictStr
    line: StrictStr


class _Row(JsonAnswer):
    symbol: StrictStr
    arity: StrictInt
    expressions: list[StrictStr]


class _Asked(JsonAnswer):
    reasoning: StrictStr = ""
    lines: list[_Line]
    query: StrictStr


class _Arranged(JsonAnswer):
    reasoning: StrictStr = ""
    variables: list[Variable]
    lines: list[_Line]
    options: list[Option]


class _AskedByTable(_Asked):
    table: list[_Row]


class _ArrangedByTable(_Arranged):
    table: list[_Row]


class _Whole(JsonAnswer):
    program: StrictStr


@dataclass(frozen=True, slots=True)
class Written:
    """A program made from an answer, and its text.

    ``places`` says what each line of the text, from 1, was written for, such as "sentence 3"; ``table`` has the rows of
    the model's table of concepts: a symbol and the expressions that it stands for. ``examples`` are what those of the
    prompt ask, see ``Policy``.
    """

    text: str
    places: Mapping[int, str]
    program: Lines
    table: tuple[tuple[str, tuple[str, ...]], ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer and its program, which is executed when that is asked for.

    ``problem`` says why there is no program to execute; ``options`` are those of the question, with their letters.
    """

    problem: str | None = None
    written: Written | None = None
    options: tuple[str, ...] = ()

    @property
    def execution(self) -> Execution | None:
        """Return what became of the program."""
        if self.written is None:
            return None
        return _execute(self.written.program.language.name, self.written.text, self.options, self.written.examples)

    @property
    def message(self) -> str | None:
        """Return the solver's message against the program; None if it gives an answer."""
        execution = self.execution
        return self.problem if execution is None else execution.error

    @property
    def outcome(self) -> str:
        """Return ``answered``, ``unparsable``, ``no_answer``, or the kind of failure."""
        execution = self.execution
        if execution is None:
            return Outcome.UNPARSABLE.value
        return (execution.failure or execution.outcome).value

    @property
    def repairs(self) -> tuple[str, ...]:
        """Return the liberties that the reader took with what was written."""
        return tuple(map(str, self._repairs))

    @property
    def forgiven(self) -> tuple[str, ...]:
        """Return the kinds of these liberties, each once."""
        return tuple(dict.fromkeys(repair.kind.value for repair in self._repairs))

    @property
    def strictly(self) -> Execution | None:
        """Return what becomes of the program read strictly."""
        execution = self.execution
        if self.written is None or execution is None:
            return None
        return self.written.program.language.executed_strictly(self.written.text, self.options, execution)

    @property
    def _repairs(self) -> list[Repair]:
        execution = self.execution
        return [repair for repair in (execution.repairs if execution else ()) if repair.kind not in _OURS]


@limited_cpu()
def read_program(
    language: SolverLanguage, problem: Problem, text: str, *, table: bool = False, exemplars: Sequence[Exemplar] = ()
) -> Written:
    """Read the program that an answer writes; raises ``AnswerError`` if the answer is not of the agreed form.

    Neither is one that repeats one of the ``exemplars`` that were shown.
    """
    answer: _Asked | _Arranged
    if text.startswith('{"program"') and not table:
        examples = tuple(asked_by(exemplars, language, problem)) if exemplars else ()
        return _read_whole(language, problem, read_form(text, _Whole).program, examples)
    if any(_content(text) == _content(exemplar.formula) for exemplar in exemplars):
        raise AnswerError("the answer repeats an example of its prompt")
    if language.asks_options:
        answer = read_form(text, _ArrangedByTable if table else _Arranged)
    else:
        answer = read_form(text, _AskedByTable if table else _Asked)
    lines = [(entry.sentence, entry.line) for entry in answer.lines]
    if isinstance(answer, _Arranged):
        written = put_together(language, problem, lines, answer.options, answer.variables)
    else:
        written = put_together(language, problem, lines, answer.query)
    if isinstance(answer, _AskedByTable | _ArrangedByTable):
        written = replace(written, table=tuple((row.symbol, tuple(row.expressions)) for row in answer.table))
    return written


def is_program(language: SolverLanguage, text: str, *, strict: bool = False, examples: Sequence[str] = ()) -> bool:
    """Return whether a text has the sections of a program, in Logic-LM's form, with ``strict`` by their own names.

    ``examples`` are those of ``Policy``.
    """
    try:
        by_section = sections(text if strict else language.written(text, examples).text, language.headings).lines
    except ProgramError:
        return False
    return language.asking in by_section and any(name in by_section for name in language.stating)


def _content(text: str) -> Any:
    """Return the object that a text is, without its reasoning; the text itself if it is none."""
    try:
        content = json.loads(text)
    except ValueError:
        return text
    return {key: value for key, value in content.items() if key != REASONING} if isinstance(content, dict) else text


def asked_by(exemplars: Sequence[Exemplar], language: SolverLanguage, problem: Problem) -> Iterator[str]:
    """Yield what examples ask, as sentences and queries, but for what the problem asks, too."""
    own = {*_sentences(problem.question.text), *_queries(gold_answer(problem, language))}
    for exemplar in exemplars:
        question = exemplar.text.rpartition(ASKED)[2].partition("\n")[0]
        asked = (*_sentences(question), *_queries(_content(exemplar.formula)))
        yield from (text for text in asked if text not in own)


def _sentences(question: str) -> tuple[str, str]:
    """Return a question, and what stands behind its question mark, as FOLIO's statements do."""
    return question, question.rpartition("? ")[2]


def _queries(answer: Any) -> list[str]:
    """Return the query of an answer; of one that asks of options, all of them as one."""
    if not isinstance(answer, Mapping):
        return []
    options = [f"{option['option']}) {option['line']}" for option in answer.get("options", ())]
    return ["\n".join(options)] if options else [answer["query"]] if "query" in answer else []


def _read_whole(language: SolverLanguage, problem: Problem, text: str, examples: tuple[str, ...]) -> Written:
    try:
        by_section = sections(language.written(text, examples).text, language.headings).lines
    except ProgramError as error:
        raise AnswerError(str(error)) from error
    numbers = {_plain(statement.text): number for number, statement in enumerate(problem.statements, 1)}
    places: dict[int, str] = {}
    lines: dict[str, tuple[str, ...]] = {}
    stated = [line for name in language.stating for line in by_section.get(name, ())]
    for index, line in enumerate(stated, 1):
        number = str(numbers.get(_plain(line.gloss or ""), min(index, len(numbers))))
        lines[number] = (*lines.get(number, ()), line.text)
        places[line.number] = f"sentence {number}"
    asked = [line.text for line in by_section.get(language.asking, ())]
    conditions = {QUERY: asked[0]} if asked else {}
    if language.asks_options:
        options = (line.partition(")") for line in asked)
        conditions = {letter.strip("( "): condition.strip() for letter, _, condition in options}
    variables = [line.text for line in by_section.get("variables", ())]
    return Written(text, places, Lines(language, lines, conditions, variables), examples=examples)


def _plain(sentence: str) -> str:
    return " ".join(sentence.lower().split()).rstrip(".?!")


def put_together(
    language: SolverLanguage,
    problem: Problem,
    lines: Sequence[tuple[int, str]],
    asked: str | Sequence[Option],
    variables: Sequence[Variable] = (),
) -> Written:
    """Make a program of lines with the numbers of their sentences, and of what is asked.

    Raises ``AnswerError`` if a line cannot be read, or belongs to no sentence.
    """
    count = len(problem.statements)
    placed: list[tuple[str, str]] = []
    by_sentence: dict[str, tuple[str, ...]] = {}
    for number, line in lines:
        if not 1 <= number <= count:
            raise AnswerError(f"sentence {number} is not a number from 1 to {count}")
        placed.append((f"sentence {number}", line))
        by_sentence[str(number)] = (*by_sentence.get(str(number), ()), line)
    if isinstance(asked, str):
        # Only a declaration tells what is unknown from a name that is misspelt.
        declared = asks_of_the_unsaid(problem)
        sections = language.sections(placed, [(QUERY, asked)], (), declared=declared)
        return _written(Lines(language, by_sentence, {QUERY: asked}), sections)
    domains = [(f"variable {variable.name[:20]}", f"{variable.name} [IN] {variable.values}") for variable in variables]
    options = [(f"option {option.option[:20]}", f"{option.option}) {option.line}") for option in asked]
    letters = {option.option: option.line for option in asked}
    program = Lines(language, by_sentence, letters, tuple(line for _, line in domains))
    return _written(program, language.sections(placed, options, domains))


def attempt(
    language: SolverLanguage, problem: Problem, text: str, *, table: bool = False, exemplars: Sequence[Exemplar] = ()
) -> Attempt:
    """Put an answer together and execute it."""
    try:
        written = read_program(language, problem, text, table=table, exemplars=exemplars)
    except AnswerError as error:
        return unread(error)
    return made(problem, written)


def unread(error: AnswerError) -> Attempt:
    """Return the attempt that is not of the agreed form."""
    return Attempt(f"the answer is not of the agreed form: {error}")


def made(problem: Problem, written: Written) -> Attempt:
    """Return the attempt that made a program."""
    return Attempt(None, written, tuple(problem.lettered))


@lru_cache(maxsize=_REMEMBERED)
def _execute(language: str, text: str, options: tuple[str, ...], examples: tuple[str, ...]) -> Execution:
    return execute(language, text, options, Policy(examples=examples))


def _written(program: Lines, sections: Mapping[str, Sequence[Placed]]) -> Written:
    lines: list[str] = []
    places: dict[int, str] = {}
    for heading, placed in sections.items():
        lines.append(f"{heading}:")
        for place, line in placed:
            check_answer_line(program.language, place, line)
            lines.append(line.strip())
            places[len(lines)] = place
    return Written("\n".join(lines), places, program)


def check_answer_line(language: SolverLanguage, location: str, line: str) -> None:
    """Check that a text is one line of a program; raises ``AnswerError`` naming its place."""
    try:
        check_line(line, language.headings)
    except ProgramError as error:
        raise AnswerError(f"{location}: {error}") from error


LINES_A_SENTENCE = 2
"""Lines that a schema allows for each sentence, on average."""

EXPRESSION = 100
"""Characters of an expression or symbol of a table of concepts."""

EXPRESSIONS = 12
"""Expressions of one symbol that a schema allows."""

MAX_ARITY = 6
"""Arguments of a symbol that a schema allows."""


def program_schema(
    language: SolverLanguage, problem: Problem, line: int, reasoning: int, *, table: bool = False
) -> JsonDict:
    """Return the JSON schema of an answer; ``line`` is a limit in characters, ``reasoning`` in tokens."""
    count = max(1, len(problem.statements))
    text = string(line)
    sentences = {"type": "integer", "enum": list(range(1, count + 1))}
    lines = array({"sentence": sentences, "line": text}, LINES_A_SENTENCE * count)
    letters = list(problem.by_letter) if language.asks_options else []
    most = LINES_A_SENTENCE * count + len(letters)
    expressions = {"type": "array", "items": string(EXPRESSION), "minItems": 1, "maxItems": EXPRESSIONS}
    row = {"symbol": string(EXPRESSION), "arity": arity_schema(), "expressions": expressions}
    before = {"table": array(row, LINES_A_SENTENCE * most)} if table else {}
    if not language.asks_options:
        return object_schema({**before, "lines": lines, "query": text}, reasoning)
    return object_schema({**before, **asked_of_options(letters, line, most, {"lines": lines})}, reasoning)


def asked_of_options(letters: Sequence[str], line: int, variables: int, lines: JsonDict) -> JsonDict:
    """Return the schemas of the fields that ask about options."""
    text = string(line)
    options = array({"option": {"type": "string", "enum": list(letters)}, "line": text}, len(letters))
    return {"variables": array({"name": text, "values": text}, variables), **lines, "options": options}


def string(characters: int) -> JsonDict:
    """Return the schema of a text of at most so many characters."""
    return {"type": "string", "maxLength": characters}


def arity_schema() -> JsonDict:
    """Return the schema of a number of arguments."""
    return {"type": "integer", "enum": list(range(MAX_ARITY + 1))}


def array(fields: JsonDict, most: int, least: int = 1) -> JsonDict:
    """Return the schema of a list of objects with such fields."""
    return {"type": "array", "items": object_schema(fields), "minItems": least, "maxItems": most}
