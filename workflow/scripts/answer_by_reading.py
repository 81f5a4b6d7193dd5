"""The reader's responses: it reads the English of the candidates, and is handed the gold formula for the sentence."""

from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking, response_row
from nlfol.models.entries.model import ReaderEntry, read_entry
from nlfol.store.logs import LOGGER, job_log
from nlfol.tasks.choice import ChoiceTask
from nlfol.tasks.item import Item
from nlfol.tasks.reader import ReaderError

if TYPE_CHECKING:
    snakemake: Any

PRESENTATION = "english"
_SEED = 0
"""In whose order candidates are shown: the order changes nothing for a reader, which has no seeds."""


def main(asking: Asking) -> None:
    """Write the RESPONSES file of one dataset and task for the reader: one row an item, shown in English."""
    entry = read_entry(asking.entry_json)
    if not isinstance(entry, ReaderEntry):
        raise TypeError(f"model {asking.model!r} is no reader")
    rows = [_row(asking, item) for item in asking.items(entry.items)]
    failed = sum(row["outcome"] == "failed" for row in rows)
    LOGGER.info(f"{asking.label}: {len(rows) - failed} of {len(rows)} items settled by the texts of their candidates")
    asking.write("reader", entry.identity, rows)


def _row(asking: Asking, item: Item) -> dict[str, Any]:
    if not isinstance(asking.task, ChoiceTask):
        raise TypeError(f"task {asking.task_name!r} shows no candidates to read")
    order = asking.task.orders(item, [_SEED], asking.dataset, asking.seed)[_SEED]
    shown = [item.members[place].shown(PRESENTATION) for place in order]
    try:
        said = asking.task.answer_by_reading(item, shown)
    except ReaderError as error:
        return response_row(item, PRESENTATION, order=order, outcome="failed", error=str(error))
    return response_row(item, PRESENTATION, order=order, answer=said)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(Asking.of_job(snakemake))
