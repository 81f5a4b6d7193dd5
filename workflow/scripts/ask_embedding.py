"""Compare sentences with candidates by an embedding model: candidates -> responses."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.models.devices import claimed
from nlfol.models.specification import EmbeddingSpecification, read_specification
from nlfol.store.logs import LOGGER, job_log
from nlfol.tasks.asking import Asking, response_row

if TYPE_CHECKING:
    snakemake: Any


def main(asking: Asking, weights: Path) -> None:
    """Write the RESPONSES file of one dataset, task and embedding model: a similarity for each candidate.

    Args:
        asking: what is asked of which model.
        weights: folder of the model.
    """
    from nlfol.models.embedding import Embedder, similarities

    entry = read_specification(asking.specification)
    if not isinstance(entry, EmbeddingSpecification):
        raise TypeError(f"model {asking.model!r} is no embedding model")
    items = asking.items(entry.items)
    embedder = Embedder(entry, weights)
    sentences = embedder.encode([item.text for item in items], "query")
    rows = []
    for presentation in asking.presentations:
        shown = [[member.shown(presentation) for member in item.members] for item in items]
        texts = [text for of_item in shown for text in of_item]
        LOGGER.info(f"{asking.label}: encoding {len(texts)} candidates as {presentation}")
        encoded = embedder.encode(texts, "document")
        start = 0
        for item, sentence, of_item in zip(items, sentences, shown, strict=True):
            stop = start + len(of_item)
            order = list(range(len(of_item)))
            compared = similarities(sentence, encoded[start:stop])
            rows.append(response_row(item, presentation, order=order, similarities=compared))
            start = stop
    asking.write("embedding", embedder.identity, rows)


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(Asking.of_job(snakemake), Path(snakemake.input.weights))
