import math

import pytest

from nlfol.models.api.rate_limit import Bucket, Throttle, Ticket, Window


def let_through(throttle: Throttle, seconds: float, tokens: float = 0, step: float = 0.01) -> int:
    """Count the attempts, each ending at once, that are let through in so many seconds."""
    count = 0
    for tick in range(round(seconds / step)):
        now = tick * step
        while throttle.wait(now, tokens) == 0:
            ticket = throttle.start(now, tokens)
            throttle.succeed(ticket, now, tokens)
            throttle.end(ticket)
            count += 1
    return count


def test_throttle_bounds_concurrent_requests() -> None:
    throttle = Throttle(concurrency=2)
    tickets = []
    for _ in range(2):
        assert throttle.wait(0, 0) == 0
        tickets.append(throttle.start(0, 0))
    assert throttle.wait(0, 0) == math.inf
    throttle.end(tickets[0])
    assert throttle.wait(0, 0) == 0
    throttle.start(0, 0)
    assert throttle.wait(0, 0) == math.inf


def test_window_halves_once_per_round_and_grows_linearly() -> None:
    window = Window(64, 64.0)
    for sent in range(64):
        window.halve(sent=sent / 100, now=1.0)
    assert window.size == 32
    window.halve(sent=1.5, now=2.0)
    assert window.size == 16
    for _ in range(16):
        window.grow()
    assert window.size == pytest.approx(17, abs=0.05)
    for _ in range(10_000):
        window.grow()
    assert window.size == 64
    for time in range(10, 30):
        window.halve(sent=time, now=time)
    assert window.size == 1


def test_low_starting_window_grows_to_bound() -> None:
    throttle = Throttle(concurrency=16, first=2)
    sizes = []
    for _ in range(200):
        tickets = []
        while throttle.wait(0, 0) == 0:
            tickets.append(throttle.start(0, 0))
        for ticket in tickets:
            throttle.succeed(ticket, 0, None)
            throttle.end(ticket)
        sizes.append(len(tickets))
    assert sizes[:3] == [2, 2, 3]
    assert sizes[-1] == 16
    assert sizes == sorted(sizes)


def test_requested_pause_holds_for_all_requests() -> None:
    throttle = Throttle(concurrency=8)
    ticket = throttle.start(0, 0)
    throttle.overload(ticket, now=1.0, pause=5.0)
    throttle.end(ticket)
    assert throttle.wait(2.0, 0) == 4.0
    # A shorter one that is asked for later does not end it.
    throttle.overload(ticket, now=2.0, pause=1.0)
    assert throttle.wait(2.0, 0) == 4.0
    assert throttle.wait(6.0, 0) == 0


def test_throttle_keeps_requests_per_minute() -> None:
    assert let_through(Throttle(64, requests=600), seconds=60) in range(595, 612)
    assert let_through(Throttle(64, requests=6), seconds=60) in (5, 6, 7)


def test_throttle_keeps_tokens_per_minute() -> None:
    assert let_through(Throttle(64, tokens=60_000), seconds=60, tokens=100) in range(590, 612)
    # Larger than a second's worth: let through when the bucket is full, and paid off after.
    assert let_through(Throttle(64, tokens=6_000), seconds=60, tokens=2_000) in (3, 4)


def test_actual_token_usage_replaces_estimate() -> None:
    throttle = Throttle(64, tokens=60_000)
    assert throttle.wait(10, 1_000) == 0
    ticket = throttle.start(10, 1_000)
    assert throttle.wait(10, 1_000) == 1.0
    throttle.succeed(ticket, 10, tokens=100)
    assert (throttle.wait(10, 1_000), throttle.start(10, 1_000)) == (0, Ticket(10, 100))


def test_throttle_shares_limits_evenly_among_jobs() -> None:
    throttle = Throttle(64, requests=600)
    throttle.share(4)
    assert throttle._window.size == 16
    assert let_through(throttle, seconds=60) in range(148, 155)
    throttle.share(1)
    assert throttle._window.size == 64
    throttle.overload(throttle.start(99, 0), now=100, pause=None)
    throttle.share(2)
    assert throttle._window.size == 16
    throttle.share(1000)
    assert throttle._window.size == 1


def test_bucket_capacity_is_capped() -> None:
    bucket = Bucket(rate=5)
    assert bucket.wait(5, now=1000) == 0
    bucket.spend(5, now=1000)
    assert bucket.wait(5, now=1000) == 1
    assert bucket.wait(100, now=1001) == 0
    assert Bucket(rate=0.1).wait(1, now=1000) == 0
