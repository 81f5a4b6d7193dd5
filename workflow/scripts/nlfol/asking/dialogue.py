"""Dialogues with one model, step by step, through the journal.

Replies that the journal holds are taken from there, however many steps a dialogue has. What a dialogue asks next is
computed from its replies alone, so a job that was stopped asks only what is missing.

A model that runs here, and a provider's batches, are asked in waves: all first steps, then all steps that follow them,
until every dialogue has stopped. An API is not: the next step of a dialogue joins the waiting requests as soon as its
reply is kept, earlier steps before later ones.

What another job of the model is asking already is waited for, while this one asks what is its own.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from time import sleep

from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Ending, Feed
from nlfol.store.logs import LOGGER
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Step, Stop

_LOOK = 0.5
"""Seconds between two looks at what other jobs were answered, while nothing is this one's to ask."""

_LOOKS = 120
"""Looks without a new answer after which the log says who is waited for, and again after ten times as many."""

_HELD = 4
"""Dialogues that are held for each request that may wait: those that have ended wait for one before them."""

Report = Callable[[int, int], None]
"""Called with the distinct requests that have their reply, and those known of, whenever replies were kept."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A step with its request and the reply to it."""

    step: Step
    request: ChatRequest
    reply: ChatReply


@dataclass(slots=True)
class Dialogue:
    """One item under one presentation and seed: what was asked, and what is asked next.

    Attributes:
        plan: of the task.
        to_request: makes the request for a step, under a seed.
        item: what it is about.
        presentation: how candidates are shown; "" for tasks without candidates.
        seed: the model's.
        opened: takes a reply out of its envelope.
        exchanged: the steps that have their reply.
        asked: the step that waits for one, with its request; None before ``advance``, and at the end.
        error: why the plan failed after a reply; None if it did not.
    """

    plan: Plan
    to_request: Callable[[Step, int], ChatRequest]
    item: Item
    presentation: str
    seed: int
    opened: Callable[[Item, Reply], Reply] = lambda _, reply: reply
    exchanged: list[Exchanged] = field(default_factory=list)
    asked: tuple[Step, ChatRequest] | None = None
    error: str | None = None

    @property
    def pending(self) -> tuple[Step, ChatRequest]:
        """The step that waits for a reply, with its request; raises ``ValueError`` if none waits."""
        if self.asked is None:
            raise ValueError(f"item {self.item.item!r}: no request waits for a reply")
        return self.asked

    def advance(self) -> ChatRequest | None:
        """Return the next request; None if the plan stops or fails, which is an error of this dialogue alone.

        After a reply that failed nothing is asked either: a later run asks that request again. Raises ``ValueError`` if
        the plan stops before it asks: the item would be in no denominator.
        """
        replies = [self._reply(done) for done in self.exchanged]
        self.asked = None
        if self.exchanged and self.exchanged[-1].reply.outcome is Ending.FAILED:
            return None
        try:
            following = self.plan.following(self.item, self.presentation, self.seed, replies)
        except Exception as error:
            if not replies:
                raise  # of nothing that a model wrote
            LOGGER.exception(f"item {self.item.item!r}, seed {self.seed}: no next step after {len(replies)}")
            self.error = f"{type(error).__name__}: {error}"
            return None
        if isinstance(following, Stop):
            if not replies:
                raise ValueError(f"item {self.item.item!r}: the plan stops before it asks; refuse such an item instead")
            return None
        request = self.to_request(following, self.seed)
        self.asked = following, request
        return request

    def _reply(self, done: Exchanged) -> Reply:
        reply, step = done.reply, done.step
        return self.opened(self.item, Reply(step.part, reply.outcome.value, reply.text, step.order, reply.error))

    def replay(self, answered: Callable[[str], ChatReply | None]) -> ChatRequest | None:
        """Advance as far as ``answered``, by a request's key, knows replies.

        Return the request that waits for its reply; None if the dialogue has stopped.
        """
        while (request := self.advance()) is not None:
            if (reply := answered(request.key)) is None:
                return request
            self.take(reply)
        return None

    def take(self, reply: ChatReply) -> None:
        """Take the reply to the pending request; raises ``ValueError`` if it is to another request."""
        step, request = self.pending
        if request.key != reply.key:
            raise ValueError(f"item {self.item.item!r}: reply {reply.key} is not to request {request.key}")
        self.exchanged.append(Exchanged(step, request, reply))
        self.asked = None


class Conversation:
    """Dialogues with one model, none begun, as far as its journals answer them; equal requests share a reply.

    Each reply is kept in the journal before anything else is done with it, then ``seen``, and ``progress``, are called.
    With ``ended``, each dialogue is handed on in its turn and forgotten, once it and those before it have ended;
    ``most`` requests wait at a time, and further dialogues of ``count`` are begun as replies arrive.
    """

    def __init__(
        self,
        dialogues: Iterable[Dialogue],
        journal: Journal,
        progress: Report | None = None,
        seen: Callable[[Iterable[ChatReply]], None] | None = None,
        *,
        ended: Callable[[Dialogue], None] | None = None,
        most: float = inf,
        count: int = 0,
    ) -> None:
        self.dialogues = deque[Dialogue]()
        self._rest = iter(dialogues)
        self._left = count
        self._ended = ended
        self._most = most
        self._journal = journal
        self._progress = progress
        self._seen = seen
        self._settled = 0
        self._failed: dict[str, ChatReply] = {}
        self._waiting: dict[str, list[Dialogue]] = {}
        self._feed: Feed[ChatRequest] = Feed()
        self._ours: set[str] = set()
        self._waited = False
        # What waits and was not claimed, with its step.
        self._others: dict[str, tuple[ChatRequest, int]] = {}
        self._begin()
        self._report()

    @property
    def missing(self) -> set[str]:
        """The keys of the requests that wait for a reply."""
        return set(self._waiting)

    def finish(self, open_backend: Callable[[], ChatBackend], accept_failed: float = 0.0) -> None:
        """Bring all dialogues to their end, without the model if nothing is missing.

        If the model cannot be asked and no larger share of the requests than ``accept_failed`` is missing, all of which
        failed in earlier runs, these failures are their replies.

        Raises ``ChatError`` as ``ask``.
        """
        if not self._has_ours():
            return
        try:
            self.ask(open_backend())
        except ChatError as error:
            self._settle_failures(accept_failed, error)

    def ask(self, backend: ChatBackend) -> None:
        """Ask everything that is missing, and all that follows from it.

        Raises ``ChatError`` if the model cannot be asked, if a request names another model, or if the backend does not
        give exactly one reply a request. Replies that came are kept.
        """
        while self._has_ours():
            for dialogues in self._waiting.values():
                _, request = dialogues[0].pending
                if request.model != backend.identity:
                    raise ChatError(
                        f"request for {request.model} put to {backend.identity}; build requests with the model's "
                        "identity"
                    )
            asked = set(self._ours)
            with closing(backend.answer_feed(self._feed)) as arriving:
                for group in arriving:
                    self._keep(backend.identity, group)
            if unanswered := asked & self._waiting.keys():
                raise ChatError(
                    f"{backend.identity}: no reply to {len(unanswered)} requests, {min(unanswered)} among them"
                )

    def _keep(self, identity: str, group: Sequence[ChatReply]) -> None:
        fresh = {reply.key: reply for reply in reversed(group) if reply.key in self._ours}
        # What can be kept is kept before anything is complained about.
        self._journal.append((self._waiting[key][0].pending[1], reply) for key, reply in fresh.items())
        if len(fresh) < len(group):
            raise ChatError(f"{identity}: a reply to what was not asked or is answered already")
        if self._seen:
            self._seen(fresh.values())
        self._ours -= fresh.keys()
        self._take(fresh)
        self._claim()
        self._report()

    def _take(self, replies: Mapping[str, ChatReply]) -> None:
        for key, reply in replies.items():
            self._settle(key, reply)
            for dialogue in self._waiting.pop(key):
                dialogue.take(reply)
                self._go_on(dialogue)
        self._begin()

    def _begin(self) -> None:
        """Hand on the dialogues that have ended, and begin as many as there is room for."""
        while True:
            while self._ended and self.dialogues and self.dialogues[0].asked is None:
                self._ended(self.dialogues.popleft())
            if len(self._waiting) >= self._most or len(self.dialogues) >= _HELD * self._most:
                return
            if (dialogue := next(self._rest, None)) is None:
                return
            self._left -= 1
            self.dialogues.append(dialogue)
            self._go_on(dialogue)

    def _settle(self, key: str, reply: ChatReply) -> None:
        self._settled += 1
        if reply.outcome is Ending.FAILED:
            self._failed[key] = reply

    def _claim(self) -> None:
        """Feed what is ours to ask, and take what other jobs were answered."""
        answered: dict[str, ChatReply] | None = None
        while self._others and answered != {}:
            ours = self._journal.claim(self._others)
            self._ours |= ours
            for key in [key for key in self._others if key in ours]:
                self._feed.put(*self._others.pop(key))
            answered = {key: reply for key in self._others if (reply := self._journal.answered(key)) is not None}
            for key in answered:
                del self._others[key]
            self._take(answered)

    def _has_ours(self) -> bool:
        """Return whether something is missing, once a part of it is ours to ask."""
        self._claim()
        looks = 0
        while self._waiting and not self._ours:
            if not self._waited:
                LOGGER.info(f"waiting for replies to {len(self._waiting)} requests that other jobs are asking")
            self._waited = True
            sleep(_LOOK)
            waiting = len(self._waiting)
            self._claim()
            looks = looks + 1 if len(self._waiting) == waiting else 0
            if looks == _LOOKS or (looks and looks % (10 * _LOOKS) == 0):
                who = ", ".join(self._journal.claimers(self._others))
                LOGGER.warning(
                    f"warning: no reply for {looks * _LOOK:.0f} s to {len(self._others)} requests that another job is "
                    f"asking: {who}; if it is stopped, let it go on or end it"
                )
            self._report()
        return bool(self._waiting)

    def _settle_failures(self, accept_failed: float, error: ChatError) -> None:
        """Take the failures of earlier runs for replies, if nothing else is missing and they are accepted."""
        failed = 0
        while accept_failed and self._waiting:
            waiting, self._waiting = self._waiting, {}
            for key, dialogues in waiting.items():
                if (reply := self._journal.replies.get(key)) is None:
                    raise error
                failed += 1
                self._settle(key, reply)
                for dialogue in dialogues:
                    dialogue.take(reply)
                    if dialogue.advance() is not None:
                        raise error
            self._begin()
        if self._waiting or failed > accept_failed * self._settled:
            raise error
        LOGGER.warning(f"warning: {failed} requests that failed before were not asked again: {error}")

    def _go_on(self, dialogue: Dialogue) -> None:
        """Bring a dialogue to its next request that has no reply yet, or to its end."""
        request = dialogue.replay(self._known)
        if request is None:
            return
        if request.key not in self._waiting:
            self._others[request.key] = request, len(dialogue.exchanged)
        self._waiting.setdefault(request.key, []).append(dialogue)

    def _known(self, key: str) -> ChatReply | None:
        if (reply := self._failed.get(key)) is None and (reply := self._journal.answered(key)) is not None:
            self._settled += 1
        return reply

    def _report(self) -> None:
        if self._progress:
            self._progress(self._settled, self._settled + len(self._waiting) + max(0, self._left))
