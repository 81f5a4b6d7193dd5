"""Compare sentences with candidates by an embedding model: candidates -> responses.

Vectors go into a store beside the journal as they are computed or arrive; the model is loaded, or asked, only for what
is missing there.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlfol.asking.asking import Asking, response_row
from nlfol.asking.embedders import Place, open_embedder, open_vectors
from nlfol.asking.questions import compared_texts
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.entries.model import read_entry
from nlfol.models.local.devices import claimed
from nlfol.models.vectors.similarity import similarities, truncated
from nlfol.spending import ledger_of
from nlfol.store.logs import LOGGER, job_log

if TYPE_CHECKING:
    from nlfol.models.budget.ledger import Ledger

    snakemake: Any


def main(
    asking: Asking,
    weights: Path | None,
    store: Path,
    sharers: Path,
    *,
    ledger: "Ledger | None" = None,
    service: Path | None = None,
) -> None:
    """Write the RESPONSES file of one dataset, task and embedding model: a similarity for each candidate.

    Args:
        asking: what is asked of which model.
        weights: folder of the model; None for one behind an interface.
        store: folder of vectors. Of models that run here it is one for each dataset and task: a vector's last bits
            depend on what it was encoded beside, and must not depend on which other task was asked first.
        sharers: where jobs that ask one interface find one another.
        ledger: the budget; None where there is none, or for a model that runs here.
        service: the service file of the model's server; None for one that the workflow does not serve.
    """
    entry = read_entry(asking.entry_json)
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {asking.model!r} is no embedding model")

    place = Place(store, sharers, weights, service, ledger)
    model = cache(lambda: open_embedder(entry, place))
    items = asking.items(entry.items)
    vectors = open_vectors(entry, place)
    shown = [(presentation, item) for presentation in asking.presentations for item in items]
    sizes = [len(item.members) for _, item in shown]
    rows, cut = [], 0
    if shown:
        LOGGER.info(f"{asking.label}: {len(items)} sentences, {sum(sizes)} candidates")
        texts = compared_texts(asking, items)
        sentences = vectors.encode(texts["query"], "query", model)
        candidates = vectors.encode(texts["document"], "document", model)
        compared = similarities(
            truncated(np.repeat(sentences.vectors, sizes, axis=0), entry.dimensions),
            truncated(candidates.vectors, entry.dimensions),
            entry.similarity,
        )
        per_item = np.split(compared, np.cumsum(sizes)[:-1])
        for (presentation, item), found in zip(shown, per_item, strict=True):
            order = list(range(len(item.members)))
            rows.append(response_row(item, presentation, order=order, similarities=found.tolist()))
        cut = int(sentences.truncated[: len(items)].sum() + candidates.truncated.sum())
    if cut:
        LOGGER.warning(f"{asking.label}: {cut} texts are longer than the model reads and were cut off")
    more = {"truncated_texts": str(cut), "engines": f"[{','.join(sorted(vectors.engines))}]"}
    asking.write("embedding", f"{vectors.identity};{entry.comparison}", rows, more)


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(
            Asking.of_job(snakemake),
            Path(snakemake.input.weights) if snakemake.input.weights else None,
            Path(snakemake.params.vectors),
            Path(snakemake.params.sharers),
            ledger=ledger_of(snakemake),
            service=Path(snakemake.input.server) if snakemake.input.server else None,
        )
