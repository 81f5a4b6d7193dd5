"""Read or draw the problems of a dataset, refused ones with their reason."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.datasets.entries.problems import read_problems
from nlfol.datasets.entry import read_problems_entry
from nlfol.store.files import write
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import PREFIX
from nlfol.store.parameters import entry_of
from nlfol.store.problem_schemas import PROBLEMS

if TYPE_CHECKING:
    snakemake: Any


def main(entry_json: str, name: str, output: Path, *, seed: int = 0) -> None:
    """Write the PROBLEMS file, log why problems are refused; raises ``SourceError`` if entry or source is unusable."""
    entry = read_problems_entry(entry_json)
    (problems, notes), digest = read_problems(entry, seed)
    metadata = {
        "dataset": name,
        "reader": entry.reader,
        f"{PREFIX}source/{name}": digest,
        # The path of the source does not change what is read.
        "entry": entry.model_dump_json(exclude={"path", "pin", "shards"}),
    }
    if entry.is_drawn:
        metadata["seed"] = str(seed)
    write(output, PROBLEMS, [problem.to_row() for problem in problems], metadata)
    for note in notes:
        LOGGER.info(f"{name}: {note}")
    usable = sum(problem.is_usable for problem in problems)
    LOGGER.info(f"{name}: {usable:>6} of {len(problems)} problems are usable")
    refused = Counter(problem.reason for problem in problems if problem.reason is not None)
    for reason, count in sorted(refused.items()):
        LOGGER.info(f"{name}: {count:>6} refused: {reason}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            entry_of(snakemake.params, "dataset"),
            snakemake.wildcards.dataset,
            Path(snakemake.output[0]),
            seed=snakemake.params.seed or 0,
        )
