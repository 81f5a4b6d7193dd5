"""Every table, set by a real LaTeX."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

DOCUMENT = r"""\documentclass{article}
\usepackage[a4paper,margin=1in]{geometry}
\usepackage[T1]{fontenc}
\usepackage{booktabs,siunitx,graphicx,longtable,array}
\begin{document}
%s
\end{document}
"""


@pytest.mark.skipif(shutil.which("latexmk") is None, reason="needs latexmk and TeX with booktabs, geometry and siunitx")
def test_latexmk_compiles_a_document_with_every_table(recorded_tables: Path, tmp_path: Path) -> None:
    tables = sorted(recorded_tables.glob("*.tex"))
    inputs = "\n".join(rf"\input{{{path}}}\clearpage" for path in tables)
    (tmp_path / "paper.tex").write_text(DOCUMENT % inputs)
    command = ["latexmk", "-pdf", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert run.returncode == 0, log[-3000:]
    assert len(tables) > 40
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
    # A word may reach into the space between two columns, of 6 pt.
    too_wide = re.findall(r"Overfull \\hbox \(([0-9.]+)pt", log)
    assert [each for each in too_wide if float(each) > 4] == []
