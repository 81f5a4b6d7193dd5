"""Compare rewrites with the originals by an embedding model: proposed sentences, or the words of rewritten problems."""

from pathlib import Path
from typing import Any

from nlfol.asking.embedding import cosines
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import JobFiles
from nlfol.problems import Problem
from nlfol.spending import files_of
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS, PROPOSALS, SIMILARITIES, WORDINGS
from nlfol.tasks.wordings import wordings


def main(
    dataset: str,
    model: str,
    model_json: str,
    originals: Path,
    output: Path,
    *,
    job_files: JobFiles,
    proposals: Path | None = None,
    problems: Path | None = None,
    threshold: float = 0.0,
) -> None:
    """Write SIMILARITIES of proposals, of which those that reach ``threshold`` are kept, or WORDINGS of problems."""
    entry = read_entry(model_json)
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {model!r} is no embedding model")
    about = {"dataset": dataset, "model": model}
    if proposals is not None:
        before = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
        sentences = _proposed(proposals)
        LOGGER.info(f"{dataset}: {len(sentences)} sentences to compare by {model}")
        pairs = [(before[row["item"]].statements[row["statement"]].text, row["sentence"]) for row in sentences]
        found = zip(sentences, cosines(pairs, entry, job_files), strict=True)
        rows = [row | {"similarity": cosine, "kept": cosine >= threshold} for row, (cosine, _) in found]
        about |= {"threshold": str(threshold), **made_from(originals, proposals)}
        files.write(output, SIMILARITIES, rows, about)
        LOGGER.info(f"{dataset}: {sum(row['kept'] for row in rows)} of {len(rows)} reach {threshold:g}")
    elif problems is not None:
        worded = wordings(originals, problems)
        found = zip(worded, cosines([(row["before"], row["after"]) for row in worded], entry, job_files), strict=True)
        rows = [row | {"similarity": cosine, "is_cut": is_cut} for row, (cosine, is_cut) in found]
        files.write(output, WORDINGS, rows, about | made_from(originals, problems))
        if cut := sum(row["is_cut"] for row in rows):
            LOGGER.warning(f"{dataset}: of {cut} pairs {model} reads only the beginning of a text")


def _proposed(proposals: Path) -> list[dict[str, Any]]:
    """Return item, statement and text of each usable sentence, once."""
    names = ("item", "statement", "sentence")
    usable = (row for row in files.rows(proposals, PROPOSALS) if row["status"] == "usable")
    return [dict(zip(names, key, strict=True)) for key in dict.fromkeys(tuple(row[n] for n in names) for row in usable)]


if __name__ == "__main__":
    run_job(main, claimed, job_files=files_of)
