"""Join the usable sentences of a dataset with the ontology that holds for their story."""

from pathlib import Path

from nlfol.data.attachment import attach
from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.entry import read_sentences_entry
from nlfol.data.generation import CHUNK, SetDigest, triple_rows
from nlfol.data.reason import funnel, refusals
from nlfol.store.files import chunks, rows, write
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX, made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.store.schemas import TRIPLES, SentenceRow, TripleRow


def main(dataset_json: str, sentences: Path, output: Path, *, seed: int | None = None, part: Part = WHOLE) -> None:
    """Write the TRIPLES file, and log how many sentences are left after each step."""
    entry = read_sentences_entry(dataset_json)
    if isinstance(entry, GrammarEntry):
        _attach_generated(entry, sentences, output, seed or 0, part=part)
        return
    name = metadata_at(sentences).get("dataset", "?")
    listed = rows(sentences, SentenceRow)
    ontologies = entry.ontologies()
    triples = attach(listed, ontologies)
    metadata = {"dataset": name, **made_from(sentences)}
    if ontologies is not None:
        metadata[f"{PREFIX}ontology/{name}"] = ontologies.digest
    write(output, TRIPLES, triples, metadata)
    for step in funnel(listed, triples):
        LOGGER.info(f"{name}: {step['sentences']:>6} sentences, {step['stories']:>5} stories {step['step']}")
    for reason, count in refusals(triples).items():
        LOGGER.info(f"{name}: {count:>6} refused: {reason}")


def _attach_generated(entry: GrammarEntry, sentences: Path, output: Path, seed: int, *, part: Part) -> None:
    earlier, digest, origin = metadata_at(sentences), SetDigest(), made_from(sentences)
    for chunk in chunks(sentences, SentenceRow):
        for row in chunk:
            digest.add(row)
    name = earlier["dataset"]
    metadata = {"dataset": name, "exemplars": earlier["exemplars"], f"{PREFIX}set/{name}": digest.hex(), **origin}
    drawn = (row for chunk in chunks(sentences, SentenceRow) for row in chunk)
    made = part.gathered(TripleRow, origin) if part.made else triple_rows(entry, seed, drawn, part)
    write(output, TRIPLES, made, metadata, chunk=CHUNK)
    LOGGER.info(f"{name}: SHA-256 of the set {digest.hex()}")


if __name__ == "__main__":
    run_job(main)
