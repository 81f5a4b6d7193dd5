"""Compare rewritten problems with the originals, statements and words alone, by one embedding model."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.embedding import cosines
from nlfol.diversification.comparing import wordings
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.job_files import JobFiles
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_entry
from nlfol.problems import Problem
from nlfol.spending import ledger_of
from nlfol.store import files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import WORDINGS

if TYPE_CHECKING:
    snakemake: Any


def main(  # noqa: PLR0917
    name: str, model: str, model_json: str, originals: Path, problems: Path, output: Path, job_files: JobFiles
) -> None:
    """Write the WORDINGS file of a dataset and model.

    Args:
        name: of the dataset in the configuration.
        model: name of the model there.
        model_json: its entry.
        originals: the PROBLEMS file of the original dataset.
        problems: that of the rewritten dataset.
        output: the WORDINGS file.
        job_files: those of the job.
    """
    entry = read_entry(model_json)
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {model!r} is no embedding model")
    before = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
    rows = [
        wording
        for row in files.rows(problems, PROBLEMS)
        if (problem := Problem.from_row(row)).is_usable
        for wording in wordings(before[problem.name], problem)
    ]
    similarities = cosines([(row["before"], row["after"]) for row in rows], entry, job_files)
    compared = [row | {"similarity": similarity} for row, similarity in zip(rows, similarities, strict=True)]
    files.write(output, WORDINGS, compared, {"dataset": name, "model": model, **made_from(originals, problems)})


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(
            snakemake.wildcards.dataset,
            snakemake.wildcards.model,
            entry_of(snakemake.params, "model"),
            Path(snakemake.input.originals),
            Path(snakemake.input.problems),
            Path(snakemake.output[0]),
            JobFiles.of_job(snakemake, snakemake.params.vectors, ledger_of(snakemake)),
        )
