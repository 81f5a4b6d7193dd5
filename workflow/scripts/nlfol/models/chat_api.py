"""A dialogue model behind an OpenAI-compatible interface."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from nlfol.models.exchange import Exchange
from nlfol.models.request import ChatError, ChatReply, ChatRequest
from nlfol.models.sharers import Sharers
from nlfol.models.specification import ApiChatSpecification


class ApiChat:
    """Asks over the network, several requests at once.

    The seed is sent, but a provider need not honour it: what was answered is what the journal says.

    Args:
        specification: the model's entry.
        sharers: folder where jobs that ask the same interface find one another, to divide its limits; None where this
            is the only one.

    Raises:
        ChatError: if the environment variable with the key is not set.
    """

    def __init__(self, specification: ApiChatSpecification, sharers: Path | None = None) -> None:
        self.identity = specification.identity
        self._specification = specification
        self._sharers = sharers
        self._key = _key(specification)

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each as it arrives.

        Raises:
            ChatError: if the interface refuses the key, does not know the model or a parameter, has no credit left, or
                fails one request after another. What was under way is waited for and yielded before.
        """
        for group in self.answer_groups(requests):
            yield from group

    def answer_groups(self, requests: Sequence[ChatRequest]) -> Iterator[Sequence[ChatReply]]:
        """The replies of ``answer``, those that are there at one moment together.

        A reply counts as under way until the next group is asked for: never more than ``concurrency`` are lost with
        this process.
        """
        folder, entry = self._sharers, self._specification
        shared = Sharers(folder, f"{entry.url} {entry.api_key_env}") if folder else nullcontext()
        # The loop runs only while this generator is asked for the next replies, so nothing happens behind its caller's
        # back; leaving the runner cancels what is under way when the caller stops early.
        with asyncio.Runner() as runner, shared as sharers:
            exchange = Exchange(entry, self._key, requests, sharers)
            try:
                while group := runner.run(exchange.arrivals()):
                    yield group
                    exchange.release(group)
            finally:
                runner.run(exchange.close())


def _key(specification: ApiChatSpecification) -> str | None:
    variable = specification.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ChatError(f"{specification.identity}: environment variable {variable} is not set; put the key there")
    return key
