"""Collect what was refused at every stage and what is left after it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nlfol.statistics.refusals import RefusalError, refusals, refusals_of_problems, unlearnt_answers, unused_answers
from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(
    datasets: Sequence[str],
    sentences: Sequence[Path],
    triples: Sequence[Path],
    candidates: Sequence[tuple[str, str, Path]],
    output: Path,
    *,
    problems: Mapping[str, Path] = MappingProxyType({}),
    answers: Sequence[Path] = (),
    examples: Sequence[Path] = (),
) -> None:
    """Write ``schemas.REFUSALS``.

    Args:
        datasets: their names, in the order of the tables' rows.
        sentences: the file of sentences of each dataset that has one, in the datasets' order.
        triples: the files of triples of the same datasets.
        candidates: dataset, task and file of candidates, tasks in the order in which they are shown.
        output: the file to write.
        problems: the file of problems of each other dataset, by name.
        answers: the responses of models whose answers are from files.
        examples: what trainings learn.

    Raises:
        RefusalError: if candidates are given twice or for an unknown dataset, or stage files contradict one another.
    """
    by_task: dict[str, dict[str, Path]] = {dataset: {} for dataset in datasets}
    for dataset, task, path in candidates:
        if dataset not in by_task:
            raise RefusalError(f"{path}: candidates of dataset {dataset!r}, which is not one of {', '.join(datasets)}")
        if task in by_task[dataset]:
            raise RefusalError(f"{path}: the candidates of {dataset!r} for {task!r} are given twice")
        by_task[dataset][task] = path
    rows: list[dict[str, Any]] = []
    used: list[Path] = []
    of_sentences = zip(sentences, triples, strict=True)
    for dataset in datasets:
        if dataset in problems:
            rows += refusals_of_problems(dataset, problems[dataset], by_task[dataset])
            used.append(problems[dataset])
        else:
            read, attached = next(of_sentences)
            rows += refusals(dataset, read, attached, by_task[dataset])
            used += [read, attached]
        used += by_task[dataset].values()
    rows += unused_answers(answers) + unlearnt_answers(examples)
    used += [*answers, *examples]
    files.write(output, schemas.REFUSALS, rows, made_from(*used))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.params.datasets,
            [Path(path) for path in snakemake.input.sentences],
            [Path(path) for path in snakemake.input.triples],
            [
                (dataset, task, Path(path))
                for (dataset, task), path in zip(snakemake.params.pairs, snakemake.input.item_files, strict=True)
            ],
            Path(snakemake.output[0]),
            problems=dict(zip(snakemake.params.of_problems, map(Path, snakemake.input.problems), strict=True)),
            answers=[Path(path) for path in snakemake.input.answers],
            examples=[Path(path) for path in snakemake.input.examples],
        )
