"""The batch endpoints of an OpenAI-compatible interface, with retries."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from tenacity import Retrying, retry_if_exception, stop_after_attempt

from nlfol.models.api.faults import Declined, PassingFault, sorted_fault
from nlfol.models.api.retrying import pause_before_next, worth_another
from nlfol.models.api.wire import headers, plain_client
from nlfol.models.batches.lines import ENDPOINT
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.request import ChatError

T = TypeVar("T")
_TOKEN = "nlfol"
"""The name of the metadata by which a batch is found again."""
_TRANSFER = 600.0
"""Seconds that a file may take."""
_PAGE = 100


class Gone(Exception):  # noqa: N818 - it is told to the caller, who knows what to do
    """A batch, or a file of one, that the interface no longer has."""


class BatchInterface:
    """The endpoints; use it as a context.

    Args:
        entry: the model's entry.
        key: the key; None for an interface without.

    Every method raises ``ChatError`` where the interface refuses, or stays broken for all attempts.
    """

    def __init__(self, entry: ApiChatEntry, key: str | None) -> None:
        self._entry = entry
        self._key = key
        self._client = plain_client(entry, key)
        self._headers = headers(entry, key)

    def send(self, content: bytes, token: str) -> str:
        """Upload a file of lines and have it answered as a batch; the batch's name."""
        file = self._tried(
            lambda: self._client.files.create(
                file=(f"{token}.jsonl", content), purpose="batch", extra_headers=self._headers, timeout=_TRANSFER
            )
        )
        begun = False

        def create() -> str:
            nonlocal begun
            # The first attempt may have been heard, though its answer was lost: one more would be paid for twice.
            if begun and (found := self._found(token)) is not None:
                return found
            begun = True
            batch = self._client.batches.create(
                input_file_id=file.id,
                endpoint=ENDPOINT,
                completion_window="24h",
                metadata={_TOKEN: token},
                extra_headers=self._headers,
            )
            return str(batch.id)

        return self._tried(create)

    def find(self, token: str) -> str | None:
        """The batch that was sent under a token, if there is one."""
        return self._tried(lambda: self._found(token))

    def look(self, batch: str) -> Any:
        """A batch as it is now: ``status``, ``output_file_id``, ``error_file_id``, ``errors``.

        Raises:
            Gone: if there is no such batch.
        """
        return self._tried(lambda: self._client.batches.retrieve(batch, extra_headers=self._headers), named=True)

    def read(self, file: str) -> bytes:
        """The content of a file.

        Raises:
            Gone: if there is no such file.
        """
        return self._tried(
            lambda: self._client.files.content(file, extra_headers=self._headers, timeout=_TRANSFER).content, named=True
        )

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def _found(self, token: str) -> str | None:
        seen = set[str]()
        for batch in self._client.batches.list(limit=_PAGE, extra_headers=self._headers):
            if (batch.metadata or {}).get(_TOKEN) == token:
                return batch.id
            if batch.id in seen:
                return None  # a server that knows no pages, and would give its list again for ever
            seen.add(batch.id)
        return None

    def _tried(self, call: Callable[[], T], *, named: bool = False) -> T:
        attempts = Retrying(
            retry=retry_if_exception(worth_another),
            stop=stop_after_attempt(self._entry.retries + 1),
            wait=pause_before_next,
            sleep=time.sleep,
            reraise=True,
        )
        try:
            answer: T = attempts(self._sorted, call, named)
        except (PassingFault, Declined) as fault:
            said = " ".join(str(fault).split())
            said = said.replace(self._key, "***") if self._key else said
            raise ChatError(
                f"{self._entry.identity}: batches: {said[:300]}; run again when that is mended: batches in "
                "flight are found again"
            ) from None
        return answer

    def _sorted(self, call: Callable[[], T], named: bool) -> T:
        import httpx2
        import openai

        try:
            return call()
        except openai.APIStatusError as error:
            if named and error.status_code == 404:
                raise Gone from None
            raise sorted_fault(error, self._entry, {}) from None
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise PassingFault(f"{type(error).__name__}: {error}") from None
