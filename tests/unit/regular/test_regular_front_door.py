"""What ``nlfol.regular`` offers, and that it stands alone."""

import doctest
import subprocess
import sys

import nlfol.regular


def test_the_example_in_its_docstring() -> None:
    results = doctest.testmod(nlfol.regular)
    assert (results.failed, results.attempted) == (0, 4)


def test_importing_it_imports_nothing_else_of_nlfol_and_no_package() -> None:
    script = (
        "import nlfol.regular; loaded = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(loaded - sys.stdlib_module_names), [n for n in sys.modules if n.startswith('nlfol.logic')])"
    )
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:0] = {folders!r}; before = set(sys.modules); {script}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "['nlfol'] []\n"
