"""A new table with rows and a figure is one module and a line of the registry, a test and a word on what it shows."""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.examples import ROOT

SCRIPTS = ROOT / "workflow/scripts"

MODULE = '''
"""Letters of answers."""

from typing import TypedDict

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.store.columns import row_schema
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm


class LetterRow(TypedDict):
    dataset: str
    task: str
    model: str
    letters: int


LETTERS = row_schema("letters", 1, LetterRow)


def letters(loaded):
    for source, scores in loaded:
        about = {"dataset": source.dataset, "task": source.task, "model": source.model}
        yield {**about, "letters": sum(map(len, scores["item"]))}


def figure(rows):
    import altair

    from nlfol.results.analyses import charts

    shown = [{**row, "panel": row["dataset"]} for row in rows.to_dicts()]
    bars = charts.chart().mark_bar().encode(y=charts.models(), x=altair.X("letters:Q"))
    return charts.figure(shown, "letters", "Letters", "Letters of items.", charts.panels(bars, shown))


TABLE = TableForm(
    "letters",
    "Letters",
    "Letters of the items of a_model.",
    (*columns.texts("dataset", "task", "model"), columns.count("letters")),
    ("Each item counts.",),
    ("letters",),
)
ANALYSIS = Analysis((Rows(LETTERS, lambda given: letters(given.loaded())),), (TABLE,), ((("letters",), figure),))
'''

RUN = """
import sys
from pathlib import Path

import render_tables
from nlfol.results.analyses.analysis import Given, run
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.drawing import figures

folder = Path(sys.argv[1])
given = Given({"scores": [folder / "scores.ranking.alpha.arrow"]})
run("letters", given, {"letters.arrow": Path("letters.arrow")})
sources = {"letters": [Path("letters.arrow")]}
outputs = [Path(f"tables/letters.{suffix}") for suffix in ("csv", "md", "tex", "rst")]
render_tables.main(Given({**sources, "figures": []}), folder / "manifest.json", outputs)
print(Path("tables/letters.csv").read_text(), Path("tables/letters.rst").read_text(), sep="", end="")
print([figure.name for figure in figures(Given({**sources, "figures": []}))])
"""


def test_new_table_needs_only_its_module_and_registry_line(recorded_tables: Path, tmp_path: Path) -> None:
    library = tmp_path / "scripts"
    # With times of change and bytecode, so that nothing is compiled again.
    shutil.copytree(SCRIPTS, library)
    (library / "nlfol/results/analyses/letters.py").write_text(MODULE)
    registry = library / "nlfol/results/analyses/registry.py"
    first = '        _topic("translations"'
    line = '        _topic("letters", _S.EXPERIMENT, "scores", "letters", "letters"),\n'
    registry.write_text(registry.read_text(encoding="utf-8").replace(first, line + first), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", RUN, recorded_tables.parent],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = [
        "dataset,task,model,letters",
        "toy,ranking,alpha,36",
        "Letters of the items of a\\_model.",
        "['letters']",
    ]
    assert run.stdout.splitlines() == expected, run.stderr
    compared = filecmp.dircmp(library, SCRIPTS, ignore=["__pycache__"])
    changed = {path for part in [compared, *_below(compared)] for path in (*part.left_only, *part.diff_files)}
    assert changed == {"letters.py", "registry.py"}
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a table")[2].partition("\n## ")[0]
    assert [line[0] for line in recipe.splitlines() if line[:1].isdigit()] == ["1", "2", "3", "4"]


def _below(compared: filecmp.dircmp[str]) -> list[filecmp.dircmp[str]]:
    return [part for below in compared.subdirs.values() for part in (below, *_below(below))]
