"""The one loop that puts dialogues to a model, through the journal.

Replies that the journal holds are taken from there, however many steps a dialogue has; what a dialogue asks next is
computed from its replies alone, so a job that was stopped asks only what is missing.

A model that runs here, and a provider's batches, are asked in waves: all first steps, then all steps that follow them,
until every dialogue has stopped. At an interface there are no waves: the next step of a dialogue joins the requests
that wait as soon as its reply is kept, those of earlier steps before those of later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing

from nlfol.asking.dialogue import Dialogue
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Feed, FeedBackend, groups

Report = Callable[[int, int], None]
"""Called with the distinct requests that have their reply, and those known of, whenever replies were kept."""


class Conversation:
    """Dialogues with one model, as far as the journal tells.

    Args:
        dialogues: that have not begun; those whose requests are equal share the reply.
        journal: where replies are looked up and kept, each before anything else is done with it.
        progress: called at the start, too.
        seen: called with replies that were kept, before ``progress`` is.
    """

    def __init__(
        self,
        dialogues: Iterable[Dialogue],
        journal: Journal,
        progress: Report | None = None,
        seen: Callable[[Iterable[ChatReply]], None] | None = None,
    ) -> None:
        self.dialogues = list(dialogues)
        self._journal = journal
        self._progress = progress
        self._seen = seen
        self._settled: dict[str, ChatReply] = {}
        self._waiting: dict[str, list[Dialogue]] = {}
        self._feed: Feed[ChatRequest] = Feed()
        for dialogue in self.dialogues:
            self._go_on(dialogue)
        self._report()

    @property
    def missing(self) -> set[str]:
        """The keys of the requests that wait for a reply."""
        return set(self._waiting)

    def ask(self, backend: ChatBackend) -> None:
        """Have everything answered that is missing, and all that follows from it.

        Args:
            backend: the model; it is not touched where nothing is missing.

        Raises:
            ChatError: if the model cannot be asked, if a request names another model, or if the back end does not give
                exactly one reply a request. Replies that came are kept.
        """
        while self._waiting:
            asked = self.missing
            with closing(self._arrivals(backend)) as arriving:
                for group in arriving:
                    self._keep(backend.identity, group)
            if unanswered := asked & self._waiting.keys():
                raise ChatError(
                    f"{backend.identity}: no reply to {len(unanswered)} requests, {min(unanswered)} among them"
                )

    def _arrivals(self, backend: ChatBackend) -> Generator[Sequence[ChatReply], None, None]:
        for dialogues in self._waiting.values():
            self._see_that_it_is_for(backend, dialogues[0])
        if isinstance(backend, FeedBackend):
            yield from backend.answer_feed(self._feed)
        else:
            yield from groups(backend, self._feed.drain())

    @staticmethod
    def _see_that_it_is_for(backend: ChatBackend, dialogue: Dialogue) -> None:
        _, request = dialogue.pending
        if request.model != backend.identity:
            raise ChatError(
                f"request for {request.model} put to {backend.identity}; build requests with the model's identity"
            )

    def _keep(self, identity: str, group: Sequence[ChatReply]) -> None:
        fresh = {reply.key: reply for reply in reversed(group) if reply.key in self._waiting}
        # What can be kept is kept before anything is complained about.
        self._journal.append((self._waiting[key][0].pending[1], reply) for key, reply in fresh.items())
        if len(fresh) < len(group):
            raise ChatError(f"{identity}: a reply to what was not asked or is answered already")
        self._settled |= fresh
        if self._seen:
            self._seen(fresh.values())
        for key, reply in fresh.items():
            for dialogue in self._waiting.pop(key):
                dialogue.take(reply)
                self._go_on(dialogue)
        self._report()

    def _go_on(self, dialogue: Dialogue) -> None:
        """Bring a dialogue to its next request that has no reply yet, or to its end."""
        request = dialogue.replay(self._known)
        if request is None:
            return
        if request.key not in self._waiting:
            self._feed.put(request, len(dialogue.exchanged))
        self._waiting.setdefault(request.key, []).append(dialogue)

    def _known(self, key: str) -> ChatReply | None:
        reply = self._settled.get(key) or self._journal.answered(key)
        if reply is not None:
            self._settled[key] = reply
        return reply

    def _report(self) -> None:
        if self._progress:
            self._progress(len(self._settled), len(self._settled) + len(self._waiting))
