"""The notebook docs/quickstart.ipynb: its cells run in order and show what it has stored.

``python -m tests.unit.test_quickstart`` stores it again.
"""

import ast
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any
from unittest.mock import patch

from tests.examples import ROOT

nbformat: Any = import_module("nbformat")  # part of it has no types

NOTEBOOK = ROOT / "docs/quickstart.ipynb"


def outputs(source: str, names: dict[str, Any]) -> list[Any]:
    """Run a cell, and return what Jupyter would show: what is printed, then an expression's text and HTML."""
    shown: list[Any] = []
    with redirect_stdout(StringIO()) as printed, patch("sys.displayhook", shown.append):
        exec(compile(ast.Interactive(ast.parse(source).body), "cell", "single"), names)
    found = [nbformat.v4.new_output("stream", text=printed.getvalue())] if printed.getvalue() else []
    for value in shown:
        if value is not None:
            html = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
            found.append(nbformat.v4.new_output("execute_result", {"text/plain": repr(value), **html}))
    return found


def run(notebook: Any) -> Any:
    """Store what the cells show."""
    names: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=outputs(cell.source, names), execution_count=None)
    return notebook


def test_quickstart_notebook_shows_what_its_cells_give() -> None:
    stored = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(stored)
    assert nbformat.writes(run(nbformat.read(NOTEBOOK, as_version=4))) == nbformat.writes(stored)


if __name__ == "__main__":
    nbformat.write(run(nbformat.read(NOTEBOOK, as_version=4)), NOTEBOOK)
