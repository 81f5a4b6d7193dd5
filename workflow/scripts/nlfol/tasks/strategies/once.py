"""A program in one answer, as Logic-LM asks for it (Pan et al., Findings of EMNLP 2023).

``tuned`` adds an instruction on one symbol for one concept, with examples that show it. ``concept_table`` has the table
of concepts first: MenTaL in context. Both are of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across
Linguistically Diversified Texts?"; the words are ours.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from typing_extensions import override

from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.program_answers import Attempt, attempt, program_schema, read_program
from nlfol.tasks.program_gold import Translation
from nlfol.tasks.strategies.strategy import About, Strategy, Text, ended, is_answered


class Once(Strategy):
    """One request for the whole program."""

    is_dialogue = False
    has_table: ClassVar[bool] = False

    @override
    def most_steps(self, about: About) -> int:
        return 1

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        return (ended(replies) or "completed") if replies else None

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        return Step("program", text("system"), text("user"), self.schema(about))

    def schema(self, about: About) -> dict[str, Any]:
        """Return the schema of a program."""
        return program_schema(about.language, about.problem, about.line, about.reasoning, table=self.has_table)

    def attempt(self, about: About, reply: Reply) -> Attempt:
        """Return the program of an answer."""
        return attempt(about.language, about.problem, reply.text or "", table=self.has_table)

    @override
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        last = replies[-1]
        return self.attempt(about, last) if is_answered(last) else last

    @override
    def check(self, about: About, part: str, text: str) -> None:
        read_program(about.language, about.problem, text, table=self.has_table)

    @override
    def answer(self, translation: Translation, part: str, number: int) -> dict[str, Any]:
        before = {"table": translation.table_answer} if self.has_table else {}
        return {**before, **translation.answer}

    @override
    def example(self, translation: Translation) -> Any:
        return self.answer(translation, "program", 0)


class Tuned(Once):
    """One symbol for one concept is asked for."""

    wants_words = True


class ByTable(Once):
    """The table of concepts comes first."""

    wants_words = True
    has_table = True
