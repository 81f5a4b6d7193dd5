"""Detection of damage to journals, vectors and stage files.

    python benchmarks/damage.py [--count 1000] [--seed 1]

Each time one bit of one byte of one file is changed, at random, in a folder with a journal, a store of vectors and the
first stages of a dataset. It prints by kind of file how many changes ``nlfol verify`` finds, and how many the reader
does that the next run would use.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attach_ontology
import ingest_dataset
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.provenance.intactness import Looked, faults
from nlfol.store import files, schemas
from nlfol.store.files import StoreError

JOURNAL, VECTORS = "journal/model/mine.logical_translation.jsonl", "journal/vectors/mine.most_similar/0/0.arrow"
SENTENCES, TRIPLES = (f"results/datasets/mine/{name}.arrow" for name in ("sentences", "triples"))
KINDS = {JOURNAL: "journal", VECTORS: "vectors", SENTENCES: "results", TRIPLES: "results"}


def kept(folder: Path) -> None:
    """Write what a run keeps: a journal of 20 answers, 20 vectors, and a dataset after two stages."""
    ontology = "predicates:\n  Tall: {arity: 1, positive: '{} is tall', negative: '{} is not tall'}\n"
    (folder / "ontology.yaml").write_text(ontology + "constants:\n  ann: Ann\n", encoding="utf-8")
    rows = [f"s{number},Ann is tall.,Tall(ann)\n" for number in range(20)]
    (folder / "mine.csv").write_text("story,text,formula\n" + "".join(rows), encoding="utf-8")
    entry = {"reader": "table", "path": str(folder / "mine.csv"), "ontology": str(folder / "ontology.yaml")}
    ingest_dataset.main(json.dumps(entry), "mine", folder / SENTENCES)
    attach_ontology.main(json.dumps(entry), folder / SENTENCES, folder / TRIPLES)
    vectors = [
        {"text": f"text {number}", "tokens": 3, "truncated": False, "vector": [number / 7] * 16} for number in range(20)
    ]
    files.write(folder / VECTORS, schemas.VECTORS, vectors, {"identity": "m", "role": "document", "dimensions": "16"})
    requests = [
        ChatRequest("test:model", (Message("user", f"sentence {number}"),), {"type": "string"}, 0.0, None, 60, number)
        for number in range(20)
    ]
    with Journal(folder / JOURNAL) as journal:
        journal.append((each, ChatReply(each.key, Ending.ANSWERED, text="Small(a)", seconds=0.5)) for each in requests)


def is_read(path: Path) -> bool:
    """Return whether the next run reads a file without complaint."""
    try:
        if path.suffix == ".jsonl":
            Journal(path).close()
        else:
            names = {"sentences": schemas.SENTENCES, "triples": schemas.TRIPLES}
            files.read(path, names.get(path.stem, schemas.VECTORS))
    except StoreError:
        return False
    return True


def damage(folder: Path, count: int, seed: int, paths: Sequence[str] = tuple(KINDS)) -> Counter[tuple[str, str]]:
    """Count changes made, ``verified`` and ``refused`` by the reader, by kind of file."""
    random = Random(seed)
    found: Counter[tuple[str, str]] = Counter()
    assert not list(faults(folder, Looked()))
    for _ in range(count):
        name = random.choice(paths)
        path = folder / name
        whole = path.read_bytes()
        place = random.randrange(len(whole))
        changed = bytearray(whole)
        changed[place] ^= 1 << random.randrange(8)
        path.write_bytes(changed)
        named = {fault.file for fault in faults(folder, Looked())}
        found[KINDS[name], "made"] += 1
        found[KINDS[name], "verified"] += str(path) in named
        found[KINDS[name], "refused"] += not is_read(path)
        path.write_bytes(whole)
    return found


def main() -> None:
    """Print a line a kind of file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        kept(Path(name))
        found = damage(Path(name), arguments.count, arguments.seed)
    for kind in dict.fromkeys(KINDS.values()):
        print(json.dumps({"kind": kind, **{each: found[kind, each] for each in ("made", "verified", "refused")}}))


if __name__ == "__main__":
    main()
