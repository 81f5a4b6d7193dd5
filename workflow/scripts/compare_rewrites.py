"""Compare rewrites with the originals by an embedding model: proposed sentences, or the words of rewritten problems."""

from pathlib import Path

from nlfol.asking.embedding import cosines
from nlfol.diversification.audit import wordings
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


class Comparison:
    """A dataset of rewritten problems, and the embedding model that its texts are compared by."""

    def __init__(self, dataset: str, model: str, model_json: str, originals: Path, job_files: JobFiles) -> None:
        entry = read_entry(model_json)
        if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
            raise TypeError(f"model {model!r} is no embedding model")
        self._dataset, self._model, self._entry, self._job_files = dataset, model, entry, job_files
        self._path = originals
        self._originals = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}

    def write_similarities(self, proposals: Path, threshold: float, output: Path) -> None:
        """Write the SIMILARITIES file of the PROPOSALS file; sentences with at least this cosine are kept."""
        sentences = dict.fromkeys(
            (row["item"], row["statement"], row["sentence"])
            for row in files.rows(proposals, PROPOSALS)
            if row["status"] == "usable"
        )
        LOGGER.info(f"{self._dataset}: {len(sentences)} sentences to compare by {self._model}")
        pairs = [
            (self._originals[item].statements[statement].text, sentence) for item, statement, sentence in sentences
        ]
        similarities = cosines(pairs, self._entry, self._job_files)
        rows = [
            {
                "item": item,
                "statement": statement,
                "sentence": sentence,
                "similarity": similarity,
                "kept": similarity >= threshold,
            }
            for (item, statement, sentence), similarity in zip(sentences, similarities, strict=True)
        ]
        about = {"dataset": self._dataset, "model": self._model, "threshold": str(threshold)}
        files.write(output, SIMILARITIES, rows, about | made_from(self._path, proposals))
        LOGGER.info(f"{self._dataset}: {sum(row['kept'] for row in rows)} of {len(rows)} reach {threshold:g}")

    def write_wordings(self, problems: Path, output: Path) -> None:
        """Write the WORDINGS file of the PROBLEMS file of the rewritten dataset."""
        rows = [
            wording
            for row in files.rows(problems, PROBLEMS)
            if (problem := Problem.from_row(row)).is_usable
            for wording in wordings(self._originals[problem.name], problem)
        ]
        similarities = cosines([(row["before"], row["after"]) for row in rows], self._entry, self._job_files)
        compared = [row | {"similarity": similarity} for row, similarity in zip(rows, similarities, strict=True)]
        about = {"dataset": self._dataset, "model": self._model, **made_from(self._path, problems)}
        files.write(output, WORDINGS, compared, about)


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
    """Write the SIMILARITIES file of proposals, or the WORDINGS file of problems, whichever is given."""
    comparison = Comparison(dataset, model, model_json, originals, job_files)
    if proposals is not None:
        comparison.write_similarities(proposals, threshold, output)
    elif problems is not None:
        comparison.write_wordings(problems, output)


if __name__ == "__main__":
    run_job(main, claimed, job_files=files_of)
