"""A durable store of vectors: a text is encoded once for each model and prompt, whatever asks for it.

A vector's last bits depend on what it was computed beside. So texts that are equal to the model share one vector, even
where they come later: a text takes that of its equal in the store.

A folder of Arrow files, one for each group of texts that was encoded together, named by their texts and only ever
added. The folder belongs to one model, told by its identity: revision, dtype and prompts. Vectors are kept whole;
similarity and number of dimensions are chosen when they are compared.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.compute

from nlfol.models.entries.embedding import Role, read_role
from nlfol.models.vectors.local import (
    Embedder,
    Embedding,
    EmbeddingError,
    EmbeddingGroup,
    Reading,
    ReadingEmbedder,
    Row,
)
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.locks import alone
from nlfol.store.logs import Progress


@dataclass(frozen=True, slots=True)
class Encoded:
    """Vectors of texts, float32 (texts, dimensions); truncated, bool (texts,), if the model saw only the beginning."""

    vectors: npt.NDArray[np.float32]
    truncated: npt.NDArray[np.bool_]


def folder_of(store: Path, identity: str) -> Path:
    """Return the folder of one model's vectors in a folder of several models'."""
    return store / sha256(identity)[:16]


class Vectors:
    """The vectors of one model in their own folder; those of several engines cannot be compared (``one_engine``)."""

    def __init__(self, folder: Path, identity: str, *, one_engine: bool = False) -> None:
        self.folder = folder_of(folder, identity)
        self.identity = identity
        self._one_engine = one_engine
        self._known: dict[tuple[Role, str], Embedding] = {}
        self._read: set[Path] = set()
        self.engines: set[str] = set()
        """The engines that computed the vectors, as canonical JSON."""

    def encode(self, texts: Sequence[str], role: Role, model: Callable[[], Embedder]) -> Encoded:
        """Return the vectors of one text or more, in their order; the model is opened only if one is missing.

        The role decides the prompt put before the texts. Raises ``StoreError`` if a file of the folder is damaged,
        ``EmbeddingError`` if the model cannot be asked, or its vectors are not all of one length, or of one engine
        where they have to be; then nothing more is asked of it.
        """
        missing = self.missing(texts, role)
        self._check_engine()
        if missing:
            self.folder.mkdir(parents=True, exist_ok=True)
            with alone(self.folder / "lock", "store of vectors"):
                # What another process has encoded in the meantime is not missing any more.
                missing = self.missing(texts, role)
                self._check_engine()
                if missing:
                    self._encode(missing, role, model())
        embeddings = [self._known[role, text] for text in texts]
        if len(widths := sorted({len(embedding.vector) for embedding in embeddings})) > 1:
            raise EmbeddingError(
                f"{self.folder}: holds vectors of {' and '.join(map(str, widths))} dimensions of {self.identity}: the "
                "model has changed behind its name; move the folder away to encode all texts again"
            )
        return Encoded(
            np.stack([embedding.vector for embedding in embeddings]),
            np.array([embedding.truncated for embedding in embeddings]),
        )

    def missing(self, texts: Sequence[str], role: Role) -> list[str]:
        """Return the texts that have no vector yet, each once; raises ``StoreError`` if a file is damaged."""
        for path in sorted(set(self.folder.glob("*.arrow")) - self._read):
            self._load(path)
        return [text for text in dict.fromkeys(texts) if (role, text) not in self._known]

    def _encode(self, missing: Sequence[str], role: Role, model: Embedder) -> None:
        """Encode one text of those that are equal to the model, and none whose equal is in the store."""
        readings: dict[str, Reading] = {}
        if isinstance(model, ReadingEmbedder):
            texts = [*(text for of, text in self._known if of == role), *missing]
            readings = dict(zip(texts, model.read(texts, role), strict=True))
        equal: dict[str | Row, list[str]] = {}
        for text in missing:
            equal.setdefault(readings[text].row if text in readings else text, []).append(text)
        for (of, text), known in list(self._known.items()):
            if of == role and text in readings and (twins := equal.pop(readings[text].row, [])):
                self._add(EmbeddingGroup(twins, _copies(known, twins, readings), None), role)
        if not equal:
            return
        twins_of = {texts[0]: texts[1:] for texts in equal.values()}
        progress, done = Progress(f"{self.identity}, {role}", of="vectors"), 0
        progress(done, len(twins_of))
        with closing(model.encode_groups(list(twins_of), role)) as arriving:
            for group in arriving:
                done += len(group.texts)
                pairs = list(zip(group.texts, group.embeddings, strict=True))
                texts = [*group.texts, *(twin for text in group.texts for twin in twins_of[text])]
                copies = [copy for text, known in pairs for copy in _copies(known, twins_of[text], readings)]
                self._add(replace(group, texts=texts, embeddings=[*group.embeddings, *copies]), role)
                self._check_engine()
                progress(done, len(twins_of))

    def _load(self, path: Path) -> None:
        table = files.read(path, schemas.VECTORS)
        metadata = files.metadata_of(table)
        if metadata.get("identity") != self.identity:
            raise files.StoreError(
                f"{path}: holds vectors of {metadata.get('identity')}, not {self.identity}; move it away"
            )
        role = read_role(metadata["role"])
        width = int(metadata["dimensions"])
        numbers = pyarrow.compute.list_flatten(table["vector"]).to_numpy().reshape(-1, width)
        columns = (table[name].to_pylist() for name in ("text", "tokens", "truncated"))
        for text, tokens, cut, vector in zip(*columns, numbers, strict=True):
            self._known.setdefault((role, text), Embedding(vector, tokens, cut))
        self._read.add(path)
        if "engine" in metadata:
            self.engines.add(metadata["engine"])

    def _check_engine(self) -> None:
        if self._one_engine and len(self.engines) > 1:
            engines = " and ".join(sorted(self.engines))
            raise EmbeddingError(
                f"{self.folder}: holds vectors of {self.identity} that came from {engines}, which cannot be compared; "
                "give the model's dated name, or move the folder away to encode all texts again"
            )

    def _add(self, group: EmbeddingGroup, role: Role) -> None:
        rows = [
            {"text": text, "tokens": embedding.tokens, "truncated": embedding.truncated, "vector": embedding.vector}
            for text, embedding in zip(group.texts, group.embeddings, strict=True)
        ]
        metadata = {"identity": self.identity, "role": role, "dimensions": str(len(group.embeddings[0].vector))}
        if group.engine is not None:
            metadata["engine"] = group.engine
        if group.tokens is not None:
            metadata["tokens"] = str(group.tokens)
        path = self.folder / f"{sha256(canonical([role, *group.texts]))[:16]}.arrow"
        files.write(path, schemas.VECTORS, rows, metadata)
        self._load(path)


def _copies(known: Embedding, texts: Sequence[str], readings: Mapping[str, Reading]) -> list[Embedding]:
    """Return one vector for each of some texts that are equal to the model."""
    return [Embedding(known.vector, readings[text].tokens, readings[text].truncated) for text in texts]
