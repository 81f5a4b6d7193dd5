"""Read or draw the problems of a dataset, refused ones with their reason."""

from collections import Counter
from pathlib import Path

from nlfol.data.entries.problems import read_problems
from nlfol.data.entry import read_problems_entry
from nlfol.store.files import write
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX
from nlfol.store.problem_schemas import PROBLEMS


def main(dataset_json: str, dataset: str, output: Path, *, seed: int | None = None) -> None:
    """Write the PROBLEMS file, log why problems are refused; raises ``SourceError`` if entry or source is unusable."""
    entry = read_problems_entry(dataset_json)
    (problems, notes), digest = read_problems(entry, seed or 0)
    metadata = {
        "dataset": dataset,
        "reader": entry.reader,
        f"{PREFIX}source/{dataset}": digest,
        # The path of the source does not change what is read.
        "entry": entry.model_dump_json(exclude={"path", "pin", "shards"}),
    }
    if entry.is_drawn:
        metadata["seed"] = str(seed or 0)
    write(output, PROBLEMS, [problem.to_row() for problem in problems], metadata)
    for note in notes:
        LOGGER.info(f"{dataset}: {note}")
    usable = sum(problem.is_usable for problem in problems)
    LOGGER.info(f"{dataset}: {usable:>6} of {len(problems)} problems are usable")
    refused = Counter(problem.reason for problem in problems if problem.reason is not None)
    for reason, count in sorted(refused.items()):
        LOGGER.info(f"{dataset}: {count:>6} refused: {reason}")


if __name__ == "__main__":
    run_job(main)
