"""Write the figures of the report as files for papers: one panel a file, as PDF and SVG; data as CSV."""

import json
from pathlib import Path

from nlfol.report.printing import write_figure
from nlfol.results.analyses.figure import Figure
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER


def main(figures: Path, output: Path) -> None:
    """Write the files of each figure of the JSON file of ``write_report``, and checksums of all."""
    for number, figure in enumerate(listed := json.loads(figures.read_text(encoding="utf-8")), 1):
        LOGGER.info(f"{figure['name']}, {number} of {len(listed)}")
        write_figure(Figure(**figure), output)
    output.mkdir(parents=True, exist_ok=True)
    write_checksums(output, (path for path in output.rglob("*") if path.is_file() and path.suffix))


if __name__ == "__main__":
    run_job(main)
