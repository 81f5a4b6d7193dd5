"""Choices by likelihood of a model behind an interface: a request for each option, and one reply for all."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from typing_extensions import override

from nlfol.models.api.chat import ApiChat
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.likelihood import chosen, told_apart
from nlfol.models.providers.option_likelihoods import OptionLikelihoods
from nlfol.models.request import ChatReply, ChatRequest, Feed


class ApiOptions(ApiChat):
    """A model that writes nothing, but chooses among options by ``nlfol.models.likelihood``."""

    def __init__(self, entry: ApiChatEntry, *others: Any, **named: Any) -> None:
        super().__init__(entry, *others, **named)
        self._provider = OptionLikelihoods(self._entry)  # type: ignore[arg-type]  # the entry, with its server's address

    @override
    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies to all that wait now, each when all its options are told; raises as ``deliver``."""
        asked = {request.key: request for request in feed.drain()}
        parts = {key: told_apart(request) for key, request in asked.items()}
        whole = {part.key: key for key, of in parts.items() for part in of}
        told: dict[str, ChatReply] = {}
        for group in super().answer_feed(Feed([part for of in parts.values() for part in of])):
            told |= {reply.key: reply for reply in group}
            ready = {whole[reply.key] for reply in group if all(part.key in told for part in parts[whole[reply.key]])}
            if ready:
                yield [_joined(asked[key], [told.pop(part.key) for part in parts[key]]) for key in sorted(ready)]


def _joined(request: ChatRequest, told: Sequence[ChatReply]) -> ChatReply:
    """Return the reply to a request by those to its options; without one of them, the failure of that."""
    failed = next((reply for reply in told if reply.logprob is None), None)
    if failed is not None:
        return replace(failed, key=request.key)
    last, counts = told[-1], [(reply.prompt_tokens or 0, reply.completion_tokens or 0) for reply in told]
    return chosen(
        request,
        [reply.logprob for reply in told if reply.logprob is not None],
        prompt_tokens=sum(prompt for prompt, _ in counts),
        completion_tokens=sum(completion for _, completion in counts),
        seconds=sum(reply.seconds or 0.0 for reply in told),
        served_model=last.served_model,
        engine=last.engine,
        attempts=max(reply.attempts or 1 for reply in told),
        lost=sum(reply.lost or 0 for reply in told) or None,
    )
