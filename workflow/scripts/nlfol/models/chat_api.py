"""A dialogue model behind an OpenAI-compatible interface."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from nlfol.models.exchange import Exchange
from nlfol.models.ledger import Ledger
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
        ledger: the budget; None where there is none.

    Raises:
        ChatError: if the environment variable with the key is not set.
    """

    def __init__(
        self, specification: ApiChatSpecification, sharers: Path | None = None, ledger: Ledger | None = None
    ) -> None:
        self.identity = specification.identity
        self._specification = specification
        self._sharers = sharers
        self._ledger = ledger
        self._key = key_of(specification)

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
        this process. While its caller keeps a group, others may arrive; when the caller stops, all is cancelled.
        """
        folder, entry = self._sharers, self._specification
        shared = Sharers(folder, f"{entry.url} {entry.api_key_env}") if folder else nullcontext()
        with shared as sharers, self._ledger or nullcontext():
            exchange = Exchange(entry, self._key, requests, sharers, self._ledger)
            handed: SimpleQueue[list[ChatReply] | BaseException | None] = SimpleQueue()
            loop = asyncio.new_event_loop()
            task = loop.create_task(_hand_over(exchange, handed))
            thread = Thread(target=_run, args=(loop, task), name="exchange", daemon=True)
            thread.start()
            try:
                while group := _together(handed):
                    yield group
                    _tell(loop, exchange.release, group)
            finally:
                _tell(loop, task.cancel)
                thread.join()


async def _hand_over(exchange: Exchange, handed: SimpleQueue[list[ChatReply] | BaseException | None]) -> None:
    end: BaseException | None = None
    try:
        while group := await exchange.arrivals():
            handed.put(group)
    except asyncio.CancelledError:
        pass
    except BaseException as error:
        end = error  # raised where the replies are taken
    finally:
        await exchange.close()
        handed.put(end)


def _run(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    asyncio.set_event_loop(loop)
    try:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _together(handed: SimpleQueue[list[ChatReply] | BaseException | None]) -> list[ChatReply]:
    """The replies that are there, waiting for one; none at the end."""
    group: list[ChatReply] = []
    while not (group and handed.empty()):
        part = handed.get()
        if part is None or isinstance(part, BaseException):
            if group:
                handed.put(part)
                break
            if part is not None:
                raise part
            break
        group += part
    return group


def _tell(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    with suppress(RuntimeError):  # that has ended
        loop.call_soon_threadsafe(function, *arguments)


def key_of(specification: ApiChatSpecification) -> str | None:
    """The key of an entry's interface; None where it has none.

    Raises:
        ChatError: if its environment variable is not set.
    """
    variable = specification.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ChatError(f"{specification.identity}: environment variable {variable} is not set; put the key there")
    return key
