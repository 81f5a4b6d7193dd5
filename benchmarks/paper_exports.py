"""Exports of a run for a paper: its LaTeX tables, set in an article of two columns, and its figures with their sizes.

    python benchmarks/paper_exports.py RESULTS [--keep FOLDER]

Needs pdflatex with booktabs and array, Latin Modern, and Poppler's pdffonts. Printed are each table's overfull boxes of
more than 5 points, the smallest type of all, and each file of ``figures`` with its inches and its bytes. Of the default
run no box is overfull, and no type is below 7 points.
"""

import argparse
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

DOCUMENT = r"""\documentclass[10pt,twocolumn]{article}
\usepackage[a4paper,margin=1in]{geometry}
\usepackage[T1]{fontenc}
\usepackage{lmodern,booktabs,array}
\begin{document}
%s
\end{document}
"""

NEEDED = ("pdflatex", "pdffonts")
"""The programs that setting tables takes."""


def main() -> None:
    """Print what there is."""
    parser = argparse.ArgumentParser(description="LaTeX tables and figures of a run.")
    parser.add_argument("results", type=Path)
    parser.add_argument("--keep", type=Path, help="where to leave the article")
    options = parser.parse_args()
    tables = sorted((options.results / "tables").glob("*.tex"))
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        wide, smallest = set_tables(tables, folder)
    print(f"{len(tables)} tables; smallest type {smallest} pt; overfull by more than 5 pt: {len(wide)}")
    for table, points in wide:
        print(f"  {table}: {points} pt")
    files = sorted(path for path in (options.results / "figures").rglob("*") if path.suffix in (".pdf", ".svg", ".csv"))
    for path in files:
        print(f"{path.relative_to(options.results / 'figures')!s:70} {_inches(path):>12} {path.stat().st_size:>9,}")
    print(f"{len(files)} files of figures, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB")


def set_tables(tables: Sequence[Path], folder: Path) -> tuple[list[tuple[str, float]], int]:
    """Return the boxes of tables that are overfull by more than 5 points, by how much, and the smallest type in points.

    Raises ``RuntimeError`` with the end of the log if LaTeX refuses a table.
    """
    inputs = "\n".join(rf"\typeout{{TABLE {path.stem}}}\input{{{path.resolve()}}}\clearpage" for path in tables)
    (folder / "article.tex").write_text(DOCUMENT % inputs, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "article.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "article.log").read_text(errors="replace")
    if run.returncode:
        raise RuntimeError(log[-3000:])
    wide, table = [], ""
    for found in re.finditer(r"^TABLE (\w+)|Overfull \\hbox \(([0-9.]+)pt", log, re.MULTILINE):
        table = found[1] or table
        if found[2] and float(found[2]) > 5:
            wide.append((table, float(found[2])))
    fonts = subprocess.run(["pdffonts", folder / "article.pdf"], capture_output=True, text=True, check=True).stdout
    return wide, min(int(size) for size in re.findall(r"^[A-Z]{6}\+[A-Z]+[a-zA-Z]*?(\d+)", fonts, re.MULTILINE))


def _inches(path: Path) -> str:
    """Return width and height of a figure."""
    if path.suffix != ".svg":
        return ""
    found = re.search(r'width="([0-9.]+)pt" height="([0-9.]+)pt"', path.read_text(encoding="utf-8"))
    assert found
    return " × ".join(f"{float(each) / 72:.2f}" for each in found.groups())


if __name__ == "__main__":
    main()
