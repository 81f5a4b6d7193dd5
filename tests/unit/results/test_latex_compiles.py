"""Every table, set by a real LaTeX in an article of two columns."""

import shutil
from pathlib import Path

import pytest
from benchmarks.paper_exports import NEEDED, set_tables


@pytest.mark.skipif(
    any(shutil.which(each) is None for each in NEEDED),
    reason="needs pdflatex with booktabs, array, geometry and lmodern, and pdffonts",
)
def test_latex_tables_fit_two_column_article_legibly(recorded_tables: Path, tmp_path: Path) -> None:
    tables = sorted(recorded_tables.glob("*.tex"))
    assert len(tables) > 40
    assert set_tables(tables, tmp_path) == ([], 7)
