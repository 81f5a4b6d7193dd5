"""Rewrite the problems of a dataset; those that cannot be rewritten are refused with a reason."""

from collections import Counter
from pathlib import Path

from nlfol.data.entries.problems import source_digest
from nlfol.data.entry import read_diversified_entry
from nlfol.problems import Problem
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX, made_from
from nlfol.store.problem_schemas import PROBLEMS, problems_at
from nlfol.tasks.reworded import reworded


def main(dataset_json: str, dataset: str, source: Path, output: Path, *, seed: int) -> None:
    """Write the PROBLEMS or REWORDED file, with the items of the source, and log what was rewritten and refused.

    A problem's draws depend on the seed, its name and its text, so that neither the settings nor the name of a dataset
    change further words. Raises ``SourceError`` if the entry or the lexicon is unusable.
    """
    entry = read_diversified_entry(dataset_json)
    rewritten = reworded(entry, [Problem.from_row(row) for row in files.rows(source, PROBLEMS)], seed)
    metadata = {
        "dataset": dataset,
        "reader": entry.reader,
        **made_from(source),
        f"{PREFIX}source/{dataset}": source_digest(entry),
        "entry": entry.model_dump_json(exclude={"shards"}),
        "seed": str(seed),
    }
    problems = [result.problem for result in rewritten]
    files.write(output, problems_at(output), [problem.to_row() for problem in problems], metadata)
    usable = sum(problem.is_usable for problem in problems)
    LOGGER.info(f"{dataset}: {usable:>6} of {len(problems)} problems are usable")
    for kind, count in sorted(Counter(rewrite.type for problem in problems for rewrite in problem.rewrites).items()):
        LOGGER.info(f"{dataset}: {count:>6} mentions rewritten: {kind}")
    LOGGER.info(f"{dataset}: {sum(sum(result.repeats.values()) for result in rewritten):>6} mentions repeat a form")
    unused = Counter((refusal.concept, refusal.reason) for result in rewritten for refusal in result.refused)
    for (concept, reason), count in sorted(unused.items()):
        LOGGER.info(f"{dataset}: {count:>6} forms of {concept} not used: {reason}")
    for reason, count in sorted(Counter(problem.reason for problem in problems if problem.reason is not None).items()):
        LOGGER.info(f"{dataset}: {count:>6} refused: {reason}")


if __name__ == "__main__":
    run_job(main)
