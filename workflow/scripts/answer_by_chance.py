"""The baseline's responses: one empty answer an item and presentation, which judging scores by its expectation."""

from itertools import product
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.responses import response_row, write_responses
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(asking: Asking) -> None:
    """Write the RESPONSES file of one dataset and task for the uniformly random answerer."""
    items = asking.items(asking.entry.items)
    rows = [response_row(item, presentation) for presentation, item in product(asking.presentations, items)]
    write_responses(asking, "chance", "chance", rows)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(Asking.of_job(snakemake))
