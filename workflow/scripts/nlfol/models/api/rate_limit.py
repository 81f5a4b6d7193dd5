"""Rate limit of an interface: an object without clock or network, which its caller tells what happens when.

Two things hold attempts back:

- a window, the number of attempts under way at once: it starts at the bound of the configuration, or lower (``first``),
  is halved when the interface says that it is overloaded, once for all attempts sent before the last halving, and grows
  by one for each window of successes (additive increase, multiplicative decrease);
- buckets, for requests and tokens a minute: each fills at its rate, and holds at most one second's worth, so that no
  job can spend a minute's allowance at once.

Jobs that share an interface have an even part of each bound (``sharers``); the windows find the rest by themselves.
"""

import math
from dataclasses import dataclass, field

_HALVING = 0.5
_MINUTE = 60.0
_BURST = 1.0
"""Capacity of a bucket, in seconds of its rate."""


@dataclass(slots=True)
class Bucket:
    """An allowance that grows by ``rate`` a second; ``level`` is negative where more was spent than estimated."""

    rate: float
    level: float = 0.0
    time: float = 0.0

    def wait(self, amount: float, now: float) -> float:
        """Return seconds before the next attempt of so many tokens; infinity is until one that is under way ends."""
        self._fill(now)
        return max(0.0, (min(amount, self._most) - self.level) / self.rate)

    def spend(self, amount: float, now: float) -> None:
        """Take so much, or give it back where negative."""
        self._fill(now)
        self.level = min(self._most, self.level - amount)

    @property
    def _most(self) -> float:
        return max(1.0, self.rate * _BURST)

    def _fill(self, now: float) -> None:
        self.level = min(self._most, self.level + self.rate * max(0.0, now - self.time))
        self.time = max(self.time, now)


@dataclass(slots=True)
class Window:
    """The number of attempts that may be under way at once, from 1 to ``most``; it starts at ``size``."""

    most: int
    size: float
    halved: float = field(default=-math.inf, init=False)

    def grow(self) -> None:
        """Count an attempt that succeeded."""
        self.size = min(float(self.most), self.size + 1 / self.size)

    def widen(self, most: int) -> None:
        """Set another bound; the size keeps its proportion to it."""
        self.size = max(1.0, self.size * most / self.most)
        self.most = most

    def halve(self, sent: float, now: float) -> None:
        """Count an attempt that found the interface overloaded; one sent before the last halving tells nothing new."""
        if sent >= self.halved:
            self.size = max(1.0, self.size * _HALVING)
            self.halved = now


@dataclass(frozen=True, slots=True)
class Ticket:
    """One attempt under way, and the tokens that it was estimated to take."""

    sent: float
    tokens: float


class Throttle:
    """Lets attempts through: so many at once, and so many requests and tokens a minute; None is any number.

    ``first`` is how many at once before any is answered; None is as many as later.
    """

    def __init__(
        self,
        concurrency: int,
        requests: float | None = None,
        tokens: float | None = None,
        *,
        first: int | None = None,
    ) -> None:
        self._bounds = concurrency, requests, tokens
        self._window = Window(concurrency, float(min(first or concurrency, concurrency)))
        self._requests = Bucket(requests / _MINUTE) if requests else None
        self._tokens = Bucket(tokens / _MINUTE) if tokens else None
        self._under_way = 0
        self._closed_until = -math.inf
        self._seen, self._used = 0, 0.0

    def share(self, sharers: int) -> None:
        """Divide each bound evenly among so many jobs, this one included."""
        concurrency, requests, tokens = self._bounds
        self._window.widen(max(1, concurrency // sharers))
        if self._requests and requests:
            self._requests.rate = requests / _MINUTE / sharers
        if self._tokens and tokens:
            self._tokens.rate = tokens / _MINUTE / sharers

    def wait(self, now: float, tokens: float) -> float:
        """Return seconds before the next attempt; 0 is at once, infinity not before one that is under way ends.

        ``tokens`` is what it may take at most; where answers have been seen, their mean stands for it.
        """
        if self._under_way >= int(self._window.size):
            return math.inf
        waits = [self._closed_until - now]
        if self._requests:
            waits.append(self._requests.wait(1, now))
        if self._tokens:
            waits.append(self._tokens.wait(self._estimate(tokens), now))
        return max(0.0, *waits)

    def start(self, now: float, tokens: float) -> Ticket:
        """Count an attempt that is sent."""
        ticket = Ticket(now, self._estimate(tokens))
        self._under_way += 1
        if self._requests:
            self._requests.spend(1, now)
        if self._tokens:
            self._tokens.spend(ticket.tokens, now)
        return ticket

    def end(self, ticket: Ticket) -> None:
        """Count an attempt that has ended, whatever came of it."""
        self._under_way -= 1

    def succeed(self, ticket: Ticket, now: float, tokens: float | None) -> None:
        """Count an attempt that was answered, and the tokens that it took, if known."""
        self._window.grow()
        if tokens is not None:
            self._seen, self._used = self._seen + 1, self._used + tokens
            if self._tokens:
                self._tokens.spend(tokens - ticket.tokens, now)

    def overload(self, ticket: Ticket, now: float, pause: float | None) -> None:
        """Count an attempt that was turned away as one too many, perhaps with a pause in seconds that is asked for."""
        self._window.halve(ticket.sent, now)
        if pause is not None:
            self._closed_until = max(self._closed_until, now + pause)

    def _estimate(self, tokens: float) -> float:
        return self._used / self._seen if self._seen else tokens
