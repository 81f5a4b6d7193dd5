"""Requests put to an interface from another thread: replies are handed out as they arrive, and asking never waits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator
from contextlib import nullcontext, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from nlfol.models.api.dialect import Dialect, Q, R
from nlfol.models.api.exchange import Exchange
from nlfol.models.entries.interface import Interface
from nlfol.models.request import ChatError, Feed, RequestBudget
from nlfol.models.serving.service import Server
from nlfol.store.presence import Sharers


def deliveries(
    entry: Interface,
    key: str | None,
    dialect: Dialect[Q, R],
    feed: Feed[Q],
    folder: Path | None,
    *,
    purse: RequestBudget[Q] | None = None,
    server: Server | None = None,
) -> Generator[list[R], None, None]:
    """Exactly one reply a request, those that are there at one moment together.

    A reply counts as under way until the next group is asked for: never more than ``concurrency`` are lost with
    this process. While its caller keeps a group, others may arrive; when the caller stops, all is cancelled.

    Args:
        entry: the model's.
        key: the key; None for an interface without.
        dialect: how requests are put and answers read.
        feed: what to ask; what follows from a group may join it before the next group is asked for.
        folder: where jobs that ask the same interface find one another, to divide its limits; None where this is the
            only one.
        purse: what pays for them; None where there is no budget.
        server: the workflow's own server; asking ends when it is no longer there.

    Raises:
        ChatError: if the interface cannot be asked. What was under way is waited for and handed out before.
    """
    shared = Sharers(folder, f"{entry.url} {entry.api_key_env}") if folder else nullcontext()
    with shared as sharers, purse or nullcontext():
        exchange = Exchange(entry, key, dialect, feed, sharers, purse=purse, server=server)
        handed: SimpleQueue[list[R] | BaseException | None] = SimpleQueue()
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


def key_of(entry: Interface) -> str | None:
    """The key, from the environment variable that the entry names; None for an interface without.

    Raises:
        ChatError: if the variable is not set, or holds what no header can carry.
    """
    variable = entry.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ChatError(f"{entry.identity}: environment variable {variable} is not set; put the key there")
    if not (key.isascii() and key.isprintable()):
        # Errors of the client would show it, escaped and so not to be blotted out.
        raise ChatError(
            f"{entry.identity}: environment variable {variable} holds a line break, a typographic quote or another "
            "character that no key has; put the key alone there"
        )
    return key


async def _hand_over(exchange: Exchange[Q, R], handed: SimpleQueue[list[R] | BaseException | None]) -> None:
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


def _together(handed: SimpleQueue[list[R] | BaseException | None]) -> list[R]:
    """The replies that are there, waiting for one; none at the end."""
    group: list[R] = []
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
