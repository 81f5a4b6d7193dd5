"""Take the responses of a model from a file of its answers: items and answers -> responses."""

import json
from collections.abc import Sequence
from pathlib import Path

from nlfol.asking.answer_files import read_answer_file
from nlfol.asking.answer_import import AnswerImport
from nlfol.asking.asking import Asking
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.store.jobs import run_job


def main(asking: Asking, answers: Path, jobs: Sequence[Sequence[str]]) -> None:
    """Write the RESPONSES file of one dataset and task; ``jobs`` are dataset and task of all that the model does."""
    entry = asking.entry
    if not isinstance(entry, AnswersEntry):
        raise TypeError(f"model {asking.model!r} has no file of answers")
    named = [(dataset, task) for dataset, task in jobs]
    AnswerImport(asking, entry, read_answer_file(answers), named).write()


if __name__ == "__main__":
    run_job(main, jobs=lambda job: json.loads(job.params.jobs))
