"""Rewriting: a statement whose expressions recur elsewhere, in other words; a stage of diversified datasets.

An item is a statement. Its members are its repeated expressions, with the concept as formula: ``wanted`` those for
which no lexicon has other words, ``repeated`` the others. Its problem has the statement, behind the one before.
No task of a configuration is of this kind: a dataset with ``protocol: paper`` asks it of its ``rewriter``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import PositiveInt, StrictStr
from typing_extensions import override

from nlfol.mappings import JsonObject
from nlfol.tasks.answers import AnswerError, JsonAnswer, object_schema, read_form
from nlfol.tasks.entry import Limits, Reasoning, TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.task import E, Judgement, OneStepTask

WANTED, REPEATED = "wanted", "repeated"
"""Roles of the members of an item of rewriting: expressions without other words in any lexicon, and the others."""

OF_WORDS = ("synonym", "phrase")
OF_SENTENCES = ("voice", "reference")

MALFORMED, UNCHANGED, NOT_SAID = "malformed", "unchanged", "not_said"

_MOST = 10
"""Rewrites of a statement."""


class StageTask(OneStepTask[E]):
    """A task on problems whose answers make a dataset."""

    metrics = ()
    takes = frozenset({"problems"})
    asks_all = True

    @override
    def chance(self, item: Item) -> Judgement:
        """Raise ``TypeError``: no answer is judged."""
        raise TypeError(f"{self.kind} is judged by nothing")


class RewritingLimits(Limits):
    """Limits of an answer's strings."""

    sentence: PositiveInt = 500
    """Most characters of a sentence."""
    words: PositiveInt = 100
    """Most characters of the words that are replaced."""


class RewritingEntry(TaskEntry):
    """Statements to other words for them."""

    task: Literal["rewriting"] = "rewriting"
    reasoning: Reasoning = 0
    limits: RewritingLimits = RewritingLimits()


class Rewritten(NamedTuple):
    """A statement in other words; ``reason`` says why it is not used."""

    type: str
    before: str
    after: str
    sentence: str
    reason: str | None = None


class _Rewrite(JsonAnswer):
    type: StrictStr
    expression: StrictStr
    replacement: StrictStr
    sentence: StrictStr


class _Answer(JsonAnswer):
    rewrites: list[_Rewrite]


class Rewriting(StageTask[RewritingEntry]):
    """Scored by nothing: its answers are proposals."""

    kind = "rewriting"
    entry_type = RewritingEntry

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        statements = item.asked.statements
        return {
            "before": statements[0].text if len(statements) > 1 else None,
            "wanted": _expressions(item, WANTED),
            "repeated": _expressions(item, REPEATED, WANTED),
            "most": _MOST,
            "limits": self.entry.limits,
        }

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        for rewrite in read_form(text, _Answer).rewrites:
            if rewrite.expression not in _expressions(item, REPEATED, WANTED):
                raise AnswerError(f"expression {rewrite.expression[:60]!r} was not named")
            if rewrite.type not in _types(item):
                raise AnswerError(f"type {rewrite.type[:60]!r} is not one of {', '.join(_types(item))}")

    def rewritten(self, item: Item, text: str) -> Iterator[Rewritten]:
        """Yield the rewrites of an answer, unusable ones with their reason; raises ``AnswerError`` for another form."""
        self.check(item, "", text)
        seen = {item.text}
        for rewrite in read_form(text, _Answer).rewrites[:_MOST]:
            sentence, after = " ".join(rewrite.sentence.split()), " ".join(rewrite.replacement.split())
            reason = None
            if sentence in seen or after.lower() == rewrite.expression.lower():
                reason = UNCHANGED
            elif len(sentence) > self.entry.limits.sentence or len(after) > self.entry.limits.words:
                reason = MALFORMED
            elif not after or after.lower() not in sentence.lower():
                reason = NOT_SAID
            seen.add(sentence)
            yield Rewritten(rewrite.type, rewrite.expression, after, sentence, reason)

    @override
    def schema(self, item: Item) -> JsonObject:
        limits = self.entry.limits
        rewrite = object_schema(
            {
                "type": {"type": "string", "enum": list(_types(item))},
                "expression": {"type": "string", "enum": _expressions(item, REPEATED, WANTED)},
                "replacement": {"type": "string", "maxLength": limits.words},
                "sentence": {"type": "string", "maxLength": limits.sentence},
            }
        )
        return object_schema({"rewrites": {"type": "array", "items": rewrite, "minItems": 1, "maxItems": _MOST}})


def _types(item: Item) -> Sequence[str]:
    return (*OF_WORDS, *OF_SENTENCES) if _expressions(item, WANTED) else OF_SENTENCES


def _expressions(item: Item, *roles: str) -> list[str]:
    return list(dict.fromkeys(member.english for member in item.members if member.role in roles))
