"""Assembling: the choice of one sentence for each statement of a problem; a stage of diversified datasets.

An item is a problem. Its members are the sentences for its statements, with the place of the statement as formula, the
statement as it is first; statements with one sentence alone have none. No task of a configuration is of this kind: a
dataset with ``protocol: paper`` asks it of its ``assembler``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from pydantic import StrictInt
from typing_extensions import override

from nlfol.mappings import JsonObject
from nlfol.problems.problem import plain
from nlfol.tasks.answers import AnswerError, JsonAnswer, object_schema, read_form
from nlfol.tasks.entry import Reasoning, TaskEntry
from nlfol.tasks.item import Item, Member
from nlfol.tasks.rewriting import StageTask

_EXPECTED = 5
"""Sentences for a statement beside the statement itself that an estimate assumes."""


class AssemblingEntry(TaskEntry):
    """Sentences for statements to one for each."""

    task: Literal["assembling"] = "assembling"
    reasoning: Reasoning = 0


class _Choice(JsonAnswer):
    statement: StrictInt
    sentence: StrictInt


class _Answer(JsonAnswer):
    choices: list[_Choice]


class Assembling(StageTask[AssemblingEntry]):
    """Scored by nothing: its answers are choices."""

    kind = "assembling"
    entry_type = AssemblingEntry

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        sets = offered(item)
        statements = [
            {"number": index + 1, "sentences": list(enumerate(sets.get(index, [statement.text]), 1))}
            for index, statement in enumerate(item.asked.statements)
        ]
        return {"statements": statements, "open": [index + 1 for index in sets]}

    @override
    def schema(self, item: Item) -> JsonObject:
        sets = offered(item)
        most = max(map(len, sets.values()))
        choice = object_schema(
            {
                "statement": {"type": "integer", "enum": [index + 1 for index in sets]},
                "sentence": {"type": "integer", "enum": list(range(1, most + 1))},
            }
        )
        choices = {"type": "array", "items": choice, "minItems": len(sets), "maxItems": len(sets)}
        return object_schema({"choices": choices})

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        """Check what a schema can demand; ``choices`` checks the rest."""
        sets = offered(item)
        most = max(map(len, sets.values()))
        for choice in read_form(text, _Answer).choices:
            if choice.statement - 1 not in sets or not 1 <= choice.sentence <= most:
                raise AnswerError(f"statement {choice.statement}, sentence {choice.sentence}: there is no such choice")

    def choices(self, item: Item, text: str) -> tuple[dict[int, int], dict[int, str]]:
        """Return the place of each statement's chosen sentence, and why others have none; raises ``AnswerError``."""
        sets = offered(item)
        named: dict[int, list[int]] = {}
        for choice in read_form(text, _Answer).choices:
            named.setdefault(choice.statement - 1, []).append(choice.sentence - 1)
        chosen: dict[int, int] = {}
        faults: dict[int, str] = {}
        for index, sentences in sets.items():
            match named.get(index, []):
                case [number] if 0 <= number < len(sentences):
                    chosen[index] = number
                case [number]:
                    faults[index] = f"statement {index + 1}: there is no sentence {number + 1}"
                case []:
                    faults[index] = f"statement {index + 1}: none is chosen"
                case several:
                    faults[index] = f"statement {index + 1}: {len(several)} are chosen"
        return chosen, faults

    @override
    def expected(self, earlier: Sequence[Item]) -> Sequence[Item]:
        """Return problems with five sentences beside the original for each statement to be rewritten."""
        problems = []
        for name, group in groupby(earlier, key=lambda item: item.story):
            items = list(group)
            sentences = [(index, item) for index, item in enumerate(items) for _ in range(1 + _EXPECTED)]
            members = tuple(Member(str(index), item.text, "") for index, item in sentences)
            problem = replace(items[0].asked, statements=plain([item.text for item in items]))
            problems.append(Item(name, name, "", "", items[0].ontology, members, problem=problem))
        return problems


def offered(item: Item) -> dict[int, list[str]]:
    """Return the sentences for each statement that has several, by its place."""
    return {
        int(index): [member.english for member in members]
        for index, members in groupby(item.members, key=lambda member: member.formula)
    }
