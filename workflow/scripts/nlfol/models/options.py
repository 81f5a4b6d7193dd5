"""Choices by likelihood: of the answers that a schema allows, the one that a model finds likeliest after the prompt.

An option is the whole JSON answer, as the grammar of generation writes it: ``{"answer":3}``. Its score is the sum of
the log-probabilities of its tokens, in nats, each given the prompt and those before it: the probability that the model,
left free, writes just this. It is not divided by the number of tokens, so a model may prefer short options; what that
comes to, the same choice shows with the text withheld (presentations ``blind_...``).
"""

import math
from collections.abc import Mapping, Sequence

from nlfol.facts import OPTIONED, AnswerForm
from nlfol.models.entries.base import Entry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.store.canonical import canonical


def refuse_no_choice(entry: Entry, model: str, task: str, form: AnswerForm, reasoning: int) -> None:
    """Raise ``ValueError`` if a model that only chooses is asked a task of this form, or for tokens of reasoning."""
    if getattr(entry, "answer", None) != "likelihood" or (form in OPTIONED and not reasoning):
        return
    fault = "asks for reasoning, and no option has any: set its reasoning to 0" if form in OPTIONED else "is none"
    raise ValueError(
        f"models.{model}.answer: likelihood is a choice among options; tasks.{task} {fault}; or name other models in "
        f"tasks.{task}.models"
    )


def options_of(schema: Mapping[str, object]) -> tuple[str, ...]:
    """Return the answers that a schema allows, in its order; raises ``ChatError`` if they are no lone choice."""
    properties = schema.get("properties")
    answer = properties.get("answer") if isinstance(properties, Mapping) and len(properties) == 1 else None
    options = answer.get("enum") if isinstance(answer, Mapping) else None
    if not isinstance(options, list):
        raise ChatError(
            "answer: likelihood chooses among the values of one field, without reasoning; an answer of this schema has "
            f"others: {canonical(schema)[:200]}"
        )
    return tuple(canonical({"answer": value}) for value in options)


def chosen(request: ChatRequest, scores: Sequence[float], **more: int | float | str | None) -> ChatReply:
    """Return the reply that names the likeliest option, the first of equal ones, by the log-probability of each.

    Its own log-probability is that among the options, whose probabilities sum to 1, and it counts as one token.
    """
    best = max(range(len(scores)), key=lambda place: (scores[place], -place))
    total = math.fsum(math.exp(score - scores[best]) for score in scores)
    return ChatReply(
        request.key,
        Ending.ANSWERED,
        text=options_of(request.answer_schema)[best],
        logprob=-math.log(total),
        logprob_tokens=1,
        **more,  # type: ignore[arg-type]
    )
