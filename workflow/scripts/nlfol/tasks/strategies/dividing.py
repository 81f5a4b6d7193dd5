"""Divide and Translate: sentences are divided into units, which are translated and composed to lines.

The source is CLOVER (Ryu, Kim, Lee and Yang, "Divide and Translate: Compositional First-Order Logic Translation and
Verification for Complex Logical Reasoning", ICLR 2025). It parses each sentence into atomic units and their logical
dependents, translates the parts sentence by sentence from the smallest to the whole, several times, and chooses among
the formulas by a solver: of those it takes one to which most are equivalent, or has the model judge structures that
tell two apart. Here it is four steps for a whole problem, in one dialogue: all sentences are divided, all units
translated, all lines composed, and the program, with the solver's message, is checked once. With several ``drafts`` the
lines are composed as often from the same translations, and in place of the check those count that most agree on; the
model is not asked about structures.
"""

from collections.abc import Collection, Sequence
from typing import Annotated

from pydantic import Field, StrictInt, StrictStr
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.problems.problem import Problem
from nlfol.problems.programs.language import QUERY, SolverLanguage
from nlfol.tasks.answers import JsonAnswer, object_schema, read_form
from nlfol.tasks.item import numbered
from nlfol.tasks.plan import Reply, Step, Turn
from nlfol.tasks.program_answers import Attempt, array, made, program_schema, read_program, string
from nlfol.tasks.program_gold import Translation
from nlfol.tasks.strategies.drafting import agreed_on
from nlfol.tasks.strategies.strategy import About, Staged, Text, is_answered, read_attempt

DIVISION, TRANSLATION, COMPOSITION, CHECK = PARTS = ("division", "translation", "composition", "check")

_COMPOSED = PARTS.index(COMPOSITION)

UNITS_A_SENTENCE = 4
"""Units that a schema allows for each sentence, on average."""

MAX_UNITS = 1_000
"""Units that are read."""


class _Unit(JsonAnswer):
    place: StrictStr
    unit: StrictStr


class _Divided(JsonAnswer):
    reasoning: StrictStr = ""
    units: Annotated[list[_Unit], Field(min_length=1, max_length=MAX_UNITS)]


class _Said(JsonAnswer):
    unit: StrictInt
    line: StrictStr


class _Translated(JsonAnswer):
    reasoning: StrictStr = ""
    units: list[_Said]


class Dividing(Staged):
    """Four steps; the program that was checked counts. Without the last, that on which most compositions agree."""

    keys = frozenset({"drafts"})

    @override
    def most_steps(self, about: About) -> int:
        return len(PARTS) if about.drafts == 1 else _COMPOSED + about.drafts

    @override
    def first_draft(self, about: About) -> int | None:
        return _COMPOSED if about.drafts > 1 else None

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        draw = 0
        if about.drafts > 1 and len(replies) > _COMPOSED:
            draw, replies = len(replies) - _COMPOSED, replies[:_COMPOSED]
        index, system = len(replies), text("divide", drafts=about.drafts)
        earlier: list[Turn] = []
        for number, reply in enumerate(replies):
            earlier += [Turn("user", self._user(about, replies[:number], text)), Turn("assistant", reply.said)]
        user = self._user(about, replies, text)
        count = None
        if PARTS[index] == TRANSLATION:
            count = len(read_form(replies[0].answer, _Divided).units)
        return Step(PARTS[index], system, user, _schema(about, PARTS[index], count), earlier=tuple(earlier), draw=draw)

    @override
    def check_answers(self, about: About, replies: Sequence[Reply]) -> None:
        for part, reply in zip(PARTS[:2], replies, strict=False):
            self.check(about, part, reply.answer)

    @override
    def whole(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        if about.drafts == 1:
            return read_attempt(about, replies[-1])
        drafts = replies[_COMPOSED:]
        attempts = {number: read_attempt(about, draft) for number, draft in enumerate(drafts) if is_answered(draft)}
        written = [attempt.written for attempt in attempts.values() if attempt.written is not None]
        return made(about.problem, agreed_on(about, written)) if written else attempts.get(0, drafts[0])

    @override
    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        """Return all steps, but of several drafts the one alone that is the program, if there is one."""
        result = self.result(about, replies)
        if about.drafts == 1 or not isinstance(result, Attempt):
            return super().counting(about, replies)
        drafts = range(_COMPOSED, len(replies))
        chosen = [number for number in drafts if read_attempt(about, replies[number]).written == result.written]
        return [*range(_COMPOSED), *chosen[:1]]

    @override
    def agreed(self, about: About, part: str) -> JsonDict:
        return _schema(about, part)

    @override
    def check(self, about: About, part: str, text: str) -> None:
        match part:
            case "division":
                read_form(text, _Divided)
            case "translation":
                read_form(text, _Translated)
            case _:
                read_program(about.language, about.problem, text, exemplars=about.item.exemplars)

    @override
    def answer(self, translation: Translation, part: str, number: int) -> JsonDict:
        lines = {**{str(place): line for place, line in translation.lines.items()}, **translation.asked}
        match part:
            case "division":
                texts = _texts(translation.problem, translation.language)
                return {"units": [{"place": place, "unit": texts[place]} for place in lines]}
            case "translation":
                return {"units": [{"unit": unit, "line": line} for unit, line in enumerate(lines.values(), 1)]}
            case _:
                return translation.answer

    def _user(self, about: About, replies: Sequence[Reply], text: Text) -> str:
        part = PARTS[len(replies)]
        if part == DIVISION:
            return text(DIVISION, places=list(_texts(about.problem, about.language)))
        if part == TRANSLATION:
            units = read_form(replies[0].answer, _Divided).units
            return text(TRANSLATION, units=numbered([f"({unit.place}) {unit.unit}" for unit in units]))
        if part == COMPOSITION:
            return text(COMPOSITION)
        attempt = read_attempt(about, replies[-1])
        return text(CHECK, message=attempt.message)


def _schema(about: About, part: str, units: int | None = None) -> JsonDict:
    """Return the schema of a step; ``units`` is how many there are to translate, if that is known."""
    line = string(about.line)
    if part == DIVISION:
        places = list(_texts(about.problem, about.language))
        fields = {"place": {"type": "string", "enum": places}, "unit": line}
        return object_schema({"units": array(fields, UNITS_A_SENTENCE * len(places))}, about.reasoning)
    if part == TRANSLATION:
        number: JsonDict = {"type": "integer"}
        if units is not None:
            number["enum"] = list(range(1, units + 1))
        return object_schema({"units": array({"unit": number, "line": line}, units or MAX_UNITS)}, about.reasoning)
    return program_schema(about.language, about.problem, about.line, about.reasoning)


def _texts(problem: Problem, language: SolverLanguage) -> dict[str, str]:
    """Return the text at each place that a program has lines for."""
    places = {str(number): statement.text for number, statement in enumerate(problem.statements, 1)}
    if language.asks_options:
        return places | {letter: option.text for letter, option in problem.by_letter.items()}
    return {**places, QUERY: problem.question.text}
