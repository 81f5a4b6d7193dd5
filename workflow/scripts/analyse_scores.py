"""Analyse judged answers over all files of scores: compare models, tasks, seeds and metrics, and sort out faults."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from nlfol.statistics.asked_problems import depths, items_of
from nlfol.statistics.claims import claims
from nlfol.statistics.classification import classification
from nlfol.statistics.comparisons import comparisons
from nlfol.statistics.correlations import correlations
from nlfol.statistics.faults import faults
from nlfol.statistics.few_shot import few_shot
from nlfol.statistics.ratings import original_readers, ratings
from nlfol.statistics.seed_repetitions import seed_repetitions
from nlfol.statistics.series import load_all, series_of
from nlfol.statistics.solvers import solvers
from nlfol.statistics.stops import stops
from nlfol.statistics.task_agreement import task_agreements
from nlfol.statistics.thinking import thinking
from nlfol.statistics.variances import variance_rows
from nlfol.store import analysis_schemas, claim_schemas, files, problem_schemas, round_trip_schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], outputs: Mapping[str, Path], problems: Sequence[Path] = ()) -> None:
    """Write the analyses.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        outputs: where each analysis goes: differences, thinking, task_agreements, repetitions, correlations, faults,
            few_shot, stops, solvers, classification, depths, ratings, claims, variances.
        problems: the ITEMS files of tasks on problems.
    """
    loaded = load_all(scores)
    series = list(series_of(loaded))
    asked = items_of(problems)
    compared = comparisons(series)
    thought = thinking(series, compared)
    analyses: dict[str, tuple[pa.Schema, list[dict[str, Any]]]] = {
        "differences": (analysis_schemas.DIFFERENCES, compared),
        "thinking": (analysis_schemas.THINKING, thought),
        "task_agreements": (analysis_schemas.TASK_AGREEMENTS, task_agreements(series)),
        "repetitions": (analysis_schemas.REPETITIONS, seed_repetitions(series)),
        "correlations": (analysis_schemas.CORRELATIONS, correlations(loaded)),
        "faults": (analysis_schemas.FAULTS, faults(loaded)),
        "few_shot": (round_trip_schemas.FEW_SHOT, few_shot(series)),
        "stops": (round_trip_schemas.STOPS, stops(loaded)),
        "solvers": (problem_schemas.SOLVERS, solvers(loaded, asked)),
        "classification": (problem_schemas.CLASSIFICATION, list(classification(loaded, asked))),
        "depths": (problem_schemas.DEPTHS, list(depths(series, asked))),
        "ratings": (problem_schemas.RATINGS, list(ratings(loaded, original_readers(problems)))),
        "claims": (claim_schemas.CLAIMS, claims(series, thought)),
        "variances": (claim_schemas.VARIANCES, variance_rows(loaded)),
    }
    about = made_from(*scores, *problems)
    for name, output in outputs.items():
        schema, rows = analyses[name]
        files.write(output, schema, rows, about)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            {name: Path(path) for name, path in snakemake.output.items()},
            [Path(path) for path in snakemake.input.problems],
        )
