"""A program sentence by sentence, with a table of concepts that grows: MenTaL, Algorithm 1.

The source is "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across Linguistically Diversified Texts?",
which lets the model do all of it in one answer. Here a step shows the problem, the lines and the table so far, and asks
for the lines of one sentence, or at the end for what is asked, with operations on the table; ``concepts`` does these,
and rewrites earlier lines.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field, StrictStr
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.problems.programs.language import QUERY
from nlfol.tasks import program_answers as answers
from nlfol.tasks.answers import JsonAnswer, object_schema, read_form
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.program_gold import Translation
from nlfol.tasks.strategies.concepts import Concepts, Operation
from nlfol.tasks.strategies.strategy import About, Staged, Text

SENTENCE, ASKED = "sentence", "question"

LINES = 4
"""Lines of a sentence that are read."""

OPERATIONS = 16
"""Operations of a step that are read."""


class _Done(JsonAnswer):
    reasoning: StrictStr = ""
    operations: Annotated[list[Operation], Field(max_length=OPERATIONS)]


class _OfSentence(_Done):
    lines: Annotated[list[StrictStr], Field(max_length=LINES)]


class _OfQuery(_Done):
    query: StrictStr


class _OfOptions(_Done):
    variables: list[answers.Variable]
    options: list[answers.Option]


class Stepwise(Staged):
    """One step a sentence, and one for what is asked."""

    wants_words = True

    @override
    def most_steps(self, about: About) -> int:
        return len(about.problem.statements) + 1

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        concepts, number = self._concepts(about, replies), len(replies) + 1
        is_asked = number == self.most_steps(about)
        lines = [(place, line) for place, texts in concepts.lines.items() for line in texts]
        user = text(
            "stepwise_user",
            lines=lines,
            rows=concepts.rows,
            refused=concepts.refused,
            number=None if is_asked else number,
            sentence="" if is_asked else about.problem.statements[number - 1].text,
        )
        part = ASKED if is_asked else SENTENCE
        return Step(part, text("stepwise", steps=_steps), user, _schema(about, part))

    @override
    def check_answers(self, about: About, replies: Sequence[Reply]) -> None:
        self._concepts(about, replies)

    @override
    def whole(self, about: About, replies: Sequence[Reply]) -> answers.Attempt:
        concepts = self._concepts(about, replies)
        last = _read(about, ASKED, replies[-1].answer)
        lines = [(int(place), line) for place, texts in concepts.lines.items() if place != QUERY for line in texts]
        if isinstance(last, _OfOptions):
            written = answers.put_together(about.language, about.problem, lines, last.options, last.variables)
        else:
            written = answers.put_together(about.language, about.problem, lines, concepts.lines[QUERY][0])
        table = tuple((row.symbol, row.expressions) for row in concepts.rows if row.expressions)
        return answers.made(about.problem, replace(written, table=table))

    @override
    def agreed(self, about: About, part: str) -> JsonDict:
        return _schema(about, part)

    @override
    def check(self, about: About, part: str, text: str) -> None:
        _read(about, part, text)

    @override
    def answer(self, translation: Translation, part: str, number: int) -> JsonDict:
        steps = self.example(translation)
        return steps[-1] if part == ASKED else steps[number]

    @override
    def example(self, translation: Translation) -> list[JsonDict]:
        operations: dict[str, list[JsonDict]] = {}
        expressions, symbols = set[str](), set[str]()
        for place, expression, symbol, arity, modifier in translation.meanings:
            if expression.casefold() not in expressions:
                kind = "refine" if modifier else "reuse" if symbol in symbols else "extend"
                named = {"expression": expression, "symbol": symbol, "arity": arity, "modifier": modifier}
                operations.setdefault(place, []).append({"operation": kind, **named})
            expressions.add(expression.casefold())
            symbols |= {symbol, modifier}
        steps: list[JsonDict] = []
        for number in range(1, len(translation.problem.statements) + 1):
            lines = [translation.lines[number]] if number in translation.lines else []
            steps.append({"operations": operations.get(str(number), []), "lines": lines})
        last = [operation for place in translation.asked for operation in operations.get(place, [])]
        if translation.language.asks_options:
            return [*steps, {"operations": last, **translation.arrangement, "options": translation.options}]
        return [*steps, {"operations": last, "query": translation.asked[QUERY]}]

    def _concepts(self, about: About, replies: Sequence[Reply]) -> Concepts:
        """Return the table after some replies; raises ``AnswerError`` if one is not of the agreed form."""
        concepts = Concepts(about.language)
        for number, reply in enumerate(replies, 1):
            part = ASKED if number == self.most_steps(about) else SENTENCE
            answer = _read(about, part, reply.answer, number)
            lines = {}
            if isinstance(answer, _OfSentence):
                lines[str(number)] = tuple(line for line in answer.lines if line.strip())
            elif isinstance(answer, _OfQuery):
                lines[QUERY] = (answer.query,)
            concepts = concepts.after(answer.operations, lines)
        return concepts


def _read(about: About, part: str, text: str, number: int = 0) -> _OfSentence | _OfQuery | _OfOptions:
    if part == SENTENCE:
        answer = read_form(text, _OfSentence)
        for line in answer.lines:
            if line.strip():
                answers.check_answer_line(about.language, f"sentence {number}" if number else "a line", line)
        return answer
    if about.language.asks_options:
        return read_form(text, _OfOptions)
    asked = read_form(text, _OfQuery)
    answers.check_answer_line(about.language, "query", asked.query)
    return asked


def _schema(about: About, part: str) -> JsonDict:
    name = answers.string(answers.EXPRESSION)
    kinds = {"type": "string", "enum": ["reuse", "extend", "refine"]}
    operation = {
        "operation": kinds,
        "expression": name,
        "symbol": name,
        "arity": answers.arity_schema(),
        "modifier": name,
    }
    fields: JsonDict = {"operations": answers.array(operation, OPERATIONS, least=0)}
    if part == SENTENCE:
        fields["lines"] = {"type": "array", "items": answers.string(about.line), "minItems": 0, "maxItems": LINES}
    elif about.language.asks_options:
        letters = list(about.problem.by_letter)
        most = answers.LINES_A_SENTENCE * max(1, len(about.problem.statements)) + len(letters)
        fields |= answers.asked_of_options(letters, about.line, most, {})
    else:
        fields["query"] = answers.string(about.line)
    return object_schema(fields, about.reasoning)


def _steps(formula: str) -> list[str]:
    return [json.dumps(step, ensure_ascii=False) for step in json.loads(formula)]
