"""Requests to an interface in one event loop: rate limit, budget, attempts, retries, replies."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from time import monotonic, perf_counter
from typing import Any, Generic

from pydantic import ValidationError
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

from nlfol.mappings import JsonDict
from nlfol.models.api.client import Client
from nlfol.models.api.faults import LONGEST_PAUSE, Rejection, pause_before_next, sorted_fault, worth_another
from nlfol.models.api.rate_limit import Throttle, Ticket
from nlfol.models.budget import Ledger
from nlfol.models.providers.base import Declined, PassingFault, Provider, Q, R
from nlfol.models.request import ChatError, Ending, Feed
from nlfol.models.serving.service import Server
from nlfol.store.presence import BEAT, InterfaceUse

_LONGEST_ERROR = 300
_PATIENCE = 20
"""So many requests in a row that fail for all their attempts are taken as the sign that the others would too."""
_LOOK = 0.1
"""Seconds between two looks at the budget, while replies may make room in it."""
_INVALID = frozenset({400, 422})
"""Statuses of requests that an interface does not take as they are."""
_SECRET = 16
"""A key as long as this is blotted out wherever it is seen; a shorter one may be a word of an answer."""


class Exchange(Generic[Q, R]):
    """The requests of one call, on one event loop; more may join the feed until all replies were released."""

    def __init__(
        self,
        provider: Provider[Q, R],
        key: str | None,
        feed: Feed[Q],
        sharers: InterfaceUse | None,
        *,
        budget: Ledger | None = None,
        server: Server | None = None,
    ) -> None:
        self._entry = provider.entry
        self._key = key
        self._provider: Provider[Q, R] = provider
        self._feed: Feed[Q] = feed
        self._unreleased = 0
        self._sharers = sharers
        self._budget = budget
        self._server = server
        self._till = asyncio.Lock()
        self._throttle = Throttle(
            self._entry.at_once,
            self._entry.requests_per_minute,
            self._entry.tokens_per_minute,
            first=self._entry.first_at_once,
        )
        self._tickets: dict[str, Ticket] = {}
        self._lost: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.Task[None]] = set()
        self._arrived: list[R] = []
        self._news, self._room, self._turn = asyncio.Event(), asyncio.Event(), asyncio.Lock()
        self._ending: Exception | None = None
        self._failures = 0
        self._answers = False
        self._client: Client | None = None
        self._beating: asyncio.Task[None] | None = None

    async def arrivals(self) -> list[R]:
        """Return the replies that have come since the last call, waiting for one where there is none; empty at the end.

        Raises ``ChatError`` if the interface cannot be asked, after all replies that came were handed out.
        """
        if self._client is None:
            self._client = Client(self._provider, self._key)
            if self._sharers:
                self._throttle.share(self._sharers.count())
            self._beating = asyncio.create_task(self._beat())
            self._beating.add_done_callback(self._done)
        while not self._arrived:
            # Those that wait between two attempts make room for others, though not for any number.
            while not self._ending and len(self._tasks) < 2 * self._entry.at_once:
                if (request := self._feed.take()) is None:
                    break
                task = asyncio.create_task(self._settle(request))
                self._tasks.add(task)
                task.add_done_callback(self._done)
            if not self._tasks:
                if self._ending:
                    raise self._ending
                # What follows from replies that were handed out may yet join.
                if not self._unreleased:
                    break
            self._news.clear()
            await self._news.wait()
        arrived, self._arrived = self._arrived, []
        self._unreleased += len(arrived)
        return arrived

    def release(self, replies: Sequence[R]) -> None:
        """Note that these replies are kept: what they took of the interface may be used for others."""
        for reply in replies:
            if (ticket := self._tickets.pop(reply.key, None)) is not None:
                self._throttle.end(ticket)
        if self._budget:
            self._budget.release(reply.key for reply in replies)
        self._unreleased -= len(replies)
        self._room.set()
        self._news.set()

    async def close(self) -> None:
        """Cancel whatever is under way."""
        tasks = [*self._tasks, *([self._beating] if self._beating else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._idle.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._end(error if isinstance(error, Exception) else RuntimeError(repr(error)))
        self._news.set()

    def _end(self, error: Exception) -> None:
        """Ask nothing more; what is on its way is waited for, as it will be paid for."""
        self._ending = self._ending or error
        for task in self._idle:
            task.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            if self._server:
                self._server.require()
            if self._budget:
                self._budget.beat()
            if self._sharers:
                self._throttle.share(self._sharers.count())
                self._room.set()

    async def _afforded(self, request: Q, budget: Ledger) -> None:
        """Wait until the request fits into the budget; where it does not and never will, end."""
        async with self._till:
            while (shortage := budget.reserve([request])) is not None:
                if not shortage.pending:
                    self._end(ChatError(shortage.message))
                await asyncio.sleep(_LOOK)

    async def _covered(self, request: Q) -> None:
        """Reserve room in the budget for an attempt, beside those before it that may be charged.

        Raises ``PassingFault`` if a repeated attempt has no room: to wait could take for ever, as others may wait for
        this request.
        """
        if self._budget is None:
            return
        if lost := self._lost[request.key]:
            shortage = self._budget.reserve([request], attempts=lost + 1)
            if shortage is not None:
                if not shortage.pending:
                    self._end(ChatError(shortage.message))
                raise PassingFault(shortage.message, math.inf)
        while not self._budget.send(request.key):
            await self._idly(self._afforded(request, self._budget))

    async def _settle(self, request: Q) -> None:
        if self._ending:
            return
        if self._budget:
            await self._idly(self._afforded(request, self._budget))
        attempts = AsyncRetrying(
            retry=retry_if_exception(lambda error: worth_another(error) and self._ending is None),
            stop=stop_after_attempt(self._entry.retries + 1),
            wait=pause_before_next,
            sleep=lambda seconds: self._idly(asyncio.sleep(seconds)),
            reraise=True,
        )
        start = perf_counter()
        try:
            reply: R = await attempts(self._attempt, request)
        except (PassingFault, Declined, asyncio.CancelledError) as fault:
            if self._ending and isinstance(fault, PassingFault) and not self._lost[request.key]:
                return  # without having been tried as often as it should: the next run asks it
            if isinstance(fault, asyncio.CancelledError):
                if not (self._ending and self._lost[request.key]):
                    raise
                # What the attempts before may have cost is kept.
                fault = PassingFault("not sent again, as asking has ended")
            reply = self._provider.unanswered(request, fault, perf_counter() - start)
        if (lost := self._lost.pop(request.key, 0)) and self._budget:
            self._budget.lose(request, lost)
        reply = replace(reply, attempts=attempts.statistics["attempt_number"], lost=lost)
        self._arrived.append(blotted(reply, self._key))
        self._watch(self._arrived[-1])

    def _watch(self, reply: R) -> None:
        self._failures = self._failures + 1 if reply.outcome is Ending.FAILED else 0
        if self._failures == _PATIENCE:
            self._end(
                ChatError(
                    f"{self._entry.identity}: {_PATIENCE} requests in a row failed, the last one with: "
                    f"{reply.error}; run again when that is mended: answers are kept"
                )
            )

    async def _idly(self, waiting: Any) -> Any:
        """Wait for something other than the interface; nothing is lost where this is cancelled."""
        task = asyncio.current_task()
        assert task is not None
        self._idle.add(task)
        try:
            return await waiting
        finally:
            self._idle.discard(task)

    async def _admitted(self, tokens: float) -> Ticket:
        async with self._turn:
            while (wait := self._throttle.wait(monotonic(), tokens)) > 0:
                self._room.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait if math.isfinite(wait) else None):
                        await self._room.wait()
            return self._throttle.start(monotonic(), tokens)

    async def _attempt(self, request: Q) -> R:
        ticket = await self._idly(self._admitted(self._provider.tokens(request)))
        start = perf_counter()
        try:
            await self._covered(request)
            content = await self._sent(request)
            reply, tokens = self._read(request, content, perf_counter() - start)
        except BaseException as error:
            self._throttle.end(ticket)
            # The workflow's own server charges nothing.
            self._lost[request.key] += self._server is None and isinstance(error, PassingFault) and error.charged
            if isinstance(error, PassingFault) and error.overload:
                pause = error.pause if (error.pause or 0.0) <= LONGEST_PAUSE else None
                self._throttle.overload(ticket, monotonic(), pause)
            self._room.set()
            raise
        self._answers = True
        self._throttle.succeed(ticket, monotonic(), tokens)
        # It gives its place away when its reply is kept.
        self._tickets[request.key] = ticket
        return reply

    async def _sent(self, request: Q) -> bytes:
        assert self._client is not None
        sent = self._provider.reduced(request)
        body = self._provider.body(sent)
        seconds = self._entry.timeout
        try:
            # The client's own limit is one for each read: a body that drips in would never end.
            async with asyncio.timeout(seconds):
                return await self._client.post(self._provider.path, body)
        except TimeoutError:
            remedy = "raise timeout where answers take longer, as each attempt may be charged"
            raise PassingFault(f"no answer in {seconds:g} s; {remedy}", overload=True, charged=True) from None
        except Rejection as rejection:
            if self._answers and 300 <= rejection.status < 400:
                # A proxy's page, as the address was right before.
                raise PassingFault(f"{rejection.status} redirected") from None
            if rejection.status in _INVALID and self._provider.leaves_out(sent, f"{rejection.said} {rejection.param}"):
                return await self._sent(request)
            raise sorted_fault(rejection, self._entry, body, self._provider.remedies) from None

    def _read(self, request: Q, content: bytes, seconds: float) -> tuple[R, float | None]:
        try:
            return self._provider.read(request, content, seconds)
        except PassingFault as fault:
            fault.charged = True
            raise
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            location = ".".join(map(str, first["loc"])) or "body"
            text = content.decode(errors="replace")
            message = f"no {error.title.lower()}: {location}: {first['msg']}: {text}"
            raise PassingFault(message, charged=True) from None


def without_key(text: str, key: str | None) -> str:
    """Return what an interface says without the key, should it show it."""
    return text.replace(key, "***") if key else text


def blotted(reply: R, key: str | None) -> R:
    """Return a reply without the key, should the interface have shown it, and with its error cut to a length."""
    # Cut off last: half a key would not be found.
    error = reply.error and without_key(reply.error, key)[:_LONGEST_ERROR]
    if key is None or len(key) < _SECRET:
        return replace(reply, error=error)
    names = [field.name for field in fields(reply) if isinstance(getattr(reply, field.name), str)]
    shown: JsonDict = {name: getattr(reply, name).replace(key, "***") for name in names}
    return replace(reply, **{**shown, "key": reply.key, "outcome": reply.outcome, "error": error})
