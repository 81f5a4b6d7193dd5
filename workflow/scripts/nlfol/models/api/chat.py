"""A dialogue model behind an OpenAI-compatible interface."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from nlfol.models.api.bridge import deliveries, key_of
from nlfol.models.api.chat_dialect import ChatDialect
from nlfol.models.api.probing import reach, refuse_free_answers
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.job_files import JobFiles
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed, RequestBudget
from nlfol.models.serving.service import Server
from nlfol.store.logs import LOGGER


class ApiChat:
    """Asks over the network, several requests at once.

    The seed is sent, but a provider need not honour it: what was answered is what the journal says.

    Args:
        entry: the model's entry.
        sharers: folder where jobs that ask the same interface find one another, to divide its limits; None where this
            is the only one.
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
        self._entry = server.reached(entry) if server else entry
        self._sharers = sharers
        self._ledger = ledger
        self._server = server
        self._key = server.key if server else key_of(entry)

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
        """Yield the replies to a feed, see ``ChatBackend`` and ``deliveries``."""
        dialect = ChatDialect(self._entry)
        for group in deliveries(
            self._entry, self._key, dialect, feed, self._sharers, purse=self._ledger, server=self._server
        ):
            yield [self._with_engine(reply) for reply in group]

    def _with_engine(self, reply: ChatReply) -> ChatReply:
        if self._server is None or reply.outcome is Ending.FAILED:
            return reply
        return replace(reply, engine=self._server.engine)
