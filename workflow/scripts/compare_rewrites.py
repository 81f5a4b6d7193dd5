"""Compare proposed sentences with their statements, and keep those that are similar enough."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.embedding import cosines
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.job_files import JobFiles
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_entry
from nlfol.problems import Problem
from nlfol.spending import ledger_of
from nlfol.store import files
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import PROPOSALS, SIMILARITIES

if TYPE_CHECKING:
    snakemake: Any


def main(  # noqa: PLR0917
    name: str,
    model: str,
    threshold: float,
    model_json: str,
    problems: Path,
    proposals: Path,
    output: Path,
    job_files: JobFiles,
) -> None:
    """Write the SIMILARITIES file.

    Args:
        name: of the dataset in the configuration.
        model: name of the model there.
        threshold: the least cosine of a sentence that is kept.
        model_json: the model's entry.
        problems: the PROBLEMS file of the original dataset.
        proposals: the PROPOSALS file.
        output: the SIMILARITIES file.
        job_files: those of the job.
    """
    entry = read_entry(model_json)
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {model!r} is no embedding model")
    originals = {row["item"]: Problem.from_row(row) for row in files.rows(problems, PROBLEMS)}
    sentences = dict.fromkeys(
        (row["item"], row["statement"], row["sentence"])
        for row in files.rows(proposals, PROPOSALS)
        if row["status"] == "usable"
    )
    LOGGER.info(f"{name}: {len(sentences)} sentences to compare by {model}")
    pairs = [(originals[item].statements[statement].text, sentence) for item, statement, sentence in sentences]
    rows = [
        {
            "item": item,
            "statement": statement,
            "sentence": sentence,
            "similarity": similarity,
            "kept": similarity >= threshold,
        }
        for (item, statement, sentence), similarity in zip(sentences, cosines(pairs, entry, job_files), strict=True)
    ]
    about = {"dataset": name, "model": model, "threshold": str(threshold)}
    files.write(output, SIMILARITIES, rows, about | made_from(problems, proposals))
    LOGGER.info(f"{name}: {sum(row['kept'] for row in rows)} of {len(rows)} reach {threshold:g}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(
            snakemake.wildcards.dataset,
            snakemake.wildcards.model,
            snakemake.params.threshold,
            entry_of(snakemake.params, "model"),
            Path(snakemake.input.problems),
            Path(snakemake.input.proposals),
            Path(snakemake.output[0]),
            JobFiles.of_job(snakemake, snakemake.params.vectors, ledger_of(snakemake)),
        )
