"""Print the unit tests of what differs from the main branch, for ``make quick``; all files count, committed or not."""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
UNIT = "tests/unit"
ALWAYS = (f"{UNIT}/test_structure.py", f"{UNIT}/test_docstrings.py")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    return done.stdout.splitlines()


def changed_files() -> set[str]:
    """Return the files that differ from where this branch left the main one: from HEAD on the main branch itself."""
    base = next((found[0] for name in ("main", "origin/main") if (found := _git("merge-base", "HEAD", name))), "HEAD")
    return {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}


def select_tests(changed: Iterable[str], existing: Iterable[str]) -> set[str]:
    """Return the test files and folders of changed files.

    A module of a package has the innermost folder of tests that is named as one of its folders, any other file
    ``test_<its name>.py`` if there is one, and a page ``test_documents.py``.

    Args:
        changed: paths in the repository.
        existing: paths of all files of unit tests in the repository.
    """
    tests = {PurePosixPath(path) for path in existing if PurePosixPath(path).match("test_*.py")}
    folders = {folder.name: folder for test in sorted(tests) for folder in test.parents if folder.is_relative_to(UNIT)}

    def of(path: PurePosixPath) -> Iterator[PurePosixPath]:
        if path.is_relative_to(UNIT) and path.name.startswith("test_"):
            yield from {path} & tests
        elif path.suffix == ".md":
            yield PurePosixPath(UNIT, "test_documents.py")
        elif path.suffix == ".py":
            named = [test for test in tests if test.name == f"test_{path.stem}.py"]
            packages = [part for part in reversed(path.parent.parts) if part != "unit" and part in folders]
            yield from [folders[packages[0]]] if packages else named

    return {test.as_posix() for path in changed for test in of(PurePosixPath(path))}


def main() -> None:
    """Print what pytest is to run, by spaces."""
    existing = [path.relative_to(ROOT).as_posix() for path in (ROOT / UNIT).rglob("*.py")]
    print(*sorted({*ALWAYS, *select_tests(changed_files(), existing)}))


if __name__ == "__main__":
    main()
