"""Refused rows at every stage, and what is left after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.refusals import RefusalError, refusals_of_problems, unlearnt_answers, unused_answers
from nlfol.statistics.refusals import refusals as refusals_of_sentences
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import REFUSALS
from nlfol.tables import refusals as tables
from nlfol.tables.forms import DrawnForm


def refusals(given: Given) -> list[dict[str, Any]]:
    """Return the rows of all stages, datasets in the order of the configuration.

    Raises:
        RefusalError: if candidates are of an unknown dataset, or stage files contradict one another.
    """
    by_task: dict[str, dict[str, Path]] = {dataset: {} for dataset in given.settings["datasets"]}
    for path in given.files["item_files"]:
        about = metadata_at(path)
        if about["dataset"] not in by_task:
            raise RefusalError(
                f"{path}: candidates of dataset {about['dataset']!r}, which is not one of {', '.join(by_task)}"
            )
        by_task[about["dataset"]][about["task"]] = path
    sentences, triples, problems = map(given.by_dataset, ("sentences", "triples", "problems"))
    rows: list[dict[str, Any]] = []
    for dataset, tasks in by_task.items():
        if dataset in problems:
            rows += refusals_of_problems(dataset, problems[dataset], tasks)
        else:
            rows += refusals_of_sentences(dataset, sentences[dataset], triples[dataset], tasks)
    return rows + unused_answers(given.files["answers"]) + unlearnt_answers(given.files["examples"])


ANALYSIS = Analysis(
    rows=(Rows(REFUSALS, refusals),),
    tables=(
        DrawnForm("funnel", ("refusals",), tables.funnel),
        DrawnForm("refused", ("refusals",), tables.refused),
        DrawnForm("refused_rows", ("refusals",), tables.refused_rows),
    ),
)
