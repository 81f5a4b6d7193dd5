"""Read the sentences of a dataset, with gold formulas or reasons of refusal."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.entry import read_sentences_entry
from nlfol.data.generation import CHUNK, exemplars, generated, recipe_digest
from nlfol.data.reason import funnel, refusals
from nlfol.store.files import write
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX
from nlfol.store.parts import WHOLE, Part
from nlfol.store.schemas import SENTENCES, SentenceRow


def main(dataset_json: str, dataset: str, output: Path, *, seed: int | None = None, part: Part = WHOLE) -> None:
    """Write the SENTENCES file, log what each step leaves; raises ``SourceError`` if entry or source is unusable."""
    entry = read_sentences_entry(dataset_json)
    if isinstance(entry, GrammarEntry):
        _generate(entry, dataset, output, seed or 0, part=part)
        return
    loaded = entry.read()
    rows = [sentence.to_row() for sentence in loaded.sentences]
    metadata = {
        "dataset": dataset,
        "reader": entry.reader,
        f"{PREFIX}source/{dataset}": loaded.digest,
        # The path of the source does not change what is read.
        "entry": entry.model_dump_json(exclude={"path", "pin", "ontology", "ontology_pins", "patches", "accepted"}),
    }
    if loaded.patches is not None:
        metadata[f"{PREFIX}patches/{dataset}"] = loaded.patches
        corrected = sum(sentence.correction is not None for sentence in loaded.sentences)
        regained = sum(sentence.regained is not None for sentence in loaded.sentences)
        LOGGER.info(f"{dataset}: {corrected:>6} corrected, {regained} refused as published")
    write(output, SENTENCES, rows, metadata)
    repaired = Counter(kind for sentence in loaded.sentences for kind in {repair.kind for repair in sentence.repairs})
    for kind, count in sorted(repaired.items()):
        LOGGER.info(f"{dataset}: {count:>6} repaired: {kind}")
    for note in loaded.notes:
        LOGGER.info(f"{dataset}: {note}")
    for step in funnel(rows):
        LOGGER.info(f"{dataset}: {step['sentences']:>6} sentences, {step['stories']:>5} stories {step['step']}")
    for reason, count in refusals(rows).items():
        LOGGER.info(f"{dataset}: {count:>6} refused: {reason}")


def _generate(entry: GrammarEntry, dataset: str, output: Path, seed: int, *, part: Part) -> None:
    decided_by = {
        "dataset": dataset,
        "reader": entry.reader,
        "seed": str(seed),
        f"{PREFIX}source/{dataset}": recipe_digest(entry),
        "entry": entry.model_dump_json(exclude={"verbnet", "shards"}),
    }
    metadata = {**decided_by, "exemplars": json.dumps(exemplars(entry, seed), ensure_ascii=False)}
    reasons: Counter[str | None] = Counter()
    made = part.gathered(SentenceRow, decided_by) if part.made else (row for row, _ in generated(entry, seed, part))
    write(output, SENTENCES, _counted(made, reasons, dataset), metadata, chunk=CHUNK)
    LOGGER.info(f"{dataset}: {reasons.pop(None, 0):>6} sentences generated")
    for reason, count in sorted(reasons.items(), key=str):
        LOGGER.info(f"{dataset}: {count:>6} draws refused: {reason}")


def _counted(rows: Iterable[SentenceRow], reasons: Counter[str | None], dataset: str) -> Iterator[SentenceRow]:
    for row in rows:
        reasons[row["reason"]] += 1
        if row["reason"] is None and reasons[None] % CHUNK == 0:
            LOGGER.info(f"{dataset}: {reasons[None]:>6} sentences so far")
        yield row


if __name__ == "__main__":
    run_job(main)
