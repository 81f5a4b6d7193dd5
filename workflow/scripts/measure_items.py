"""Measure the items of a dataset: how large each is, and how many single edits of it change its meaning."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.candidates.sensitivity import sensitivity
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.equivalence import Contingency
from nlfol.logic.forgetting import forget
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import content_labels
from nlfol.store import analysis_schemas, files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parts import WHOLE, Part, gather, part_of

if TYPE_CHECKING:
    snakemake: Any

CHUNK = 1_000
"""Items that are in memory at once."""

CONSTANT = {Contingency.VALID: True, Contingency.UNSATISFIABLE: True, Contingency.CONTINGENT: False}


def main(
    triples: Path,
    *,
    dataset: str,
    edits: int,
    seed: int,
    output: Path,
    part: Part = WHOLE,
    parts: Sequence[Path] = (),
) -> None:
    """Write the MEASURES file of a dataset.

    Args:
        triples: the TRIPLES file.
        dataset: its name in the configuration.
        edits: how many single edits of each item are tried; 0 tries none.
        seed: the experiment's seed. Which edits are tried depends on it and the item's content alone.
        output: where the file goes.
        part: of which items.
        parts: the files of all parts, where they are made and only to be gathered.
    """
    origin = made_from(triples)
    sums = Counter[str]()
    rows: Iterable[dict[str, Any]]
    if parts:
        rows = gather(parts, analysis_schemas.MEASURES, origin)
    else:
        start, stop = part.span(sum(1 for _ in _usable(triples)))
        rows = _summed((_row(row, edits, seed) for row in islice(_usable(triples), start, stop)), sums)
    about = {"dataset": dataset, "seed": str(seed), "sensitivity": str(edits), **origin}
    files.write(output, analysis_schemas.MEASURES, rows, about, chunk=CHUNK)
    if not parts:
        tried = f"of {sums['edits']} edits {sums['detected']} detected, {sums['undecided']} undecided"
        LOGGER.info(f"{dataset}: {sums['items']} items; {tried}")


def _usable(triples: Path) -> Iterator[dict[str, Any]]:
    for chunk in files.chunks(triples, schemas.TRIPLES):
        forget()
        yield from (row for row in chunk if row["status"] == "usable")


def _summed(rows: Iterable[dict[str, Any]], sums: Counter[str]) -> Iterator[dict[str, Any]]:
    for row in rows:
        sums.update(items=1, **{name: row[name] for name in ("edits", "detected", "undecided")})
        yield row


def _row(triple: Mapping[str, Any], edits: int, seed: int) -> dict[str, Any]:
    language = LANGUAGES[triple["language"]]
    sentence = language.parse(triple["formula"])
    ontology = Ontology.from_row(triple["ontology"])
    found = sensitivity(language, sentence, ontology, edits, seed, *content_labels(triple))
    return {
        **{name: triple[name] for name in ("item", "story", "language", "category")},
        **dict.fromkeys(analysis_schemas.MEASURE_NAMES),
        **language.measures(sentence),
        "edits": found.edits,
        "detected": found.detected,
        "undecided": found.undecided,
        "constant": CONSTANT.get(language.contingency(sentence, ontology)),
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.triples),
            dataset=snakemake.wildcards.dataset,
            edits=snakemake.params.sensitivity,
            seed=snakemake.params.seed,
            output=Path(snakemake.output[0]),
            part=part_of(snakemake.wildcards),
            parts=[Path(part) for part in snakemake.input.get("parts", [])],
        )
