"""Compare texts of answers with gold ones by an embedding model: items and responses -> cosines, or BERTScore."""

from pathlib import Path

from nlfol.asking.embedding import cosines
from nlfol.asking.judging import compared_pairs
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import JobFiles
from nlfol.models.vectors.local import EmbeddingError
from nlfol.models.vectors.tokens import token_scores
from nlfol.spending import files_of
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from, metadata_at
from nlfol.tasks.registry import build_task


def main(
    items_file: Path, responses: Path, task_json: str, output: Path, *, model_json: str, job_files: JobFiles
) -> None:
    """Write the GLOSSES file, called like the model: one row a pair of texts that judging compares, each once.

    Raises ``StoreError`` for an unusable file, ``EmbeddingError`` if the model cannot be asked.
    """
    task, entry = build_task(task_json), read_entry(model_json)
    model = output.stem
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {model!r} is no embedding model")
    pairs, metadata = compared_pairs(task, items_file, responses), metadata_at(responses)
    about = {key: metadata[key] for key in ("dataset", "task", "model")} | {"compared_by": model}
    LOGGER.info(f"{about['model']} on {about['dataset']}, {about['task']}: {len(pairs)} pairs of texts by {model}")
    if (by_tokens := getattr(task.entry, "bertscore", None)) is None:
        similarities = [similarity for similarity, _ in cosines(pairs, entry, job_files)]
    elif isinstance(entry, EmbeddingEntry):
        similarities = token_scores(pairs, entry, by_tokens.layer, job_files)
    else:
        raise EmbeddingError(f"bertscore needs weights, and {model} is behind an interface; name another model")
    rows = [
        {"gloss": gloss, "gold": gold, "similarity": similarity}
        for (gloss, gold), similarity in zip(pairs, similarities, strict=True)
    ]
    files.write(output, schemas.GLOSSES, rows, about | made_from(items_file, responses))


if __name__ == "__main__":
    run_job(main, claimed, job_files=files_of)
