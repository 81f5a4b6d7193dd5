"""Make a set for fine-tuning from models' answers (``nlfol.training``)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlfol.store.jobs import run_job
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.training.entry import TrainingEntry
from nlfol.training.examples import Example, Source, examples_of, in_common, right_items
from nlfol.training.exporting import Export, write
from nlfol.training.leaks import Exam, LeakFinder


def main(
    entry: TrainingEntry,
    sources: Sequence[Source],
    tested: Sequence[Exam],
    originals: Mapping[str, str],
    *,
    asked: Sequence[str] = (),
    common: Sequence[Source] = (),
    training: str,
    seed: int,
    prompts: Path,
    arrow: Path,
    jsonl: Path,
) -> None:
    """Write the EXAMPLES file and its usable rows as JSON lines; raises ``TrainingError`` if no example is left.

    ``common`` are the sources of the training that this one has its items in common with.
    """
    of_each = (examples_of(source, seed, prompts, right=entry.right) for source in sources)
    examples: Iterator[Example] = chain.from_iterable(of_each)
    if common:
        examples = in_common(examples, right_items(common))
    finder = LeakFinder.read(tested, originals, frozenset(asked))
    rows = Export(training, finder, entry.count, entry.seed).rows(examples)
    paths = dict.fromkeys(path for source in sources for path in (source.items, source.responses, source.scores))
    paths |= dict.fromkeys(source.scores for source in common)
    about = {
        "training": training,
        "tested": json.dumps([exam.dataset for exam in tested]),
        **made_from(*paths, *(exam.file for exam in tested)),
    }
    write(rows, about, arrow, jsonl)


if __name__ == "__main__":
    run_job(
        main,
        entry=lambda job: TrainingEntry.model_validate_json(
            entry_of(job.params, "training"), by_alias=False, by_name=True
        ),
        sources=lambda job: [Source.of(row) for row in json.loads(job.params.answers)],
        tested=lambda job: [Exam(**{**row, "file": Path(row["file"])}) for row in json.loads(job.params.tested)],
        originals=lambda job: json.loads(job.params.originals),
        asked=lambda job: json.loads(job.params.asked),
        common=lambda job: [Source.of(row) for row in json.loads(job.params.common)],
    )
