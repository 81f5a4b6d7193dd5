"""Write the figures of the report as files for papers (``nlfol.report.papers``)."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.analyses.charts import Figure
from nlfol.report.papers import write_figure
from nlfol.store.checksums import write_checksums
from nlfol.store.logs import LOGGER, job_log

if TYPE_CHECKING:
    snakemake: Any


def main(figures: Path, folder: Path) -> None:
    """Write SVG, PDF, PNG and CSV of each figure of the JSON file of ``write_report``, and checksums of all."""
    for number, figure in enumerate(listed := json.loads(figures.read_text(encoding="utf-8")), 1):
        LOGGER.info(f"{figure['name']}, {number} of {len(listed)}")
        write_figure(Figure(**figure), folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_checksums(folder, (path for path in folder.rglob("*") if path.is_file() and path.suffix))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(Path(snakemake.input[0]), Path(snakemake.output[0]))
