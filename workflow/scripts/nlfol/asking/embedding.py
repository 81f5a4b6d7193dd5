"""Comparing texts by an embedding model: candidates -> responses, and pairs of texts -> cosines.

Vectors go into a store as they are computed or arrive; the model is opened only for what is missing there.
"""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from nlfol.asking.asking import Asking
from nlfol.asking.components import of_vectors
from nlfol.asking.looks import looked
from nlfol.asking.questions import compared_texts
from nlfol.asking.responses import response_row, write_responses
from nlfol.facts import is_blind, sighted
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry, Role
from nlfol.models.entries.interface import ServableInterface
from nlfol.models.local import materialisation
from nlfol.models.request import JobFiles, refuse_alone
from nlfol.models.vectors.local import Embedder
from nlfol.models.vectors.similarity import similarities, truncated
from nlfol.models.vectors.store import Vectors
from nlfol.store.logs import LOGGER

ALIKE: Role = "document"
"""The role of texts that are compared with one another, and not searched."""


def ask_embedding(asking: Asking, entry: EmbeddingEntry | ApiEmbeddingEntry, files: JobFiles) -> None:
    """Write the RESPONSES file of one dataset, task and embedding model: a similarity for each candidate.

    Raises ``EmbeddingError`` if the model cannot be asked, or its vectors cannot be compared.
    """
    items = asking.items(entry.items)
    vectors = _vectors(entry, files)
    shown = [(presentation, item) for presentation in asking.presentations for item in items]
    sizes = [len(item.members) for _, item in shown]
    identity = f"{vectors.identity};{entry.comparison}"
    rows, cut = [], 0
    if shown:
        LOGGER.info(f"{asking.label}: {len(items)} sentences, {sum(sizes)} candidates")
        model = cache(partial(_open, entry, files))
        of_role = compared_texts(asking, items, entry)
        sentences, *candidates = (vectors.encode(texts, role, model) for role, texts in of_role.items())
        rows_of = {role: iter(encoded.vectors) for role, encoded in zip(list(of_role)[1:], candidates, strict=True)}
        roles = [
            entry.role_of(formula=sighted(presentation) == "formula")
            for presentation, item in shown
            for _ in item.members
        ]
        documents = truncated(np.stack([next(rows_of[role]) for role in roles]), entry.dimensions)
        bounds = np.cumsum(sizes)[:-1]
        # A control has the mean of the candidates for the sentence.
        withheld = np.split(documents, bounds)[len(of_role["query"]) :]
        queries = [*truncated(sentences.vectors, entry.dimensions), *(vectors.mean(axis=0) for vectors in withheld)]
        compared = similarities(np.repeat(np.stack(queries), sizes, axis=0), documents, entry.similarity)
        per_item = np.split(compared, bounds)
        for (presentation, item), of_item in zip(shown, per_item, strict=True):
            order = list(range(len(item.members)))
            shown_as = [member.shown(presentation) for member in item.members]
            sentence = "" if is_blind(presentation) else item.text
            compared_as = of_vectors(sentence, shown_as, identity)
            rows.append(response_row(item, presentation, order=order, similarities=of_item.tolist(), shown=compared_as))
        cut = int(sentences.truncated[: len(items)].sum() + sum(candidate.truncated.sum() for candidate in candidates))
    if cut:
        LOGGER.warning(f"{asking.label}: {cut} texts are longer than the model reads and were cut off")
    more = {"truncated_texts": str(cut), "engines": f"[{','.join(sorted(vectors.engines))}]"}
    more |= looked(asking, items, vectors.folder)
    write_responses(asking, "embedding", identity, rows, more)


def cosines(
    pairs: Sequence[tuple[str, str]], entry: EmbeddingEntry | ApiEmbeddingEntry, files: JobFiles
) -> list[tuple[float, bool]]:
    """Return the cosine of each pair of texts, and whether the model saw only the beginning of one.

    Texts are encoded as documents, whatever the entry compares by. Raises ``EmbeddingError`` if the model cannot be
    asked, or its vectors cannot be compared.
    """
    if not pairs:
        return []
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    encoded = _vectors(entry, files).encode(texts, ALIKE, cache(partial(_open, entry, files)))
    number_of = {text: number for number, text in enumerate(texts)}
    sides = np.array([[number_of[text] for text in pair] for pair in pairs])
    one, other = (truncated(encoded.vectors[side], entry.dimensions) for side in sides.T)
    cut = encoded.truncated[sides].any(axis=1)
    return list(zip(similarities(one, other).tolist(), cut.tolist(), strict=True))


def _vectors(entry: EmbeddingEntry | ApiEmbeddingEntry, files: JobFiles) -> Vectors:
    if files.weights is None:
        return Vectors(files.kept, entry.identity, one_engine=True)
    assert isinstance(entry, EmbeddingEntry | ServableInterface)
    one_engine = not isinstance(entry, EmbeddingEntry)
    return Vectors(files.kept, materialisation.identity(entry, files.weights), one_engine=one_engine)


def _open(entry: EmbeddingEntry | ApiEmbeddingEntry, files: JobFiles) -> Embedder:
    refuse_alone(entry.identity)
    if isinstance(entry, EmbeddingEntry):
        from nlfol.models.vectors.local import LocalEmbedder

        return LocalEmbedder.open(entry, files)
    from nlfol.models.api.embedding import ApiEmbedder

    return ApiEmbedder.open(entry, files)
