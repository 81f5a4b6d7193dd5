"""Models behind interfaces: requests of one thread are sent by another, in an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Generic, Self

from nlfol.models.api.client import key_of
from nlfol.models.api.exchange import Exchange
from nlfol.models.api.probing import reach, refuse_free_answers
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.job_files import JobFiles
from nlfol.models.providers.base import Provider, Q, R
from nlfol.models.providers.registry import chat_provider
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed, RequestBudget
from nlfol.models.serving.service import Server
from nlfol.store.logs import LOGGER
from nlfol.store.presence import Sharers


class Deliveries(Generic[Q, R]):
    """Requests put to an interface from another thread: replies are handed out as they arrive.

    Args:
        entry: the model's, with the address of its server.
        provider: how requests are written and replies read.
        key: None for an interface without keys.
        sharers: folder where jobs that ask the same interface find one another, to divide its limits; None where this
            is the only one.
        purse: what pays for them; None where there is no budget.
        server: the workflow's own server; asking ends when it is no longer there.
    """

    def __init__(
        self,
        entry: Interface,
        provider: Provider[Q, R],
        key: str | None,
        sharers: Path | None,
        *,
        purse: RequestBudget[Q] | None,
        server: Server | None,
    ) -> None:
        self._entry = entry
        self._provider: Provider[Q, R] = provider
        self._key = key
        self._sharers = sharers
        self._purse: RequestBudget[Q] | None = purse
        self._server = server

    def groups(self, feed: Feed[Q]) -> Generator[list[R], None, None]:
        """Yield exactly one reply a request, those that are there at one moment together.

        A reply counts as under way until the next group is asked for: never more than ``concurrency`` are lost with
        this process. While its caller keeps a group, others may arrive; when the caller stops, all is cancelled.

        Args:
            feed: what to ask; what follows from a group may join it before the next group is asked for.

        Raises:
            ChatError: if the interface cannot be asked. What was under way is waited for and handed out before.
        """
        interface = f"{self._entry.url} {self._entry.api_key_env}"
        shared = Sharers(self._sharers, interface) if self._sharers else nullcontext()
        with shared as sharers, self._purse or nullcontext():
            exchange = Exchange(
                self._entry, self._key, self._provider, feed, sharers, purse=self._purse, server=self._server
            )
            delivered: SimpleQueue[list[R] | BaseException | None] = SimpleQueue()
            loop = asyncio.new_event_loop()
            task = loop.create_task(_deliver(exchange, delivered))
            thread = Thread(target=_run, args=(loop, task), name="exchange", daemon=True)
            thread.start()
            try:
                while group := _together(delivered):
                    yield group
                    _call_in_loop(loop, exchange.release, group)
            finally:
                _call_in_loop(loop, task.cancel)
                thread.join()


async def _deliver(exchange: Exchange[Q, R], delivered: SimpleQueue[list[R] | BaseException | None]) -> None:
    end: BaseException | None = None
    try:
        while group := await exchange.arrivals():
            delivered.put(group)
    except asyncio.CancelledError:
        pass
    except BaseException as error:
        end = error  # raised where the replies are taken
    finally:
        await exchange.close()
        delivered.put(end)


def _run(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    asyncio.set_event_loop(loop)
    try:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _together(delivered: SimpleQueue[list[R] | BaseException | None]) -> list[R]:
    """Return the replies that are there, waiting for one; none at the end."""
    group: list[R] = []
    while not (group and delivered.empty()):
        part = delivered.get()
        if part is None or isinstance(part, BaseException):
            if group:
                delivered.put(part)
                break
            if part is not None:
                raise part
            break
        group += part
    return group


def _call_in_loop(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    with suppress(RuntimeError):  # that has ended
        loop.call_soon_threadsafe(function, *arguments)


class ApiChat:
    """A dialogue model that is asked over the network, several requests at once.

    The seed is sent, but a provider need not honour it: what was answered is what the journal says.

    Args:
        entry: the model's entry.
        sharers: folder where jobs that ask the same interface find one another; None where this is the only one.
        ledger: the budget; None where there is none.
        server: the workflow's own server of the model; None where somebody else serves it.

    Raises:
        ChatError: if the environment variable with the key is not set, or the server could not be started.
    """

    def __init__(
        self,
        entry: ApiChatEntry,
        sharers: Path | None = None,
        ledger: RequestBudget[ChatRequest] | None = None,
        server: Server | None = None,
    ) -> None:
        self.identity = entry.identity
        reached = server.reached(entry) if server else entry
        key = server.key if server else key_of(entry)
        self._deliveries = Deliveries(reached, chat_provider(reached), key, sharers, purse=ledger, server=server)
        self._engine = server.engine if server else None

    @classmethod
    def open(cls, entry: ApiChatEntry, files: JobFiles) -> Self:
        """Open the model for a job, once it can be reached and is seen to hold answers to their structure.

        Raises:
            ChatError: if it cannot be asked, or answers freely.
        """
        server = None if files.service is None else Server(files.service, entry.identity)
        opened = cls(entry, files.sharers, files.ledger, server)
        if server is None:
            reach(entry)
        # Without the budget: it costs nothing.
        if doubt := refuse_free_answers(entry, cls(entry, files.sharers, server=server)):
            LOGGER.warning(f"warning: whether {entry.identity} holds answers to a structure is not known: {doubt}")
        return opened

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each as it arrives.

        Raises:
            ChatError: if the interface refuses the key, does not know the model or a parameter, has no credit left, or
                fails one request after another. What was under way is waited for and yielded before.
        """
        for group in self.answer_feed(Feed(requests)):
            yield from group

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies to a feed, see ``ChatBackend`` and ``Deliveries.groups``."""
        for group in self._deliveries.groups(feed):
            yield [self._with_engine(reply) for reply in group]

    def _with_engine(self, reply: ChatReply) -> ChatReply:
        if self._engine is None or reply.outcome is Ending.FAILED:
            return reply
        return replace(reply, engine=self._engine)
