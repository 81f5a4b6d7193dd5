"""Make a set for fine-tuning from models' answers (``nlfol.training``)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.training.entry import TrainingEntry
from nlfol.training.examples import Example, Source, examples_of, in_common, right_items
from nlfol.training.exporting import Export, write
from nlfol.training.leaks import Exam, LeakFinder

if TYPE_CHECKING:
    snakemake: Any


def main(
    entry: TrainingEntry,
    sources: Sequence[Source],
    tested: Sequence[Exam],
    originals: Mapping[str, str],
    *,
    common: Sequence[Source] = (),
    name: str,
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
    finder = LeakFinder.read(tested, originals)
    rows = Export(name, finder, entry.count, entry.seed).rows(examples)
    paths = dict.fromkeys(path for each in sources for path in (each.items, each.responses, each.scores))
    paths |= dict.fromkeys(each.scores for each in common)
    about = {
        "training": name,
        "tested": json.dumps([each.dataset for each in tested]),
        **made_from(*paths, *(each.file for each in tested)),
    }
    write(rows, about, arrow, jsonl)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            TrainingEntry.model_validate_json(entry_of(snakemake.params, "training"), by_alias=False, by_name=True),
            [Source.of(each) for each in json.loads(snakemake.params.answers)],
            [Exam(**{**each, "file": Path(each["file"])}) for each in json.loads(snakemake.params.tested)],
            json.loads(snakemake.params.originals),
            common=[Source.of(each) for each in json.loads(snakemake.params.common)],
            name=snakemake.wildcards.training,
            seed=snakemake.params.seed,
            prompts=Path(snakemake.params.prompts),
            arrow=Path(snakemake.output.arrow),
            jsonl=Path(snakemake.output.jsonl),
        )
