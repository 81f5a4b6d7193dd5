"""Models behind interfaces: requests of one thread are sent by another, in an event loop of its own."""

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Self

from typing_extensions import override

from nlfol.models.api.client import key_of
from nlfol.models.api.exchange import Exchange
from nlfol.models.api.probing import reach, refuse_free_answers
from nlfol.models.budget import Ledger
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.local import materialisation
from nlfol.models.providers.base import Q, R
from nlfol.models.providers.registry import provider
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed, JobFiles
from nlfol.models.serving.service import Server
from nlfol.store.logs import LOGGER
from nlfol.store.presence import InterfaceUse


class ApiModel(Generic[Q, R]):
    """A model behind an interface; raises ``ChatError`` without its key, or if its server could not be started.

    In the folder ``sharers`` jobs that ask the same interface divide its limits. ``server`` is the workflow's own, and
    asking ends with it; None where somebody else serves the model.
    """

    def __init__(
        self, entry: Interface, sharers: Path | None = None, budget: Ledger | None = None, server: Server | None = None
    ) -> None:
        self.identity = entry.identity
        self._entry = server.reached(entry) if server else entry
        self._key = server.key if server else key_of(entry)
        self._provider: Any = provider(self._entry)
        self._sharers = sharers
        self._budget = budget
        self._server = server

    @classmethod
    def open(cls, entry: Any, files: JobFiles) -> Self:
        """Open the model for a job, once it can be reached; raises ``ChatError`` if it cannot be asked."""
        server = Server(files.service, entry.identity) if files.service else None
        opened = cls(entry, files.sharers, files.ledger, server)
        if files.weights is not None:
            opened.identity = materialisation.identity(entry, files.weights)
        if server is None:
            reach(entry)
        return opened

    def deliver(self, feed: Feed[Q]) -> Generator[list[R], None, None]:
        """Yield exactly one reply a request, those that are there at one moment together.

        A reply counts as under way until the next group is asked for: never more than ``concurrency`` are lost with
        this process. While its caller keeps a group, others may arrive; when the caller stops, all is cancelled. What
        follows from a group may join the feed before the next group is asked for. Raises ``ChatError`` if the interface
        refuses the key, does not know the model or a parameter, has no credit left, or fails one request after another.
        What was under way is waited for and yielded before.
        """
        interface = f"{self._entry.url} {self._entry.api_key_env}"
        shared = InterfaceUse(self._sharers, interface) if self._sharers else nullcontext()
        with shared as use, self._budget or nullcontext():
            exchange: Exchange[Q, R] = Exchange(
                self._provider, self._key, feed, use, budget=self._budget, server=self._server
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


class ApiChat(ApiModel[ChatRequest, ChatReply]):
    """A dialogue model asked over the network, several requests at once; a provider need not honour its seed."""

    @classmethod
    @override
    def open(cls, entry: ApiChatEntry, files: JobFiles) -> Self:
        opened = super().open(entry, files)
        # Without the budget: it costs nothing.
        if doubt := refuse_free_answers(entry, cls(entry, files.sharers, server=opened._server)):
            LOGGER.warning(f"warning: whether {entry.identity} holds answers to a structure is not known: {doubt}")
        return opened

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each as it arrives; see ``deliver``."""
        for group in self.answer_feed(Feed(requests)):
            yield from group

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies to a feed, see ``ChatBackend`` and ``deliver``."""
        engine = self._server.engine if self._server else None
        if engine is None:
            yield from self.deliver(feed)
            return
        for group in self.deliver(feed):
            yield [reply if reply.outcome is Ending.FAILED else replace(reply, engine=engine) for reply in group]


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
