"""Seconds and megabytes of a report, from scores to tables and page, and until it is open in Chromium.

    python benchmarks/report.py [--answers 40000] [--keep FILE]

The sentences are those of Tarski's World, repeated under other names until there are enough; the models are made up, so
that each answer is a recorded one of the tests, with half a thousand characters of reasoning that occur once. Making
the answers and judging them is not measured. The page is open when its items are read and listed.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.report import experiment as small

import render_tables
from nlfol.analyses.analysis import Given
from nlfol.analyses.registry import TABLES
from nlfol.store import files, schemas


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="Seconds and megabytes of a report.")
    parser.add_argument("--answers", type=int, default=40_000)
    parser.add_argument("--keep", type=Path, help="where to leave the page")
    options = parser.parse_args()
    # Of each sentence and model: two translations, four choices, two rankings.
    models = tuple(f"model-{number}" for number in range(5))
    sentences = -(-options.answers // (8 * len(models)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = small.experiment(folder, sentences, models=models, reasoning=500)
        start = perf_counter()
        sources = made.analysed()
        analysed = perf_counter()
        outputs = [folder / f"tables/{table}.{suffix}" for table in TABLES for suffix in ("csv", "md", "tex")]
        render_tables.main(Given({**sources, "figures": small.FIGURES}), made.manifest, outputs)
        rendered = perf_counter()
        page = made.report(folder / "index.html")
        written = perf_counter()
        size = page.stat().st_size / 1e6
        opened = opening(page)
        answers = sum(files.read(path, schemas.RESPONSES).num_rows for path, _ in made.answers)
        if options.keep:
            shutil.copy(page, options.keep)
    print(f"{answers} answers of {len(models)} dialogue models, an embedding model and chance to {sentences} sentences")
    print(f"scores to analyses and audits: {analysed - start:6.1f} s")
    print(f"analyses to tables:            {rendered - analysed:6.1f} s")
    print(f"all to the report:             {written - rendered:6.1f} s, {size:.1f} MB")
    print(f"until it is open:              {opened:6.1f} s")


def opening(page: Path) -> float:
    """Seconds until a report is open: the least of three times."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        seconds = []
        for _ in range(3):
            tab = browser.new_page()
            start = perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector("html[data-ready]", state="attached")
            seconds.append(perf_counter() - start)
            tab.close()
        browser.close()
    return min(seconds)


if __name__ == "__main__":
    main()
