"""Offer sentences for the statements of problems: those that lexica and a model propose, if they are similar enough."""

from collections import Counter
from pathlib import Path

from nlfol.asking.embedding import cosines
from nlfol.data.entry import read_diversified_entry
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_embedding_entry
from nlfol.models.request import JobFiles
from nlfol.problems import Problem
from nlfol.spending import files_of
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS, PROPOSALS, SIMILARITIES, SimilarityRow
from nlfol.tasks.registry import build_task
from nlfol.tasks.rewrites import assembling_row, offered_sets, proposal_rows, write_items


def main(
    dataset_json: str,
    dataset: str,
    task_json: str,
    model: str,
    model_json: str,
    *,
    originals: Path,
    lexical: Path,
    items_file: Path,
    responses: Path,
    proposals: Path,
    similarities: Path,
    offered: Path,
    job_files: JobFiles,
    seed: int | None,
) -> None:
    """Write the files PROPOSALS, SIMILARITIES, and ITEMS of the problems for which there is something to choose.

    ``lexical``, ``items_file`` and ``responses`` are what lexica propose, and what a model was asked and answered.
    """
    entry = read_diversified_entry(dataset_json)
    rows = proposal_rows(lexical, items_file, responses)
    files.write(proposals, PROPOSALS, rows, {"dataset": dataset, **made_from(lexical, items_file, responses)})
    counts = Counter((row["source"], row["reason"] or "usable") for row in rows)
    for (source, reason), count in sorted(counts.items()):
        LOGGER.info(f"{dataset}: {count:>6} proposals of {source}: {reason}")

    problems = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
    usable = [(row["item"], row["statement"], row["sentence"] or "") for row in rows if row["status"] == "usable"]
    sentences = list(dict.fromkeys(usable))
    LOGGER.info(f"{dataset}: {len(sentences)} sentences to compare by {model}")
    pairs = [(problems[item].statements[statement].text, sentence) for item, statement, sentence in sentences]
    threshold = entry.asked.filter.threshold
    compared: list[SimilarityRow] = [
        {"item": item, "statement": statement, "sentence": sentence, "similarity": cosine, "kept": cosine >= threshold}
        for (item, statement, sentence), (cosine, _) in zip(
            sentences, cosines(pairs, read_embedding_entry(model_json), job_files), strict=True
        )
    ]
    about = {"dataset": dataset, "model": model, "threshold": str(threshold), **made_from(originals, proposals)}
    files.write(similarities, SIMILARITIES, compared, about)
    LOGGER.info(f"{dataset}: {sum(row['kept'] for row in compared)} of {len(compared)} reach {threshold:g}")

    items = [
        assembling_row(problem, sets)
        for problem, sets in offered_sets(originals, proposals, similarities, entry, seed)
        if any(len(sentences) > 1 for sentences in sets)
    ]
    write_items(offered, items, dataset, build_task(task_json), [originals, proposals, similarities])
    LOGGER.info(f"{dataset}: {len(items)} problems for the assembler")


if __name__ == "__main__":
    run_job(main, claimed, job_files=files_of)
