"""What ``nlfol.logic`` offers, and what importing it costs."""

import subprocess
import sys

from nlfol.logic import entails, equivalence, parse, read_tolerantly, to_unicode

HEAVY = ("z3", "pyparsing", "polars", "pyarrow", "pydantic", "torch", "transformers", "yaml", "numpy")


def test_an_example_of_use() -> None:
    gold, candidate = (
        parse("∀x (Man(x) → Mortal(x))"),
        read_tolerantly(r"$\neg\exists x (Man(x) \land \neg Mortal(x))$"),
    )
    assert equivalence(gold, candidate.formula).outcome == "equivalent"
    assert entails([gold, parse("Man(socrates)")], parse("Mortal(socrates)")).label == "true"
    assert entails([gold], parse("Mortal(socrates)")).label == "uncertain"
    assert to_unicode(gold) == repr(gold) == str(gold) == "∀x (Man(x) → Mortal(x))"


def test_importing_it_imports_no_solver_and_no_tables() -> None:
    script = f"import sys, nlfol.logic; print([name for name in {HEAVY} if name in sys.modules])"
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:0] = {folders!r}; {script}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
