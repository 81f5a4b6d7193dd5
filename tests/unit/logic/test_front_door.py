"""Cost of importing ``nlfol.logic``."""

import subprocess
import sys

HEAVY = ("z3", "pyparsing", "polars", "pyarrow", "pydantic", "torch", "transformers", "yaml", "numpy")


def test_logic_import_avoids_solver_and_table_packages() -> None:
    script = f"import sys, nlfol.logic; print([name for name in {HEAVY} if name in sys.modules])"
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:0] = {folders!r}; {script}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
