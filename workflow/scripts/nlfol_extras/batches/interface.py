"""Batch endpoints of an OpenAI-compatible interface, with retries."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tenacity import Retrying, retry_if_exception, stop_after_attempt

from nlfol.models.api.client import Client
from nlfol.models.api.exchange import without_key
from nlfol.models.api.faults import Rejection, pause_before_next, sorted_fault, worth_another
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.providers.base import Declined, PassingFault
from nlfol.models.providers.registry import provider
from nlfol.models.request import AwayError
from nlfol_extras.batches.lines import ENDPOINT

T = TypeVar("T")
_TOKEN = "nlfol"
"""The name of the metadata by which a batch is found again."""
_TRANSFER = 600.0
"""Seconds that a file may take."""
_LARGEST = 16 << 30
"""Bytes of a file: 50,000 answers of 16,000 tokens are fewer."""
_PAGE = 100


class Gone(Exception):  # noqa: N818 - it is told to the caller, who knows what to do
    """A batch, or a file of one, that the interface no longer has."""


class BatchInterface:
    """The endpoints as a context; every method raises ``ChatError`` where they refuse, or fail in all attempts."""

    def __init__(self, entry: ApiChatEntry, key: str | None) -> None:
        self._entry = entry
        self._key = key
        self._runner = asyncio.Runner()
        self._client = Client(provider(entry), key, largest=_LARGEST)

    def send(self, content: bytes, token: str) -> str:
        """Upload a file of lines, have it answered as a batch, and return the batch's name."""
        file = self._tried(
            lambda: self._client.sdk.files.create(file=(f"{token}.jsonl", content), purpose="batch", timeout=_TRANSFER)
        )
        begun = False

        async def create() -> str:
            nonlocal begun
            # The first attempt may have been heard, though its answer was lost: one more would be paid for twice.
            if begun and (batch := await self._with(token)) is not None:
                return batch
            begun = True
            created = await self._client.sdk.batches.create(
                input_file_id=file.id, endpoint=ENDPOINT, completion_window="24h", metadata={_TOKEN: token}
            )
            return str(created.id)

        return self._tried(create)

    def find(self, token: str) -> str | None:
        """Return the batch that was sent under a token, if there is one."""
        return self._tried(lambda: self._with(token))

    def look(self, batch: str) -> Any:
        """Return a batch's ``status``, ``output_file_id``, ``error_file_id`` and ``errors``; raises ``Gone``."""
        return self._tried(lambda: self._client.sdk.batches.retrieve(batch), named=True)

    def read(self, file: str) -> bytes:
        """Return the content of a file; raises ``Gone`` if there is no such file."""
        content: bytes = self._tried(
            lambda: self._client.sdk.files.content(file, timeout=_TRANSFER), named=True
        ).content
        return content

    def close(self) -> None:
        """Close its connections."""
        self._runner.run(self._client.close())
        self._runner.close()

    async def _with(self, token: str) -> str | None:
        seen = set[str]()
        async for batch in self._client.sdk.batches.list(limit=_PAGE):
            if (batch.metadata or {}).get(_TOKEN) == token:
                return str(batch.id)
            if batch.id in seen:
                return None  # a server that knows no pages, and would give its list again for ever
            seen.add(batch.id)
        return None

    def _tried(self, call: Callable[[], Awaitable[T]], *, named: bool = False) -> T:
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
            reason = without_key(" ".join(str(fault).split()), self._key)
            raise AwayError(
                f"{self._entry.identity}: batches: {reason[:300]}; run again when that is mended: batches in "
                "flight are found again"
            ) from None
        return answer

    def _sorted(self, call: Callable[[], Awaitable[T]], named: bool) -> T:
        async def called() -> T:
            with self._client.sorted_faults():
                return await call()

        try:
            return self._runner.run(called())
        except TimeoutError:
            raise PassingFault("no answer in time") from None
        except Rejection as rejection:
            if named and rejection.status == 404:
                raise Gone from None
            raise sorted_fault(rejection, self._entry, {}, {}) from None
