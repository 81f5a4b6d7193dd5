"""``nlfol align --glosses``: cosines of glosses by an embedding model, as experiments compute them."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nlfol.alignment.anchors import Nearness, compared
from nlfol.asking.embedding import cosines
from nlfol.cli.align import glossed
from nlfol.cli.lines import LineError
from nlfol.datasets.entries.block import PROJECT
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.materialisation import ModelSourceError, materialise
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import JobFiles
from nlfol.models.vectors.local import EmbeddingError
from nlfol.tasks.ontology_extraction import GlossComparison
from nlfol.validation import nearest, read_yaml


class GlossesError(ValueError):
    """A model that cannot compare glosses."""


def nearness(
    records: Iterable[dict[str, Any] | LineError], model: str, threshold: float | None, margin: float | None
) -> Nearness:
    """Return the cosines of what is compared in records, with threshold and margin, by default those of experiments.

    Raises ``GlossesError`` if the model cannot be used.
    """
    given = {name: value for name, value in (("threshold", threshold), ("margin", margin)) if value is not None}
    settings = GlossComparison(model=model, **given)
    pairs = list(dict.fromkeys(chain.from_iterable(map(_pairs, records))))
    try:
        return Nearness(_cosines(pairs, _entry(model)), settings.threshold, settings.margin)
    except (EmbeddingError, ModelSourceError) as error:
        raise GlossesError(f"{model}: {error}") from error


def _pairs(record: dict[str, Any] | LineError) -> Iterator[tuple[str, str]]:
    if isinstance(record, dict) and "formulas" in record and "symbols" in record:
        try:
            yield from compared(*glossed(record))
        except LineError:
            return  # its row says so


def _entry(model: str) -> EmbeddingEntry | ApiEmbeddingEntry:
    here = {"kind": "embedding", "backend": "sentence_transformers", "source": {"path": model}}
    default = PROJECT / "config.yaml"
    models = read_yaml(default)["models"] if default.is_file() else {}
    known = {name: entry for name, entry in models.items() if entry["kind"] == "embedding"}
    if not Path(model).is_dir() and model not in known:
        among = f", or one of {', '.join(known)}" if known else ""
        raise GlossesError(f"no model {model}{nearest(model, known)}; give a folder of weights{among}")
    entry = read_entry(json.dumps(here if Path(model).is_dir() else known[model]))
    assert isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry)
    return entry


def _cosines(pairs: list[tuple[str, str]], entry: EmbeddingEntry | ApiEmbeddingEntry) -> dict[tuple[str, str], float]:
    with TemporaryDirectory() as folder:
        vectors, sharers, weights = (Path(folder, name) for name in ("vectors", "sharers", "weights"))
        if isinstance(entry, EmbeddingEntry):
            materialise(entry, weights)
        files = JobFiles(vectors, sharers, weights)
        return {pair: cosine for pair, (cosine, _) in zip(pairs, cosines(pairs, entry, files), strict=True)}
