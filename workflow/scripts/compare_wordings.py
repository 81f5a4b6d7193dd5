"""Compare the words of rewritten problems with the originals by an embedding model: both PROBLEMS files -> WORDINGS."""

from pathlib import Path

from nlfol.asking.embedding import cosines
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_embedding_entry
from nlfol.models.request import JobFiles
from nlfol.spending import files_of
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import WORDINGS, WordingRow
from nlfol.tasks.wordings import wordings


def main(  # noqa: PLR0917
    dataset: str, model: str, model_json: str, originals: Path, problems: Path, output: Path, *, job_files: JobFiles
) -> None:
    """Write the WORDINGS file of problems in other words, PROBLEMS or REWORDED."""
    worded = wordings(originals, problems)
    pairs = [(row["before"], row["after"]) for row in worded]
    compared = cosines(pairs, read_embedding_entry(model_json), job_files)
    rows: list[WordingRow] = [
        {**row, "similarity": cosine, "is_cut": is_cut} for row, (cosine, is_cut) in zip(worded, compared, strict=True)
    ]
    files.write(output, WORDINGS, rows, {"dataset": dataset, "model": model, **made_from(originals, problems)})
    if cut := sum(row["is_cut"] for row in rows):
        LOGGER.warning(f"{dataset}: of {cut} pairs {model} reads only the beginning of a text")


if __name__ == "__main__":
    run_job(main, claimed, job_files=files_of)
