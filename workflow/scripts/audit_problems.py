"""Audit the rewritten problems of a dataset: both PROBLEMS files -> REWRITTEN."""

from collections import Counter
from pathlib import Path

from nlfol.datasets.entries.problems import shipped_forms
from nlfol.diversification.audit import verdicts
from nlfol.diversification.others import with_wordnet
from nlfol.problems import LexiconError, Problem
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS, REWRITTEN
from nlfol.store.records import SourceError


def main(dataset: str, originals: Path, problems: Path, output: Path, *, wordnet: Path | None = None) -> None:
    """Write the REWRITTEN file; with WordNet's folder, its synonyms are read, too. Raises ``SourceError``."""
    before = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
    try:
        lexicon = shipped_forms() if wordnet is None else with_wordnet(shipped_forms(), wordnet)
    except LexiconError as error:
        raise SourceError(str(error)) from error
    rows = [
        verdict
        for row in files.rows(problems, PROBLEMS)
        if (problem := Problem.from_row(row)).is_usable
        for verdict in verdicts(before[problem.name], problem, lexicon)
    ]
    files.write(output, REWRITTEN, rows, {"dataset": dataset, **made_from(originals, problems)})
    for verdict, count in sorted(Counter(row["verdict"] for row in rows).items()):
        LOGGER.info(f"{dataset}: {count:>6} {verdict}")


if __name__ == "__main__":
    run_job(main)
