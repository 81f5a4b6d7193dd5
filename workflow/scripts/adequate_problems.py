"""Choose questions about a dataset's stories that notice every edit of a premise; refused stories have a reason."""

from collections import Counter
from itertools import chain
from pathlib import Path

from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.problems import source_digest
from nlfol.data.entry import read_problems_entry
from nlfol.problems import Problem
from nlfol.problems.adequacy.stories import mutant_rows
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX, made_from
from nlfol.store.problem_schemas import MUTANTS, PROBLEMS
from nlfol.store.records import SourceError
from nlfol.tasks.adequate import adequate_stories


def main(dataset_json: str, dataset: str, source: Path, output: Path, mutants: Path, *, seed: int) -> None:
    """Write the PROBLEMS and MUTANTS files, and log what is noticed; raises ``SourceError`` for an unusable entry."""
    entry = read_problems_entry(dataset_json)
    if not isinstance(entry, AdequateEntry):
        raise SourceError("dataset entry: its reader is not 'adequate'")
    made = adequate_stories(entry, [Problem.from_row(row) for row in files.rows(source, PROBLEMS)], seed)
    metadata = {
        "dataset": dataset,
        "reader": entry.reader,
        **made_from(source),
        f"{PREFIX}source/{dataset}": source_digest(entry),
        "entry": entry.model_dump_json(exclude={"shards", "ontology"}),
        "seed": str(seed),
    }
    problems = [problem for story in made for problem in story.problems]
    files.write(output, PROBLEMS, [problem.to_row() for problem in problems], metadata)
    files.write(mutants, MUTANTS, chain.from_iterable(map(mutant_rows, made)), metadata)
    usable = sum(problem.is_usable for problem in problems)
    chosen = [story.adequate for story in made if story.adequate is not None]
    LOGGER.info(f"{dataset}: {usable:>6} of {len(problems)} problems are usable, of {len(chosen)} stories")
    for reason, count in sorted(Counter(problem.reason for problem in problems if problem.reason is not None).items()):
        LOGGER.info(f"{dataset}: {count:>6} refused: {reason}")
    for fate, count in sorted(Counter(fate for each in chosen for fate in each.fates).items()):
        LOGGER.info(f"{dataset}: {count:>6} mutants: {fate}")


if __name__ == "__main__":
    run_job(main)
