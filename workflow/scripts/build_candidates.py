"""Build one task's candidate sets over a dataset: triples -> candidates."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from nlfol.candidates.randomness import content_labels, generator
from nlfol.candidates.sets import Candidate, CandidateError, most_similar_set, ranking_set
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.ontology.ontology import Ontology
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.tasks.specification import (
    LogicalTranslationSpecification,
    MostSimilarSpecification,
    RankingSpecification,
    TaskSpecification,
)

if TYPE_CHECKING:
    snakemake: Any


def main(triples: Path, *, dataset: str, task: str, specification: str, seed: int, output: Path) -> None:
    """Write the CANDIDATES file of one dataset and task.

    Args:
        triples: the TRIPLES file.
        dataset: its name in the configuration.
        task: the task's name.
        specification: the task's entry in the configuration, as JSON.
        seed: the experiment's seed; a set depends on it, the dataset, the item's content and the task alone.
        output: where the file goes.
    """
    adapter: TypeAdapter[TaskSpecification] = TypeAdapter(_TYPES[task])
    parameters = adapter.validate_json(specification)
    usable = [row for row in files.rows(triples, schemas.TRIPLES) if row["status"] == "usable"]
    rows = []
    for number, triple in enumerate(usable, 1):
        if number % 500 == 0:
            LOGGER.info(f"{dataset}, {task}: {number} of {len(usable)} candidate sets")
        rows.append(_row(triple, parameters, dataset, task, seed))
    metadata = {"dataset": dataset, "task": task, "seed": str(seed), "made_from": files.digest(triples)}
    files.write(output, schemas.CANDIDATES, rows, metadata)


_TYPES: dict[str, type[TaskSpecification]] = {
    "logical_translation": LogicalTranslationSpecification,
    "most_similar": MostSimilarSpecification,
    "ranking": RankingSpecification,
}


def _row(
    triple: Mapping[str, Any], parameters: TaskSpecification, dataset: str, task: str, seed: int
) -> dict[str, Any]:
    refusal: CandidateError | None = None
    candidates: Sequence[Candidate] = ()
    gold, ontology = parse(triple["formula"]), Ontology.from_row(triple["ontology"])
    draw = generator(seed, dataset, *content_labels(triple), task)
    try:
        match parameters:
            case LogicalTranslationSpecification():
                pass
            case MostSimilarSpecification(perturbations=wanted, minimum=minimum):
                candidates = most_similar_set(gold, ontology, perturbations=wanted, minimum=minimum, draw=draw)
            case RankingSpecification(perturbations=wanted, minimum=minimum):
                candidates = ranking_set(gold, ontology, perturbations=wanted, minimum=minimum, draw=draw)
    except CandidateError as error:
        refusal = error
    return {
        **{name: triple[name] for name in ("item", "story", "text", "formula", "ontology")},
        "candidates": [_candidate_row(candidate) for candidate in candidates],
        "status": "refused" if refusal else "usable",
        "reason": refusal.reason if refusal else None,
        "detail": str(refusal) if refusal else None,
    }


def _candidate_row(candidate: Candidate) -> dict[str, Any]:
    return {
        "formula": to_unicode(candidate.formula),
        "english": candidate.english,
        "role": candidate.role.value,
        "change": candidate.change,
        "path": None if candidate.path is None else "/".join(map(str, candidate.path)),
        "verdict": candidate.verdict.outcome.value,
        "means": candidate.verdict.means,
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.triples),
            dataset=snakemake.wildcards.dataset,
            task=snakemake.wildcards.task,
            specification=snakemake.params.specification,
            seed=snakemake.params.seed,
            output=Path(snakemake.output[0]),
        )
