"""An embedding model behind an interface."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from typing_extensions import override

from nlfol.models.api.chat import ApiModel
from nlfol.models.budget import Ledger
from nlfol.models.entries.embedding import ApiEmbeddingEntry, Role
from nlfol.models.providers.base import CHARACTERS_A_TOKEN
from nlfol.models.request import ChatError, Feed, JobFiles
from nlfol.models.serving.service import Server
from nlfol.models.vectors.local import Embedding, EmbeddingError, EmbeddingGroup, LostVectorsError
from nlfol.models.vectors.request import EmbeddingReply, EmbeddingRequest
from nlfol.store.canonical import canonical


class ApiEmbedder(ApiModel[EmbeddingRequest, EmbeddingReply]):
    """Encodes over the network: several requests at once, several texts in each.

    Whether a text was longer than the model reads is not known: interfaces cut it off silently, or decline it. Raises
    ``EmbeddingError`` where ``ApiModel`` raises ``ChatError``.
    """

    def __init__(
        self,
        entry: ApiEmbeddingEntry,
        sharers: Path | None = None,
        budget: Ledger | None = None,
        server: Server | None = None,
    ) -> None:
        self._texts = entry
        with _embedding_errors():
            super().__init__(entry, sharers, budget, server)

    @classmethod
    @override
    def open(cls, entry: ApiEmbeddingEntry, files: JobFiles) -> Self:
        with _embedding_errors():
            return super().open(entry, files)

    def encode_groups(self, texts: Sequence[str], role: Role) -> Generator[EmbeddingGroup, None, None]:
        """Encode distinct texts, each request's as soon as its answer is there, in any order.

        What an interface declines with several texts is asked again in halves, so that one text that it does not take
        costs the others nothing. Raises ``EmbeddingError`` if some cannot be encoded, after all others were handed out.
        """
        waiting = [EmbeddingRequest(tuple(batch), role) for batch in self._batches(texts, role)]
        failed: list[tuple[EmbeddingRequest, EmbeddingReply]] = []
        while waiting:
            requests = {request.key: request for request in waiting}
            waiting = []
            with _embedding_errors():
                for replies in self.deliver(Feed(requests.values())):
                    for reply in replies:
                        request = requests[reply.key]
                        if reply.vectors is not None:
                            # The tokens of one text are known where it was sent alone.
                            alone = reply.tokens if len(request.texts) == 1 else None
                            embeddings = [Embedding(vector, alone) for vector in reply.vectors]
                            model = reply.served_model
                            engine = None if model is None else canonical({"served_model": model})
                            yield EmbeddingGroup(request.texts, embeddings, engine, reply.tokens)
                        elif reply.declined and len(request.texts) > 1:
                            middle = len(request.texts) // 2
                            waiting += [
                                EmbeddingRequest(part, role)
                                for part in (request.texts[:middle], request.texts[middle:])
                            ]
                        else:
                            failed.append((request, reply))
        if failed:
            missing = sum(len(request.texts) for request, _ in failed)
            request, reply = failed[-1]
            raise LostVectorsError(
                f"{self.identity}: {missing} of {len(texts)} texts have no vector, one of them "
                f"{request.texts[0][:80]!r}: {reply.error}; the vectors of the others are kept. "
                "Run again to ask for these alone"
            )

    def _batches(self, texts: Sequence[str], role: Role) -> Iterator[list[str]]:
        """Yield texts in their order, each batch within the entry's bounds."""
        prompt, batch, size = len(self._texts.prompt(role)), list[str](), 0.0
        for text in texts:
            tokens = (prompt + len(text)) / CHARACTERS_A_TOKEN
            full = len(batch) == self._texts.texts_per_request or size + tokens > self._texts.tokens_per_request
            if batch and full:
                yield batch
                batch, size = [], 0.0
            batch.append(text)
            size += tokens
        if batch:
            yield batch


@contextmanager
def _embedding_errors() -> Iterator[None]:
    try:
        yield
    except ChatError as error:
        raise EmbeddingError(str(error)) from error
