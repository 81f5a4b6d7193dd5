"""Embedding against one call a text: texts a CPU second and by the clock, both in one run and one process.

    snakemake -c1 results/items/tarski/{most_similar,ranking}.arrow results/weights/minilm
    OMP_NUM_THREADS=2 python benchmarks/embedding.py [--dtype bfloat16] [--plain 600] [CANDIDATES ...]

Workload: every sentence and candidate of both tasks and presentations, over Tarski's World or over the candidate files
given (``results/items/folio/*.arrow``), by the embedded model. The plain way is one ``encode`` call for each of
them, repeats included, of the same weights as sentence-transformers loads them, in float32; it is timed on so many
texts, of whole items, and their vectors and most similar candidates are compared.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import numpy.typing as npt
import torch
import yaml
from sentence_transformers import SentenceTransformer

from nlfol.asking.asking import usable_items
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local import materialisation
from nlfol.models.local.loading import FROM_HERE
from nlfol.models.vectors.local import LocalEmbedder
from nlfol.models.vectors.similarity import similarities

ROOT = Path(__file__).parents[1]
MODEL = "minilm"
TOLERANCE = 1e-5
"""Tolerance for a vector's components (about 0.05 each): rounding differs between batches."""


class Clock:
    """Started when it is made."""

    def __init__(self) -> None:
        self._process, self._wall = process_time(), perf_counter()

    def rates(self, count: int) -> tuple[float, float]:
        """Throughput for a CPU second and a second."""
        return count / (process_time() - self._process), count / (perf_counter() - self._wall)


def questions(paths: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """Each sentence with its candidates, once for each task and presentation."""
    for path in paths:
        for item in usable_items(path):
            for presentation in ("formula", "english"):
                yield item.text, [member.shown(presentation) for member in item.members]


def flat(asked: Sequence[tuple[str, list[str]]]) -> list[str]:
    """All texts, repeats included."""
    return [text for sentence, candidates in asked for text in (sentence, *candidates)]


def choices(asked: Sequence[tuple[str, list[str]]], vectors: dict[str, npt.NDArray[np.float32]]) -> list[set[str]]:
    """The most similar candidates of each question: those that no other exceeds by more than rounding."""
    found = []
    for sentence, candidates in asked:
        documents = np.stack([vectors[text] for text in candidates])
        compared = similarities(np.stack([vectors[sentence]] * len(candidates)), documents)
        found.append({text for text, one in zip(candidates, compared, strict=True) if one >= compared.max() - 1e-6})
    return found


def main() -> None:
    """Measure all texts, and the plain way on some."""
    parser = argparse.ArgumentParser(description="Embedding against one call a text, as a ratio in one run.")
    parser.add_argument("candidates", type=Path, nargs="*", help="ITEMS files")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="with candidates and weights")
    parser.add_argument("--plain", type=int, default=600, help="texts for the plain way")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32", help="of the entry")
    options = parser.parse_args()
    folder = options.results / "items" / "tarski"
    paths = options.candidates or [folder / "most_similar.arrow", folder / "ranking.arrow"]
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"][MODEL]
    weights = options.results / "weights" / MODEL
    embedder = LocalEmbedder(EmbeddingEntry.model_validate(values | {"dtype": options.dtype}), weights)
    plain = SentenceTransformer(str(materialisation.weights(weights)), device="cpu", **FROM_HERE)
    asked = list(questions(paths))
    texts = flat(asked)
    embedder.encode(texts[:100], "document")

    clock = Clock()
    distinct = list(dict.fromkeys(texts))
    encoded = embedder.encode(distinct, "document")
    fast = clock.rates(len(texts))
    mine = {text: one.vector for text, one in zip(distinct, encoded, strict=True)}

    some = asked[:: max(1, len(texts) // options.plain)]
    plain.encode(texts[0], prompt="", show_progress_bar=False)
    clock = Clock()
    theirs = {text: plain.encode(text, prompt="", show_progress_bar=False) for text in flat(some)}
    slow = clock.rates(len(flat(some)))

    apart = max(float(np.abs(mine[text] - vector).max()) for text, vector in theirs.items())
    same = sum(one == other for one, other in zip(choices(some, mine), choices(some, theirs), strict=True))
    print(
        f"{len(texts)} texts, {len(distinct)} distinct, {len({one.vector.tobytes() for one in encoded})} vectors, "
        f"{sum(one.truncated for one in encoded)} cut off; vectors {'equal' if apart <= TOLERANCE else 'DIFFERENT'} "
        f"within {TOLERANCE:g} (most {apart:.1e}); most similar candidates equal for {same} of {len(some)} questions"
    )
    for number, per in enumerate(("CPU second", f"second on {torch.get_num_threads()} threads")):
        rates = f"texts a {per}: {fast[number]:.0f}; one by one {slow[number]:.0f} on {len(flat(some))}"
        print(f"{rates}; ratio {fast[number] / slow[number]:.1f}")


if __name__ == "__main__":
    main()
