"""Scoring and asking from a row alone: ``nlfol.score`` and ``nlfol.dialogue``, for harnesses, rewards and scripts.

A row is a mapping with the columns of ITEMS that tasks read (``Item.to_row``), a JSON object, and these keys:

====================  ==================================================================================================
``task``              the kind of task, such as ``"ranking"``, or its entry: ``{"task": "ranking", "prompt": ...}``
``presentation``      how candidates, examples or partners are shown; by default the entry's first
``seed``              the model's seed, from which the order of candidates is drawn; by default 0
``experiment_seed``   that of the configuration; by default ``randomness.SEED``
====================  ==================================================================================================

A reply is a text, None if none came, or a mapping with ``answer`` and ``outcome``, such as a row of RESPONSES
(``truncated``, ``refused``; ``plan.Reply``), whose ``order`` replaces the one drawn. Replies are untrusted: bounded,
never evaluated, and no error in judging one is raised. The row is trusted: ``ValueError`` says what is wrong with it.
Nothing is read from files but prompts, and word lists of tasks that need them; nothing is kept but caches. What
judges is imported with the first question or score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nlfol.installed import needed_by

if TYPE_CHECKING:
    from nlfol.mappings import JsonObject
    from nlfol.tasks.asked import Answer
    from nlfol.tasks.task import Judgement


@dataclass(frozen=True, slots=True)
class Question:
    """A request: ``messages`` as chat interfaces take them, and the JSON ``schema`` of the answer.

    ``part`` names the step of a task of several, ``order`` the candidate shown at each place.
    """

    messages: tuple[Mapping[str, str], ...]
    schema: JsonObject
    part: str
    order: tuple[int, ...]


def dialogue(row: JsonObject, replies: Sequence[Answer] = (), *, plain: bool = False) -> Question | None:
    """Return what is asked after the replies so far; None at the dialogue's end.

    With ``plain`` the prompts ask for plain text in place of a JSON object, as for servers that ignore schemas. Raises
    ``ValueError`` if the row is at fault.
    """
    with needed_by("nlfol.dialogue"):
        from nlfol.tasks.asked import Asked, prompts_of
        from nlfol.tasks.plan import Step

    asked = Asked.of(row, prompts_of(plain))
    _, following = asked.replayed(replies, plain=plain)
    if not isinstance(following, Step):
        return None
    turns = [("system", following.system), *((turn.role, turn.content) for turn in following.earlier)]
    messages = tuple({"role": role, "content": str(text)} for role, text in (*turns, ("user", following.user)))
    return Question(messages, following.schema, following.part, following.order)


def score(
    row: JsonObject, answer: Answer | Sequence[Answer], *, plain: bool = False, explain: bool = False
) -> Judgement:
    """Judge an answer, or the replies to all steps of a dialogue: scores by metric, the leading one first.

    A reply that is missing counts as failed; those after the dialogue's end are ignored. With ``explain`` the judgement
    has its evidence, such as a counter-model; without, metrics that are evidence are NaN. Where metrics are about
    different answers, as in round trips, the evidence is that of the first metric. ``plain`` as of ``dialogue``. Raises
    ``ValueError`` if the row is at fault.
    """
    with needed_by("nlfol.score"):
        from nlfol.tasks.asked import Asked
        from nlfol.tasks.judging import judgements
        from nlfol.tasks.plan import NoPrompts, Reply, Step

    asked = Asked.of(row, NoPrompts())
    replies = [answer] if answer is None or isinstance(answer, str | Mapping) else answer
    taken, following = asked.replayed(replies, plain=plain)
    if isinstance(following, Step):
        taken.append(Reply(following.part, "failed", None, following.order, "there is no reply"))
    judged = judgements(asked.task, asked.item, taken, plain=plain)
    if explain:
        from nlfol.tasks.explaining import with_evidence
        from nlfol.tasks.metrics import beside

        judged = beside("the evidence", with_evidence, asked.task, asked.item, judged) or judged
    first, *others = judged
    return replace(first, scores={**first.scores, **{name: s for other in others for name, s in other.scores.items()}})
