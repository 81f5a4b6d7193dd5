"""Refuse problems in other words that are too unlike their originals, by the cosines of an embedding model."""

from pathlib import Path

from nlfol.facts import PROBLEM
from nlfol.problems.problem import Problem, Reason
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX, made_from, metadata_at
from nlfol.store.problem_schemas import PROBLEMS, REWORDED, WORDINGS


def main(dataset: str, reworded: Path, wordings: Path, output: Path, *, least: float) -> None:
    """Write the PROBLEMS file: the rows of REWORDED, of which those with a cosine below ``least`` are refused.

    ``wordings`` is the WORDINGS file of the same problems by one model.
    """
    model = metadata_at(wordings)["model"]
    cosines = {row["item"]: row["similarity"] for row in files.rows(wordings, WORDINGS) if row["unit"] == PROBLEM}
    problems = [Problem.from_row(row) for row in files.rows(reworded, REWORDED)]
    unlike = {problem.name for problem in problems if problem.is_usable and cosines[problem.name] < least}
    rows = [
        problem.refused(
            Reason.NOT_SIMILAR,
            f"{problem.name}: its cosine with the original by {model} is {cosines[problem.name]:.4f}, below {least:g}",
        )
        if problem.name in unlike
        else problem
        for problem in problems
    ]
    metadata = {key: text for key, text in metadata_at(reworded).items() if not key.startswith((PREFIX, "nlfol."))}
    about = {**metadata, "similarity": model, "least": str(least), **made_from(reworded, wordings)}
    files.write(output, PROBLEMS, [problem.to_row() for problem in rows], about)
    LOGGER.info(
        f"{dataset}: {len(unlike)} of {len(problems)} problems refused, with a cosine below {least:g} by {model}"
    )


if __name__ == "__main__":
    run_job(main)
