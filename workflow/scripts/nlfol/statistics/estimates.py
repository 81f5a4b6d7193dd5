"""What asking would take, before anything is asked: requests, tokens and cost of what the journal does not answer yet.

Prompts are counted exactly where the model's tokenizer lies here. Otherwise their characters are divided by
characters a token: as the journal has it for answers of the model, or else by 3. Of completions there is an upper
bound, the limit of the entry, and an expectation, the mean of what the journal holds: for the task where there is
such, or else for any. The highest cost is what a budget reserves: it relies on no count of a prompt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from nlfol.asking.dialogue import Dialogue
from nlfol.models.entries.prices import Price
from nlfol.models.journal.reading import Record
from nlfol.models.request import ChatRequest, Ending

CHARACTERS_A_TOKEN = 3.0
"""SmolLM2's tokenizer has 2.4 (most similar, shown as formulas) to 3.5 (ranking, in English) on the tarski dataset."""
Count = Callable[[ChatRequest], int]


@dataclass(frozen=True, slots=True)
class Measured:
    """What journals say of a model's answers.

    Attributes:
        characters: a token of its prompts; None where nothing is known.
        completion: tokens of a completion, on average; likewise.
    """

    characters: float | None
    completion: float | None


def measured(records: Iterable[Record]) -> Measured:
    """What some of a model's records say."""
    characters = prompts = completions = answers = 0
    for request, reply in records:
        if reply.prompt_tokens and reply.completion_tokens is not None:
            characters += sum(len(message["content"]) for message in request["messages"])
            prompts += reply.prompt_tokens
            completions += reply.completion_tokens
            answers += 1
    return Measured(characters / prompts, completions / answers) if answers else Measured(None, None)


def estimate(
    dialogues: Sequence[Dialogue],
    answers: Iterable[Record],
    *,
    all_answers: Iterable[Record],
    price: Price | None,
    batch: bool,
    count: Count | None,
) -> dict[str, Any]:
    """What one model's requests for one task and dataset would take.

    Args:
        dialogues: all of them, not begun.
        answers: the records of their journal.
        all_answers: the records of all of the model's journals.
        price: None where nobody says.
        batch: whether what is left would go in batches.
        count: tokens of a prompt by the model's own tokenizer; None where it is not here.

    Returns:
        requests, answered, left: those known of; following, following_most: those that may follow what is left, as
        often as dialogues went on in the journal, and at most. Of all that are left: prompt_tokens, counted_by,
        completion_tokens (None where nothing is known), completion_most, cost (likewise), cost_most (an upper bound),
        currency.
    """
    records = list(answers)
    done = {reply.key: reply for _, reply in records if reply.outcome is not Ending.FAILED}
    open_ends = [(dialogue, request) for dialogue in dialogues if (request := dialogue.replay(done.get)) is not None]
    known = {each.request.key for dialogue in dialogues for each in dialogue.exchanged}
    left = {request.key: request for _, request in open_ends}
    shares = went_on(dialogues)
    after = {
        request.key: (_most(dialogue) - len(dialogue.exchanged) - 1, _expected(dialogue, shares))
        for dialogue, request in open_ends
    }
    following, following_most = sum(share for _, share in after.values()), sum(most for most, _ in after.values())
    of_task, of_all = measured(records), measured(all_answers)
    prompt, counted_by = _prompts(list(left.values()), of_all.characters, count)
    # What follows is taken to be as long as what it follows.
    prompt = round(prompt * (1 + following / len(left))) if left else prompt
    each = of_task.completion if of_task.completion is not None else of_all.completion
    expected = 0 if not left else None if each is None else round(each * (len(left) + following))
    most = sum(request.max_tokens * (1 + after[key][0]) for key, request in left.items())

    def bound(request: ChatRequest) -> float:
        if price is None:
            return 0.0
        put, steps = json.loads(request.canonical()), after[request.key][0]
        return price.bound(put, batch=batch) + price.bound_of_following(put, steps, batch=batch)

    return {
        "requests": len(known | left.keys()),
        "answered": len(known),
        "left": len(left),
        "following": round(following),
        "following_most": following_most,
        "prompt_tokens": prompt,
        "counted_by": counted_by,
        "completion_tokens": expected,
        "completion_most": most,
        "cost": None if price is None or expected is None else price.of(prompt, 0, expected, batch=batch),
        "cost_most": None if price is None else fsum(map(bound, left.values())),
        "currency": None if price is None else price.currency,
    }


def went_on(dialogues: Iterable[Dialogue]) -> dict[int, float]:
    """Of the dialogues with so many replies, the share that asked for another one."""
    reached: Counter[int] = Counter()
    further: Counter[int] = Counter()
    for dialogue in dialogues:
        replies = len(dialogue.exchanged)
        reached.update(range(1, replies + 1))
        further.update(range(1, replies + (dialogue.asked is not None)))
    return {replies: further[replies] / count for replies, count in reached.items()}


def _expected(dialogue: Dialogue, shares: Mapping[int, float]) -> float:
    """How many steps follow the one that waits; where the journal has no such dialogue, each is taken to follow."""
    expected, chance = 0.0, 1.0
    for replies in range(len(dialogue.exchanged) + 1, _most(dialogue)):
        chance *= shares.get(replies, 1.0)
        expected += chance
    return expected


def _most(dialogue: Dialogue) -> int:
    return dialogue.plan.most_steps(dialogue.item)


def estimate_texts(texts: Iterable[str], left: Iterable[str], price: Price | None) -> dict[str, Any]:
    """What encoding some texts by an embedding model behind an interface would take; as ``estimate``.

    Args:
        texts: all of them, with the prompts of their roles.
        left: those of them that have no vector yet.
        price: None where nobody says.
    """
    everything, missing = list(texts), list(left)
    tokens = round(sum(map(len, missing)) / CHARACTERS_A_TOKEN)
    cost = None if price is None else price.of(tokens, 0, 0, batch=False)
    return {
        "requests": len(everything),
        "answered": len(everything) - len(missing),
        "left": len(missing),
        "following": 0,
        "following_most": 0,
        "prompt_tokens": tokens,
        "counted_by": _by_characters("characters", CHARACTERS_A_TOKEN),
        "completion_tokens": 0,
        "completion_most": 0,
        "cost": cost,
        "cost_most": None if price is None else price.bound_of_texts(missing),
        "currency": None if price is None else price.currency,
    }


def _by_characters(source: str, each: float) -> str:
    return f"{source} / {each:.2f}"


def _prompts(left: Sequence[ChatRequest], known: float | None, count: Count | None) -> tuple[int, str]:
    if count is not None:
        return sum(map(count, left)), "tokenizer"
    characters = sum(len(message.content) for request in left for message in request.messages)
    each = known or CHARACTERS_A_TOKEN
    return round(characters / each), _by_characters("journal" if known else "characters", each)


def total(rows: Sequence[Mapping[str, Any]], currency: str) -> tuple[float | None, float]:
    """The expected cost of what is left, None where a part of it is unknown, and the highest, in a currency."""
    chosen = [row for row in rows if row["currency"] == currency]
    expected = [row["cost"] for row in chosen]
    return None if None in expected else sum(expected), sum(row["cost_most"] for row in chosen)
